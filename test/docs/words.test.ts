import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/dist.ts';
import { PHRASES } from './phrases.ts';

/** A piece of prose and the place it comes from. */
interface Prose {
  readonly place: string;
  readonly text: string;
}

const sources = filesBelow('src', '.ts');
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  'bench/README.md',
  ...filesBelow('docs', '.md'),
  ...filesBelow('examples', '.md'),
  ...filesBelow('servers', '.md'),
];

test('the list has at least 60 phrases of two words or more, each once', () => {
  expect(PHRASES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(PHRASES).size).toBe(PHRASES.length);
  expect(PHRASES.filter((phrase) => !phrase.includes(' '))).toEqual([]);
});

describe('no phrase of the list is', () => {
  test('in a page', () => {
    expect(pages.length).toBeGreaterThan(80);
    expect(pages.flatMap((page) => foundIn(paragraphs(page)))).toEqual([]);
  });

  test('in a message or a comment of the library', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.flatMap((file) => foundIn([...comments(file), ...texts(file)]))).toEqual([]);
  });
});

test('a phrase is found in any case, across lines, and only as whole words', () => {
  const prose = [
    { place: 'a', text: 'It Stands\nin a file' },
    { place: 'b', text: 'understands in part' },
  ];
  expect(foundIn(prose)).toEqual(['a: "stands in"']);
});

test('a comment names its noun: none begins with What, How, Who, Whoever, Somebody or Nobody', () => {
  const riddle = /^(?:What|How|Who|Whose|Whom|Whoever|Whatever|Somebody|Nobody|Everybody)\b(?![^.]*\?)/;
  const found = sources.flatMap(comments).filter(({ text }) => riddle.test(text));
  expect(found.map(({ place, text }) => `${place}: ${text.slice(0, 80)}`)).toEqual([]);
});

const patterns = PHRASES.map((phrase) => ({
  phrase,
  pattern: new RegExp(`\\b${phrase.replaceAll(' ', String.raw`\s+`)}\\b`, 'i'),
}));

function foundIn(prose: readonly Prose[]): string[] {
  return prose.flatMap(({ place, text }) =>
    patterns.filter(({ pattern }) => pattern.test(text)).map(({ phrase }) => `${place}: "${phrase}"`),
  );
}

function paragraphs(page: string): Prose[] {
  let line = 1;
  return readFileSync(join(ROOT, page), 'utf8')
    .split('\n\n')
    .map((text) => {
      const place = `${page}:${line}`;
      line += text.split('\n').length + 1;
      return { place, text };
    });
}

/** Neighbouring `//` lines are one comment. */
function comments(file: string): Prose[] {
  const { source, parsed } = parse(file);
  const found: { text: string; start: number; end: number; type: string }[] = [];
  for (const { type, value, start, end } of parsed.comments) {
    const last = found.at(-1);
    const isContinued =
      type === 'Line' && last?.type === 'Line' && source.slice(last.end, start).trim() === '';
    if (isContinued) Object.assign(last, { text: `${last.text} ${value.trim()}`, end });
    else found.push({ text: value.replaceAll(/^[\s*]+/gm, '').trim(), start, end, type });
  }
  return found.map(({ text, start }) => ({ place: placeOf(file, source, start), text }));
}

function texts(file: string): Prose[] {
  const { source, parsed } = parse(file);
  const found: Prose[] = [];
  const add = (start: number, text: string): void => {
    found.push({ place: placeOf(file, source, start), text });
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') add(node.start, node.value);
    },
    TemplateLiteral: (node) => add(node.start, node.quasis.map(({ value }) => value.cooked).join('…')),
  }).visit(parsed.program);
  return found;
}

const parsedFiles = new Map<string, { source: string; parsed: ReturnType<typeof parseSync> }>();

function parse(file: string): { source: string; parsed: ReturnType<typeof parseSync> } {
  const known = parsedFiles.get(file);
  if (known !== undefined) return known;
  const source = readFileSync(join(ROOT, file), 'utf8');
  const read = { source, parsed: parseSync(file, source) };
  parsedFiles.set(file, read);
  return read;
}

function placeOf(file: string, source: string, start: number): string {
  return `${file}:${source.slice(0, start).split('\n').length}`;
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !/(?:^|\/)(?:node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`);
}
