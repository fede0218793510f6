import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { compilePattern } from '../../../../src/schema/expressions/pattern.ts';
import { findVerdict, judgePattern } from '../../../../src/pattern-judge/judge-pattern.ts';
import type { BoundedPattern, ExponentialPattern } from '../../../../src/pattern-judge/judge-pattern.ts';
import { evilPatterns, innocentPatterns } from './samples.ts';

function judgeSlow(expression: RegExp): BoundedPattern | ExponentialPattern {
  const verdict = judgePattern(expression);
  if (!('maxLength' in verdict)) throw new Error(`${expression} is ${verdict.kind}`);
  return verdict;
}

describe('a slow pattern is found', () => {
  test('there are enough of them to judge by', () => {
    expect(evilPatterns.length).toBeGreaterThanOrEqual(60);
  });

  test.each(evilPatterns)('$pattern ($from)', ({ pattern, flags }) => {
    const verdict = judgeSlow(new RegExp(pattern, flags));
    const { example = () => '', maxLength } = verdict;
    expect(verdict.kind === 'bounded' ? verdict.degree : 2).toBeGreaterThan(1.5);
    // The judge's example is run in the engine: if it were slow, the test would time out.
    new RegExp(pattern, flags).test(example(maxLength));
    expect(example(50).length).toBeGreaterThan(1);
    expect(example(50).length).toBeLessThan(200);
  });

  test.each([
    [/\s+$/, 2],
    [/^a*a*a*b$/, 3],
    // Two slow parts in sequence are slower than each of them.
    [/^a+a+b+b+$/, 3],
  ])('%s grows with the power %s', (expression, power) => {
    const verdict = judgeSlow(expression);
    expect(verdict.kind === 'bounded' && Math.round(verdict.degree ?? 0)).toBe(power);
  });

  test('exponential time is distinguished', () => {
    const kinds = evilPatterns.map(({ pattern, flags }) => judgePattern(new RegExp(pattern, flags)).kind);
    expect(kinds.filter((kind) => kind === 'exponential').length).toBe(40);
    expect(judgePattern(/^(a+)+$/).kind).toBe('exponential');
  });
});

