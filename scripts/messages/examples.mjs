/** Real messages from the literals of the tests and the output that pages show: an example for each template. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { sourceFiles } from '../house/graph.mjs';
import { visit } from './source-index.mjs';

const SEPARATOR = '\u0000';
const MAX_EXAMPLE = 240;

/** A function from a template to a text that a test expects, if there is one. */
export function readExamples(folders = ['test'], pages = 'docs') {
  const texts = folders.flatMap((folder) => sourceFiles(folder)).flatMap(literalsOf);
  const shown = readdirSync(pages)
    .filter((file) => file.endsWith('.md'))
    .flatMap(
      (file) => readFileSync(join(pages, file), 'utf8').match(/^```(?:text|console)\n[\s\S]*?^```$/gm) ?? [],
    );
  const all = [...new Set([...texts, ...shown.flatMap((block) => block.split('\n'))])].join(SEPARATOR);
  return (template) => findExample(all, template);
}

function literalsOf(file) {
  const texts = [];
  visit(parseSync(file, readFileSync(file, 'utf8')).program, undefined, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
    if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
      texts.push(node.quasis[0].value.cooked);
  });
  return texts.filter((text) => text?.includes(' ')).flatMap((text) => text.split('\n'));
}

/** Whether a text can be what a template becomes. */
export function matches(template, text) {
  return new RegExp(`^${patternOf(template)}$`).test(text);
}

function patternOf(template) {
  return partsOf(template).map(toPattern).join('');
}

/** Fixed texts, `{placeholders}` and the angle brackets around what can be absent. */
function partsOf(template) {
  return template.split(/(\{[\w$]+\}|‹|›)/);
}

function findExample(all, template) {
  const parts = partsOf(template);
  const fixed = parts.filter((part) => !/^(?:\{[\w$]+\}|‹|›)$/.test(part));
  const longest = fixed.reduce((best, part) => (part.length > best.length ? part : best), '');
  const whole = new RegExp(`^${patternOf(template)}$`);
  // Without a fixed text at both ends, a part of a longer text would be cut anywhere.
  const isClosed = /^[^{‹].*[^}›]$/.test(template);
  const within = isClosed ? new RegExp(patternOf(template)) : whole;
  for (let at = all.indexOf(longest); at !== -1; at = all.indexOf(longest, at + 1)) {
    const start = all.lastIndexOf(SEPARATOR, at) + 1;
    const end = all.indexOf(SEPARATOR, at);
    const line = all.slice(start, end === -1 ? undefined : end).slice(0, 1000);
    const [found] = whole.exec(line) ?? within.exec(line) ?? [];
    if (found !== undefined && found.length <= MAX_EXAMPLE) return found;
  }
  return undefined;
}

function toPattern(part) {
  if (/^\{[\w$]+\}$/.test(part)) return '(?:.{1,160}?)';
  if (part === '‹') return '(?:';
  if (part === '›') return ')?';
  return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
}
