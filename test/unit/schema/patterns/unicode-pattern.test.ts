import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { toUnicodePattern } from '../../../../src/schema/expressions/unicode-pattern.ts';
import { compileInput, createJudge, run } from '../compile.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

/** Patterns outside of Unicode mode, and their equivalents in it. */
const REWRITTEN: readonly (readonly [given: string, written: string])[] = [
  // Needless escapes.
  [String.raw`^a\-b$`, '^a-b$'],
  [String.raw`^\_\@\:\#\"\'\ \%\&\,\;\<\=\>\~$`, `^_@:#"' %&,;<=>~$`],
  [String.raw`^[\w\_\-\.]+$`, String.raw`^[\w_\-\.]+$`],
  [String.raw`^\/\_$`, String.raw`^\/_$`],
  [String.raw`^\e\y$`, '^ey$'],
  // Lone braces and brackets.
  ['^{a}$', String.raw`^\{a\}$`],
  ['^a{b$', String.raw`^a\{b$`],
  ['^a{2}{b]$', String.raw`^a{2}\{b\]$`],
  ['^a{1,b}$', String.raw`^a\{1,b\}$`],
  // Ranges with a set at one end.
  ['^[\\w-.]+$', String.raw`^[\w\-.]+$`],
  ['^[a-\\d]+$', String.raw`^[a\-\d]+$`],
  ['^[\\w-a-z]+$', String.raw`^[\w\-a\-z]+$`],
  ['^[^\\s-_]+$', String.raw`^[^\s\-_]+$`],
  ['^[-\\_a-c-]+$', String.raw`^[\-_a-c\-]+$`],
  // Character codes.
  [String.raw`^\07\101\8$`, String.raw`^\x07\x41\x38$`],
  [String.raw`^(a)\1\2$`, String.raw`^(a)\1\x02$`],
  [String.raw`^[\1\08\B]+$`, String.raw`^[\x01\x008B]+$`],
  // Incomplete escapes.
  [String.raw`^\x4\u12\k\p$`, '^x4u12kp$'],
  [String.raw`^\c1$`, String.raw`^\\c1$`],
  [String.raw`^[\c1\c_]$`, String.raw`^[\x11\x1f]$`],
  // Repeated look-ahead.
  ['^(?=a)*b(?!c)+$', '^(?:(?=a))*b(?:(?!c))+$'],
  [String.raw`^(?<x>a)\k<x>\-$`, String.raw`^(?<x>a)\k<x>-$`],
];

const TEXTS = [
  'a-b',
  `_@:#"' %&,;<=>~`,
  'w_-.',
  '/_',
  'ey',
  '{a}',
  'a{b',
  'aa{b]',
  'a{1,b}',
  'x-.y',
  'a-1',
  '-a z',
  '\u0007A8',
  'aa\u0002',
  '\u0001\u00008B',
  'x4u12kp',
  '\\c1',
  '\u0011',
  '\u001f',
  'b',
  'ab',
  'bc',
  'aa-',
  'b-c',
  '',
  'a',
  ' ',
  '-',
  '_',
  '.',
  'z',
  'é',
  '\n',
  'a\nb',
  '0',
  '9',
  '\\',
  ']',
  '}',
  '{',
];

describe('a pattern that is not valid in Unicode mode', () => {
  test.each(REWRITTEN)('%s is written as %s', (given, written) => {
    expect(() => RegExp(given, 'u')).toThrow(SyntaxError);
    expect(toUnicodePattern(given)).toBe(written);
  });

  test.each(REWRITTEN)('%s matches what it matched', (given, written) => {
    const [before, after] = [RegExp(given), RegExp(written, 'u')];
    expect(TEXTS.filter((text) => after.test(text))).toEqual(TEXTS.filter((text) => before.test(text)));
  });

  test('each is matched by a text', () => {
    const unmatched = REWRITTEN.filter(([given]) => !TEXTS.some((text) => RegExp(given).test(text)));
    expect(unmatched).toEqual([]);
  });

  test('is written in time that grows with its length alone', () => {
    let written: string | undefined;
    expect(cpuMsOf(() => (written = toUnicodePattern('(?=a)*'.repeat(40_000))))).toBeLessThan(2000);
    expect(written).toBe('(?:(?=a))*'.repeat(40_000));
  });

  test('keeps what has a meaning in Unicode mode', () => {
    expect(toUnicodePattern(String.raw`^[\p{L}\_]+\u{1F600}$`)).toBe(String.raw`^[\p{L}_]+\u{1F600}$`);
  });

  test.each(['(', 'a**', '[b-a]', '(?i)a', String.raw`\p{IsLatin}\_`])('%s is none', (given) => {
    expect(toUnicodePattern(given)).toBeUndefined();
  });
});

