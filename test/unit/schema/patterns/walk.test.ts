import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgePattern } from '../../../../src/pattern-judge/judge-pattern.ts';
import { findLetters, LINE_END, WORD } from '../../../../src/pattern-judge/syntax/letters.ts';
import { outline } from '../../../../src/pattern-judge/syntax/outline.ts';
import { parsePattern } from '../../../../src/pattern-judge/syntax/parse-pattern.ts';
import { writeProgram } from '../../../../src/pattern-judge/run/program.ts';
import { startsAtEdge, toSearch } from '../../../../src/pattern-judge/run/search.ts';
import { simplify } from '../../../../src/pattern-judge/syntax/simplify.ts';
import { Walk } from '../../../../src/pattern-judge/walk/walk.ts';

const raw = String.raw;
const SETS = [
  'a',
  'b',
  '0',
  '-',
  '.',
  raw`\d`,
  raw`\w`,
  raw`\s`,
  raw`\W`,
  raw`\S`,
  '[^a]',
  raw`\\`,
  raw`[^"\\]`,
  raw`[\s\S]`,
];
const QUANTIFIERS = ['', '', '*', '+', '?', '*?', '+?', '{2}', '{2,}', '{1,3}', '{0,20}', '{1,100}'];
const EDGES = ['^', '$', raw`\b`, raw`\B`, raw`(a+)\1`];
const LOOKS = ['?=', '?!', '?<=', '?<!'];

/** Patterns with all syntax. */
const { pattern: patterns } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...SETS), fc.constantFrom(...QUANTIFIERS))
        .map((all) => all.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(tie('pattern'), fc.constantFrom(...QUANTIFIERS))
        .map(([body, sign]) => `(?:${body})${sign}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...LOOKS), tie('pattern'))
        .map(([look, body]) => `(${look}${body})`),
    },
  ),
  pattern: fc
    .array(
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((all) => all.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((all) => all.join('|')),
}));
const wholes = fc.tuple(patterns, fc.constantFrom('', '^', '^$')).map(([body, edges]) => {
  if (edges === '') return body;
  return `^(?:${body})${edges === '^' ? '' : '$'}`;
});
const FLAGS = fc.constantFrom('', 'u', 'i', 'm', 's', 'im');
/** Letters by number: a prefix, the repeated part of a loop, and an end. */
const attacks = fc.tuple(
  fc.array(fc.nat(20), { maxLength: 2 }),
  fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
  fc.array(fc.nat(20), { maxLength: 2 }),
);

interface Read {
  readonly search: ReturnType<typeof toSearch>;
  readonly walk: (maxCount: number) => Walk;
  readonly size: number;
}

function read(source: string, flags: string): Read | undefined {
  try {
    RegExp(source, flags);
  } catch {
    return undefined;
  }
  const tree = parsePattern(source, flags);
  const letters = findLetters(outline(tree, flags).sets, flags);
  const simple = simplify(tree, letters);
  const alphabet = {
    size: letters.samples.length,
    words: letters.of(WORD),
    lineEnds: flags.includes('m') ? letters.of(LINE_END) : [],
    isAnchored: !flags.includes('m') && startsAtEdge(tree),
  };
  return {
    search: toSearch(simple, letters, flags),
    walk: (maxCount) =>
      new Walk(writeProgram(simple, letters), alphabet, { work: 50_000, maxCount, isExact: true }),
    size: letters.samples.length,
  };
}

/** The maximum number of steps for a string by the walk; undefined if it cannot tell. */
function countSteps(walk: Walk, text: readonly number[]): number | undefined {
  try {
    let { start: front } = walk;
    let sum = 0;
    for (const letter of text) {
      const move = walk.follow(front, letter);
      ({ front } = move);
      sum += move.steps;
    }
    return sum;
  } catch {
    return undefined;
  }
}

test('no search takes more steps than the walk through all its ways says, whatever the pattern and the text', () => {
  let compared = 0;
  let exact = 0;
  fc.assert(
    fc.property(wholes, FLAGS, fc.array(attacks, { minLength: 8, maxLength: 8 }), (source, flags, texts) => {
      const pattern = read(source, flags);
      if (pattern === undefined) return;
      const { search, walk, size } = pattern;
      for (const maxCount of [4, Number.POSITIVE_INFINITY]) {
        const walked = walk(maxCount);
        for (const [before, round, end] of texts) {
          const repeated = Array.from({ length: 6 }, () => round).flat();
          const text = [...before, ...repeated, ...end].map((letter) => letter % size);
          const most = countSteps(walked, [...text, size]);
          if (most === undefined) continue;
          const steps = search.everywhere(text, 1_000_000);
          compared += 1;
          if (steps === most) exact += 1;
          // One step at the end of each attempt.
          expect([source, flags, steps <= most + text.length + 2]).toEqual([source, flags, true]);
        }
      }
    }),
    { numRuns: 120, seed: 7 },
  );
  expect(compared).toBeGreaterThan(800);
  expect(exact).toBeGreaterThan(30);
});

/** The promise of the judge: the steps of a linear pattern, and twice the harmless steps at a bound. */
function allowedSteps(verdict: ReturnType<typeof judgePattern>, length: number): number {
  return verdict.kind === 'linear' || (verdict.kind === 'bounded' && verdict.each !== undefined)
    ? verdict.steps(length)
    : 1_000_000;
}

test('linear patterns are linear, and bounded ones are harmless at their bound', () => {
  let tried = 0;
  fc.assert(
    fc.property(wholes, FLAGS, fc.array(attacks, { minLength: 6, maxLength: 6 }), (source, flags, texts) => {
      const pattern = read(source, flags);
      if (pattern === undefined) return;
      const verdict = judgePattern(new RegExp(source, flags));
      if (verdict.kind !== 'linear' && verdict.kind !== 'bounded') return;
      const length = Math.min(1500, verdict.kind === 'linear' ? 1500 : verdict.maxLength);
      const allowed = allowedSteps(verdict, length);
      for (const [before, round, end] of texts) {
        const rounds = Math.max(0, Math.floor((length - before.length - end.length) / round.length));
        const repeated = Array.from({ length: rounds }, () => round).flat();
        const text = [...before, ...repeated, ...end].map((letter) => letter % pattern.size).slice(0, length);
        const steps = pattern.search.everywhere(text, allowed);
        tried += 1;
        expect([source, flags, verdict.kind, steps <= allowed]).toEqual([source, flags, verdict.kind, true]);
      }
    }),
    { numRuns: 40, seed: 11 },
  );
  expect(tried).toBeGreaterThan(80);
});
