import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRequest } from '../../../../src/openapi/request/compile-request.ts';
import type { RequestPlan } from '../../../../src/openapi/request/request-plan.ts';
import { ValidationError } from '../../../../src/errors/errors.ts';
import { parameter, planOf } from './recorder.ts';

const build = async (plan: RequestPlan, input: Record<string, unknown>): Promise<URL> =>
  (await compileRequest(plan, 'https://api.example.com/v1')(input)).url;

const HOSTILE = [
  '.',
  '..',
  ' .. ',
  '%2e',
  '%2E%2e',
  '..%2f',
  '..;',
  '.;x',
  '..%3B',
  '../admin',
  'a/../b',
  'a/..',
  'a%2Fb',
  'a\\b',
  'a%5Cb',
  '/',
  'a\nb',
  'a%0d%0ab',
  '\0',
  '\u2025',
  '\uFF0E\uFF0E',
  '\uD800',
];

test.each(HOSTILE)('%j is rejected anywhere in a value', async (text) => {
  for (const style of ['simple', 'label', 'matrix'] as const) {
    for (const explode of [false, true]) {
      for (const allowReserved of [false, true]) {
        const plan = planOf('/users/{id}/x', [parameter('path', 'id', { style, explode, allowReserved })]);
        const values = [text, [text], ['a', text], { a: text }, { [text]: 'a' }];
        for (const id of values) {
          const refusal = build(plan, { id });
          await expect(refusal).rejects.toThrow('The value of "id" cannot be part of the path');
          await expect(refusal).rejects.toBeInstanceOf(ValidationError);
        }
      }
    }
  }
});

test('values that are harmless alone make no dots together with the text around them', async () => {
  // `e` alone is a letter.
  expect((await build(planOf('/a/%2{x}/b', [parameter('path', 'x')]), { x: 'e' })).pathname).toBe(
    '/v1/a/%252e/b',
  );
  const two = planOf('/a/{x}{y}/b', [
    parameter('path', 'x', { allowReserved: true }),
    parameter('path', 'y', { allowReserved: true }),
  ]);
  expect((await build(two, { x: '%2', y: 'e' })).pathname).toBe('/v1/a/%252e/b');
});

test.each([';', ';x', '%3B', '.;'])('%j makes no dots behind the dot of a label', async (x) => {
  for (const allowReserved of [false, true]) {
    const plan = planOf('/a/{x}/b', [parameter('path', 'x', { style: 'label', allowReserved })]);
    const made = await build(plan, { x }).then(
      ({ pathname }) => pathname,
      () => 'refused',
    );
    // Where `%` is encoded again, it is an ordinary character.
    expect(made).toBe(x === '%3B' && !allowReserved ? '/v1/a/.%253B/b' : 'refused');
  }
});

test('dots that are a part of a name are a part of a name', async () => {
  const plan = planOf('/{a}.{b}/x', [parameter('path', 'a', { style: 'label' }), parameter('path', 'b')]);
  expect((await build(plan, { a: '5', b: '..x' })).href).toBe('https://api.example.com/v1/.5...x/x');
});

const text = fc.string({
  unit: fc.constantFrom(
    '.',
    '.',
    '/',
    '\\',
    '%',
    '2',
    'e',
    'E',
    'f',
    '5',
    'c',
    '?',
    '#',
    ';',
    ',',
    '=',
    '&',
    '\r',
    '\n',
    '\t',
    ' ',
    'a',
    '\uFF0E',
    '\u2024',
    ':',
    '@',
    '+',
    '[',
    ']',
    '{',
    '}',
    '|',
    '^',
    "'",
    '"',
    '\uD83D',
    '\uDE00',
    '\u00E4',
    '\0',
  ),
  maxLength: 8,
});
const value = fc.oneof(
  text,
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
  fc.integer(),
  fc.boolean(),
);
const style = fc.record({
  style: fc.constantFrom('simple', 'label', 'matrix', 'form', 'deepObject'),
  explode: fc.boolean(),
  allowReserved: fc.boolean(),
});

test('whatever the values are, the request stays in its template or is not made', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(value, value, style, async (first, second, how) => {
      const plan = planOf('/users/{first}/notes/n-{second}/end', [
        parameter('path', 'first', how),
        parameter('path', 'second', how),
      ]);
      let url: URL;
      try {
        url = await build(plan, { first, second });
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
        return;
      }
      made += 1;
      // As a server reads it: the text after the host.
      expect(url.href.startsWith('https://api.example.com/v1/users/')).toBe(true);
      const path = url.href.slice('https://api.example.com'.length);
      expect(path).toMatch(/^\/v1\/users\/[\w\-.~:@!$&'()*+,;=%]+\/notes\/n-[\w\-.~:@!$&'()*+,;=%]+\/end$/);
      for (const segment of path.split('/').slice(1)) {
        expect(segment).not.toMatch(/^(?:\.|%2e){0,2}$/i);
        expect(decodeURIComponent(segment)).not.toMatch(/\\|^\/*$|(?:^|\/)\.{1,2}(?:\/|$)/);
      }
    }),
    { numRuns: 3000 },
  );
  expect(made).toBeGreaterThan(200);
});

test('path values arrive unchanged', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }), async (id) => {
      let url: URL;
      try {
        url = await build(planOf('/a/{id}/b', [parameter('path', 'id')]), { id });
      } catch {
        return;
      }
      made += 1;
      expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(id);
    }),
    { numRuns: 1000 },
  );
  expect(made).toBeGreaterThan(700);
});