describe('patterns that are not proven to be linear have a bound', () => {
  test.each([
    // No loop suggests a slow string.
    [/(?:[A-Z]|\s{2,}\\n)+/, ' ', 499],
    [/(?:\d|\W{2,}\\.){1,20}/, ' ', 449],
    [/^(?:\\.|[^\\"])*"$/m, '\n', 405],
    // The same with other flags, and with other syntax.
    [/(?:[A-Z]|\s{2,}\\n)+/iu, ' ', 499],
    [/(?:[a-z]|\s{2,}?(?=\S)x)+/s, ' ', 446],
    [/(?<=b+)c/y, 'b', 144],
    [/^(?:(\w)\1|-)+$/, 'a', 144],
  ])('%s', (expression, letter, maxLength) => {
    expect(judgePattern(expression)).toMatchObject({ kind: 'bounded', maxLength });
    expression.test(letter.repeat(maxLength));
  });

  test('a proof that takes many steps for every character is one too', () => {
    // 'linear' would be correct, but 50,000 characters would take seconds.
    expect(judgePattern(/^a*a{5000}$/)).toMatchObject({ kind: 'bounded' });
    expect(judgePattern(/a{0,13}a{0,13}a{900}b/)).toMatchObject({ kind: 'bounded' });
  });
});

describe('of the patterns that people write', () => {
  test.each([
    [/^\d*\.?\d*$/, 568],
    [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 589],
    [/^\s+|\s+$/, 579],
    [/.*foo.*/, 407],
    [/<[^>]+>/, 502],
  ])('%s is taken with a bound of %i characters', (expression, maxLength) => {
    expect(judgePattern(expression)).toMatchObject({ kind: 'bounded', maxLength });
  });

  test.each([
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/,
    /^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$/,
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    /^\+?[1-9]\d{1,14}$/,
    /^\(?\d{3}\)?[-. ]?\d{3}[-. ]?\d{4}$/,
    /^\s*\S+\s*$/,
    /^[\s\S]*\S[\s\S]*$/,
    /^https?:\/\/[^\s/$.?#].[^\s]*$/,
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    /^(?=.*[A-Z])(?=.*\d).+$/,
    /\b\d+\b/,
    /^.{1,10000}$/,
    /(?<![\w-])eyJ[\w-]{5,}/,
  ])('%s takes texts of any length', (expression) => {
    expect(judgePattern(expression).kind).toBe('linear');
  });
});

/** Linear patterns with many steps per character are bounded, at 100,000 characters or more. */
function isProven(expression: RegExp): boolean {
  const verdict = judgePattern(expression);
  return verdict.kind === 'linear' || ('each' in verdict && verdict.maxLength > 100_000);
}

describe('a harmless pattern is accepted', () => {
  test('there are enough of them to judge by', () => {
    expect(new Set(innocentPatterns).size).toBeGreaterThanOrEqual(300);
  });

  test('of published API descriptions, and of those that people write', () => {
    // The property is of another language: outside of Unicode mode it means seven characters.
    const foreign = String.raw`^[\p{Print}]*$`;
    const compile = (pattern: string): RegExp =>
      pattern === foreign ? new RegExp(pattern) : compilePattern(pattern);
    const refused = innocentPatterns.filter((pattern) => !isProven(compile(pattern)));
    // It is linear, but not proven.
    expect(refused).toEqual(['(?!^[0-9]+$)([a-zA-Z0-9-_]+)']);
  });

  test('of every format of Zod', () => {
    const fixed = Object.values(z.regexes).filter((value) => value instanceof RegExp);
    const made = [
      z.regexes.datetime({ precision: 3, offset: true, local: true }),
      z.regexes.time({}),
      z.regexes.emoji(),
      z.regexes.uuid(4),
      z.regexes.string(),
    ];
    expect(fixed.length).toBeGreaterThan(50);
    const refused = [...fixed, ...made].filter((expression) => !isProven(expression));
    expect(refused).toEqual([]);
  });

  test.each([
    ['nothing can fail after it', /^(a+)+/],
    ['what follows takes whatever is left', /^[a-z]+[\s\S]*$/],
    ['the loops share no character', /^[a-z]+[0-9]+$/],
    ['what stands between them tells them apart', /^\w+(?:-\w+)*$/],
    ['a count ends it', /^[a-z]{1,200}[a-z]{1,200}$/],
    ['the parts have no end but are anchored', /^(?=.*\d)(?=.*[a-z])(?!.*\s).{8,}$/],
    ['alternatives of one character are one set', /^(?:[a-z]|\d|_)+$/],
  ])('because %s', (_why, expression) => {
    expect(judgePattern(expression).kind).toBe('linear');
  });
});

describe('flags count', () => {
  test.each([
    [/^[a-z]+[A-Z]+$/, 'linear'],
    [/^[a-z]+[A-Z]+$/i, 'bounded'],
    [/^a[^]*$/, 'linear'],
    [/^.*\n.*\n$/, 'linear'],
    [/^.*\n.*\n$/s, 'bounded'],
    [/^[a\n]+b/, 'linear'],
    [/^[a\n]+b/m, 'bounded'],
  ])('%s is %s', (expression, kind) => {
    expect(judgePattern(expression).kind).toBe(kind);
  });
});

test.each([
  [/.{30}(?:a+)+z/, 47],
  [/.{100}(?:a+)+z/, 117],
  [/^.{200}(?:a+)+$/, 218],
  [/^a{300}(?:a|a)*$/, 317],
])('a counted part does not hide that %s is exponential', (expression, maxLength) => {
  expect(judgePattern(expression)).toMatchObject({ kind: 'exponential', maxLength });
});

test.each([
  [new RegExp(String.raw`^(?:\u{1}|u)*$`), 'exponential'],
  [new RegExp(String.raw`^(?:\u{1}|u)*$`, 'u'), 'linear'],
  [/^(?:😀|[\ude00\ud83d])*$/, 'exponential'],
  [new RegExp(String.raw`^(?:\p{L}|p[{]L[}])*$`), 'exponential'],
  [/\s*😀?$/, 'bounded'],
])('what means something else in Unicode mode is judged as it is run: %s is %s', (expression, kind) => {
  expect(judgePattern(expression).kind).toBe(kind);
});

test('rounds that read nothing take no memory', () => {
  expect(judgePattern(/^([0-9a-f]{128})+$/).kind).toBe('linear');
  expect(judgePattern(/^([A-Za-z0-9+/]{76}\n?)*$/).kind).toBe('linear');
});

describe('judging takes a bounded time', () => {
  const words = Array.from({ length: 3000 }, (_, index) => `word${index * 7919}`).join('|');

  test.each([
    ['long', new RegExp(`^(?:${words})*$`)],
    ['deeply nested', new RegExp(`${'(?:'.repeat(500)}a${')*'.repeat(500)}$`)],
    ['full of large counts', /^(?:(?:[a-z]{1,500}){1,500}-?){1,500}$/],
    ['full of alternatives that may be empty', new RegExp(`^(?:${'(?:a?|b?|c?)'.repeat(40)})*$`)],
    ['full of loops', new RegExp(`^${'[a-z]*\\d*'.repeat(60)}$`)],
  ])('of a pattern that is %s', (_what, expression) => {
    expect(['exponential', 'bounded', 'unknown', 'linear']).toContain(judgePattern(expression).kind);
  });

  test('each pattern is judged once, and not before it is asked about', () => {
    const expression = /^only(?:x+y)+here$/;
    expect(findVerdict(expression)).toBeUndefined();
    const verdict = judgePattern(expression);
    expect(judgePattern(/^only(?:x+y)+here$/g)).toBe(verdict);
    expect(findVerdict(expression)).toBe(verdict);
  });
});

test.each([
  ['(?<=c(?:a+)+)b', 'it has nested repetitions in a lookbehind'],
  [String.raw`(?<=c(?:\w+\s?)*)b`, 'it has nested repetitions in a lookbehind'],
  ['(?<!(?:a|ab)*)c', 'it has nested repetitions in a lookbehind'],
  [
    String.raw`(?:(?:(?:\b|){1000}){1000}){1000}a`,
    'its nested quantifiers have more than 1000000 repetitions',
  ],
])('%s cannot be judged', (source, reason) => {
  expect(judgePattern(new RegExp(source))).toEqual({ kind: 'unknown', reason });
});