test.each(['^[a-z]+$', String.raw`^\d{3}[\w\-]\.$`, String.raw`^\p{L}{2,}$`])(
  '%s stays as it is',
  (given) => {
    expect(toUnicodePattern(given)).toBe(given);
  },
);

describe('schemas', () => {
  const id = String.raw`^[\w-.]+\@b$`;
  const written = String.raw`^[\w\-.]+@b$`;

  test('JSON Schema: advertised and enforced is the same', () => {
    const schema = compileInput({ type: 'object', properties: { id: { type: 'string', pattern: id } } });
    expect(schema.jsonSchema).toEqual({
      type: 'object',
      properties: { id: { type: 'string', pattern: written } },
    });
    const accepts = createJudge(schema);
    for (const [value, isValid] of [
      [{ id: 'a-.@b' }, true],
      [{ id: 'a b@b' }, false],
    ] as const) {
      expect(accepts(value)).toBe(isValid);
      expect(schema.validate(value)).toMatchObject({ ok: isValid });
    }
  });

  test('JSON Schema: keys of patternProperties, of which two may become one', () => {
    const patternProperties = { '^\\_': { type: 'number' }, '^_': { minimum: 2 } };
    const schema = { type: 'object', patternProperties, additionalProperties: false };
    expect(compileInput(schema).jsonSchema).toEqual({
      type: 'object',
      patternProperties: { '^_': { allOf: [{ type: 'number' }, { minimum: 2 }] } },
      additionalProperties: false,
    });
    expect(run(schema, { _a: 2 }).ok).toBe(true);
    expect(run(schema, { _a: 1 }).ok).toBe(false);
  });

  test('JSON Schema: data that looks like a pattern does not change', () => {
    const schema = { type: 'object', properties: { a: { pattern: '\\_', default: { pattern: '\\_' } } } };
    expect(compileInput(schema).jsonSchema).toEqual({
      type: 'object',
      properties: { a: { pattern: '_', default: { pattern: '\\_' } } },
    });
  });

  test('JSON Schema: a reference through a key that had to be written anew is refused', () => {
    const schema = {
      type: 'object',
      patternProperties: { '\\_': { type: 'string' } },
      properties: { a: { $ref: '#/patternProperties/\\_' } },
    };
    expect(() => compileInput(schema)).toThrow(/cannot be resolved/);
  });

  test('Zod: of the kinds that are converted here, and of others', () => {
    const plain = z.object({ id: z.string().regex(RegExp(id)) });
    expect(compileInput(plain).jsonSchema).toMatchObject({ properties: { id: { pattern: written } } });
    expect(run(plain, { id: 'a-.@b' }).ok).toBe(true);
    const others = z.object({ id: z.string().regex(RegExp(id)), rest: z.tuple([z.string()]) });
    expect(compileInput(others).jsonSchema).toMatchObject({ properties: { id: { pattern: written } } });
    expect(run(others, { id: 'a b', rest: ['a'] }).ok).toBe(false);
  });

  test('Zod: a slow pattern with a bound of its own is taken as before', () => {
    const nestedLoops = RegExp(String.raw`^(a+\_*)+$`);
    const slow = z.object({
      id: z
        .string()
        .max(12)
        .regex(RegExp(String.raw`^(\_a+)+$`)),
    });
    expect(compileInput(slow).jsonSchema).toMatchObject({
      properties: { id: { pattern: '^(_a+)+$', maxLength: 12 } },
    });
    const nested = z.object({
      id: z.string().max(12).regex(nestedLoops),
    });
    expect(compileInput(nested).jsonSchema).toMatchObject({ properties: { id: { maxLength: 12 } } });
    expect(run(nested, { id: 'aa_a' }).ok).toBe(true);
    expect(() => compileInput(z.object({ id: z.string().regex(nestedLoops) }))).toThrow(/can take very long/);
  });
});
