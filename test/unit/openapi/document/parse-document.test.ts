import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../../../../src/errors/errors.ts';
import { DOCUMENT_DEFAULTS, toLimits } from '../../../../src/openapi/document/parse/document-limits.ts';
import type { DocumentLimits } from '../../../../src/openapi/document/parse/document-limits.ts';
import { parseDocument } from '../../../../src/openapi/document/parse/parse-document.ts';
import type { ParsedDocument } from '../../../../src/openapi/document/parse/parse-document.ts';
import { refused } from '../../../support/refused.ts';

function parse(text: string, limits: Partial<DocumentLimits> = {}): ParsedDocument {
  return parseDocument({ name: 'api.yaml', text }, { ...DOCUMENT_DEFAULTS, ...limits });
}

function mistakeOf(text: string, limits: Partial<DocumentLimits> = {}): string {
  try {
    parse(text, limits);
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return (error as Error).message;
  }
  throw new Error('nothing went wrong');
}

describe('a text', () => {
  test('of JSON is read, with a byte order mark too', () => {
    expect(parse('{"a":[1,"x",null,true]}')).toEqual({
      value: { a: [1, 'x', null, true] },
      nodes: 6,
      notes: [],
    });
    expect(parse('\uFEFF {"a":1}').value).toEqual({ a: 1 });
    expect(parse('\uFEFFa: 1').value).toEqual({ a: 1 });
  });

  test('of YAML is read: dates and words stay texts, keys are texts, "<<" merges', () => {
    const text = `
base: &base {type: object, x: 1}
made:
  <<: *base
  x: 2
date: 2022-11-15
answer: yes
version: 3.0
responses:
  200: fine
  "404": gone
`;
    expect(parse(text).value).toEqual({
      base: { type: 'object', x: 1 },
      made: { type: 'object', x: 2 },
      date: '2022-11-15',
      answer: 'yes',
      version: 3,
      responses: { 200: 'fine', 404: 'gone' },
    });
  });

  test('keeps members called __proto__ as members', () => {
    for (const text of ['{"__proto__":{"polluted":1}}', '__proto__:\n  polluted: 1\n']) {
      const value = parse(text).value as object;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  test('that is almost JSON is parsed as YAML, with a note', () => {
    const { value, nodes, notes } = parse('{"a": 1,\n "b": [2,],}');
    expect([value, nodes, notes.length]).toEqual([{ a: 1, b: [2] }, 4, 1]);
    // Only some versions of Node report the exact position.
    expect(notes[0]).toMatch(
      /^api\.yaml is not valid JSON \("\]" should not be .*\); it was read as YAML\.$/,
    );
  });

  test('with a duplicate key is accepted with a note; the last one counts', () => {
    expect(parse('a: 1\nb: {c: 1, c: 2}\na: 3\n')).toMatchObject({
      value: { a: 3, b: { c: 2 } },
      notes: ['api.yaml, line 2, column 11: duplicate key; the last one is used, here and elsewhere.'],
    });
  });

  test('of several YAML documents uses the first, with a note; an empty one after it is ignored', () => {
    expect(parse('---\na: 1\n---\n')).toMatchObject({ value: { a: 1 }, notes: [] });
    expect(parse('a: 1\n---\nb: 2\n')).toMatchObject({
      value: { a: 1 },
      notes: ['api.yaml has 2 YAML documents (separated by ---); only the first is read.'],
    });
  });
});

describe('a text that cannot be read', () => {
  test.each([
    ['', 'api.yaml is empty.'],
    [' \n\t ', 'api.yaml is empty.'],
    ['# only a comment\n', 'api.yaml is empty.'],
    ['a: b: c\n', 'api.yaml, line 1, column 5: bad indentation of a mapping entry, at "a: b: c".'],
    ['a:\n  - b\n c: 1\n', 'api.yaml, line 3, column 2: bad indentation of a mapping entry, at "c: 1".'],
    ['a: *nobody\n', 'api.yaml, line 1, column 11: unidentified alias "nobody", at "a: *nobody".'],
    [
      'a: !include other.yaml\n',
      'api.yaml, line 1, column 23: unknown tag !<!include>, at "a: !include other.yaml".',
    ],
    [
      ' <!doctype html><title>Docs</title>',
      'api.yaml is a page of HTML or XML, not JSON or YAML. If it is the documentation of an API, look there for the URL of its OpenAPI document.',
    ],
  ])('%j', (text, message) => {
    expect(mistakeOf(text)).toBe(message);
  });

  test('that is neither JSON nor YAML gets both errors', () => {
    expect(mistakeOf('{"a": 1 "b": 2}')).toMatch(
      /^api\.yaml is not valid JSON \(unexpected "\\"".*\), and not valid YAML either: api\.yaml, line 1, column 12: missed comma/,
    );
    expect(mistakeOf('{"a": ')).toMatch(
      /^api\.yaml is not valid JSON \(it ends too early\), and not valid YAML either: /,
    );
  });

  test('is shown in part only, and is not kept in the error', () => {
    const text = `a: "${'long '.repeat(10_000)}`;
    const message = mistakeOf(text);
    expect(message.length).toBeLessThan(300);
    try {
      parse(text);
    } catch (error) {
      expect((error as Error).cause).toBeUndefined();
    }
  });
});

/** Each line expands to ten of the previous one. */
function bomb(lines: number): string {
  const rest = Array.from({ length: lines }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
  return ['a0: &a0 [x]', ...rest].join('\n');
}

describe('documents above the limits', () => {
  const TOO_MANY =
    'api.yaml has more than 3000000 values (maxDocumentNodes); values repeated by YAML aliases count each time.';
  const TOO_DEEP = 'api.yaml is nested more than 512 levels deep (maxDocumentDepth).';

  test('nested aliases are counted expanded, and rejected', () => {
    expect(mistakeOf(bomb(30))).toBe(TOO_MANY);
    // 10 + 11 of the first line, and so on: each is ten times the previous one plus one.
    expect(parse(bomb(2)).nodes).toBe(1 + 2 + 21 + 211);
    expect(parse(bomb(2), { maxDocumentNodes: 235 }).nodes).toBe(235);
    expect(mistakeOf(bomb(2), { maxDocumentNodes: 234 })).toMatch(/^api.yaml has more than 234 values/);
  });

  test('an alias inside of what it repeats is refused', () => {
    const message = 'api.yaml contains itself: a YAML alias refers to a node that contains it.';
    expect(mistakeOf('a: &a\n  b: *a\n')).toBe(message);
    expect(mistakeOf('a: &a [1, {b: [*a]}]\n')).toBe(message);
  });

  test('members that are merged again and again are refused', () => {
    const members = Array.from({ length: 2000 }, (_, at) => `k${at}: 1`).join(', ');
    const uses = Array.from({ length: 600 }, (_, at) => `b${at}: {<<: *a}`).join('\n');
    expect(mistakeOf(`a: &a {${members}}\n${uses}`)).toBe(
      'api.yaml merges more than 1000000 members by "<<".',
    );
  });

  test.each([
    ['JSON', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['JSON that does not end', '{"a":'.repeat(100_000)],
    ['YAML in brackets', `a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['YAML with dashes', '- '.repeat(100_000)],
    ['YAML with question marks', '? '.repeat(100_000)],
  ])('%s of a hundred thousand levels is refused', (_kind, text) => {
    expect(mistakeOf(text)).toBe(TOO_DEEP);
  });

  test('levels that only aliases make are levels', () => {
    const line = (at: number): string => `a${at}: &a${at} {b: *a${at - 1}}`;
    const text = ['a0: &a0 {}', ...Array.from({ length: 511 }, (_, at) => line(at + 1))];
    expect(parse(text.slice(0, 511).join('\n')).nodes).toBeGreaterThan(500);
    expect(mistakeOf(text.join('\n'))).toBe(TOO_DEEP);
    expect(mistakeOf(text.slice(0, 3).join('\n'), { maxDocumentDepth: 3 })).toMatch(
      /more than 3 levels deep/,
    );
  });

  test('the last level that is allowed is allowed, in both languages', () => {
    const json = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const yaml = (levels: number): string => `${'- '.repeat(levels - 1)}[]`;
    expect([parse(json(512)).nodes, parse(yaml(512)).nodes]).toEqual([512, 512]);
    expect([mistakeOf(json(513)), mistakeOf(yaml(513))]).toEqual([TOO_DEEP, TOO_DEEP]);
  });

  test('many small things are refused while they are read', () => {
    expect(mistakeOf(`[${'[],'.repeat(3_000_000)}[]]`)).toBe(TOO_MANY);
    const limits = { maxDocumentNodes: 1000 };
    expect(mistakeOf(`a: [${'[],'.repeat(3000)}[]]`, limits)).toMatch(/^api.yaml has more than 1000 values/);
    // The mistake at the end is not reached.
    expect(mistakeOf(`a: [${'[],'.repeat(3000)}}`, limits)).toMatch(/^api.yaml has more than 1000 values/);
    expect(mistakeOf(`[${'1,'.repeat(1000)}1]`, limits)).toMatch(/^api.yaml has more than 1000 values/);
    expect(parse(`[${'1,'.repeat(998)}1]`, limits).nodes).toBe(1000);
  });

  test('the values of JSON are counted like those of the same YAML', () => {
    const json = '{"a": [], "b": [ ], "c": {"d": [1, "[,{", {}]}, "e": "\\"],["}';
    expect([parse(json).nodes, parse(`# YAML\n${json}`).nodes]).toEqual([9, 9]);
  });
});

describe('limits', () => {
  test('are the defaults', () => {
    expect(toLimits({ maxDocumentFiles: 5 })).toEqual({
      maxDocumentBytes: 33_554_432,
      maxDocumentFiles: 5,
      maxTotalBytes: 134_217_728,
      maxDocumentDepth: 512,
      maxDocumentNodes: 3_000_000,
    });
  });

  test.each([
    [{ maxDocumentDepth: 1001 }, refused('limits', { path: ['maxDocumentDepth'] })],
    [{ maxTotalBytes: 0 }, refused('limits', { path: ['maxTotalBytes'] })],
    [{ maxDocumentNodes: 1.5 }, refused('limits', { path: ['maxDocumentNodes'] })],
    [{ maxDocumentByte: 1 }, refused('limits', { path: ['maxDocumentByte'] })],
  ])('%j is refused', (limits, message) => {
    expect(() => toLimits(limits as Partial<DocumentLimits>)).toThrow(message);
  });
});
