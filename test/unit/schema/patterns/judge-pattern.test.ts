import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { compilePattern } from '../../../../src/schema/pattern.ts';
import { findVerdict, judgePattern } from '../../../../src/schema/patterns/judge/judge-pattern.ts';
import type { SlowPattern } from '../../../../src/schema/patterns/judge/judge-pattern.ts';
import { evilPatterns, innocentPatterns } from './samples.ts';

function judgeSlow(expression: RegExp): SlowPattern {
  const verdict = judgePattern(expression);
  if (verdict.kind !== 'slow') throw new Error(`${expression} is ${verdict.kind}`);
  return verdict;
}

describe('a slow pattern is found', () => {
  test('there are enough of them to judge by', () => {
    expect(evilPatterns.length).toBeGreaterThanOrEqual(60);
  });

  test.each(evilPatterns)('$pattern ($from)', ({ pattern, flags }) => {
    const { example, harmlessLength, degree } = judgeSlow(new RegExp(pattern, flags));
    expect(degree).toBeGreaterThan(1.5);
    // What is called harmless is: the engine is asked, and would not come back within the time of a test if it were not so.
    new RegExp(pattern, flags).test(example(harmlessLength));
    expect(example(50).length).toBeLessThan(200);
  });

  test.each([
    [/^(a+)+$/, Number.POSITIVE_INFINITY],
    [/\s+$/, 2],
    [/^a*a*a*b$/, 3],
    // Two slow places behind each other are slower than each of them.
    [/^a+a+b+b+$/, 3],
  ])('%s grows with the power %s', (expression, power) => {
    expect(Math.round(judgeSlow(expression).degree)).toBe(power);
  });
});

describe('an innocent pattern is left alone', () => {
  test('there are enough of them to judge by', () => {
    expect(new Set(innocentPatterns).size).toBeGreaterThanOrEqual(300);
  });

  test('of published API descriptions, and of those that people write', () => {
    const refused = innocentPatterns.filter(
      (pattern) => judgePattern(compilePattern(pattern)).kind !== 'linear',
    );
    expect(refused).toEqual([]);
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
    const refused = [...fixed, ...made].filter((expression) => judgePattern(expression).kind !== 'linear');
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
    [/^[a-z]+[A-Z]+$/i, 'slow'],
    [/^a[^]*$/, 'linear'],
    [/^.*\n.*\n$/, 'linear'],
    [/^.*\n.*\n$/s, 'slow'],
    [/^[a\n]+b/, 'linear'],
    [/^[a\n]+b/m, 'slow'],
  ])('%s is %s', (expression, kind) => {
    expect(judgePattern(expression).kind).toBe(kind);
  });
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
    expect(['slow', 'unknown', 'linear']).toContain(judgePattern(expression).kind);
  });

  test('each pattern is judged once, and not before it is asked about', () => {
    const expression = /^only(?:x+y)+here$/;
    expect(findVerdict(expression)).toBeUndefined();
    const verdict = judgePattern(expression);
    expect(judgePattern(/^only(?:x+y)+here$/g)).toBe(verdict);
    expect(findVerdict(expression)).toBe(verdict);
  });
});
