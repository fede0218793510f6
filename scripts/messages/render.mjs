/** The section "Messages" of docs/errors.md: a table of templates and examples for each code. */
import { matches } from './examples.mjs';

const BEGIN = '<!-- messages: node scripts/messages.mjs --write -->';
const END = '<!-- /messages -->';

/** Errors without a code of the library, and texts that are not errors, by the heading they are listed under. */
const HEADINGS = new Map([
  ['UsageError', 'Command line: usage'],
  ['NoConfigurationError', 'Command line: usage'],
  ['LoadFailure', 'Command line: usage'],
  ['UnansweredError', 'Command line: elicitation'],
  ['LinkError', 'Command line: connection to a server'],
  ['note', 'Notes of an OpenAPI import, mistakes in a configuration file'],
  ['UnreadableOperation', 'Operations that cannot be imported'],
  ['PathMistake', 'Selectors of an overlay'],
  ['UnreadablePattern', 'Regular expressions that cannot be judged'],
]);

/** The page with its list written again. Examples that still match their template are kept. */
export function writeMessages(page, messages, findExample) {
  const [before, listed, after] = split(page);
  const known = new Map(rowsOf(listed).map(({ template, example }) => [template, example]));
  const groups = new Map();
  for (const message of messages) {
    const heading = headingOf(message.code);
    groups.set(heading, [...(groups.get(heading) ?? []), message.text]);
  }
  const sections = [...groups].map(([heading, texts]) => {
    const rows = [...new Set(texts)].map((text) => {
      const kept = known.get(text);
      const example =
        kept !== undefined && matches(text, kept) ? kept : isFixed(text) ? '' : (findExample(text) ?? '');
      return `| ${code(text)} | ${example === '' ? '' : code(example)} |`;
    });
    return `### ${heading}\n\n| message | example |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `${before}${BEGIN}\n\n${sections.join('\n')}\n${END}${after}`;
}

/** The rows of the list, and those whose example is missing. */
export function readRows(page) {
  return rowsOf(split(page)[1]);
}

export function isFixed(template) {
  return !/\{[\w$]+\}|‹/.test(template);
}

function split(page) {
  const [before, rest] = page.split(BEGIN);
  const [listed, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Error(`The page needs the lines ${BEGIN} and ${END}.`);
  return [before, listed, after];
}

function rowsOf(listed) {
  const cell = '(?:``? ?(.*?) ?``?)?';
  const row = new RegExp(`^\\| ${cell} \\| ${cell} ?\\|$`, 'gm');
  return Array.from(listed.matchAll(row), ([, template, example = '']) => ({
    template: unescape(template ?? ''),
    example: unescape(example),
  })).filter(({ template }) => template !== '');
}

function headingOf(name) {
  if (name.startsWith('log: ')) return `Log: ${name.slice(5)}`;
  return HEADINGS.get(name) ?? (name.startsWith('-32') ? `JSON-RPC ${name}` : `\`${name}\``);
}

function code(text) {
  const escaped = text.replaceAll('|', String.raw`\|`);
  return escaped.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}

function unescape(text) {
  return text.replaceAll(String.raw`\|`, '|');
}
