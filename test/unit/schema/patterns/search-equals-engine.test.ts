import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLetters } from '../../../../src/pattern-judge/syntax/letters.ts';
import { outline } from '../../../../src/pattern-judge/syntax/outline.ts';
import { parsePattern } from '../../../../src/pattern-judge/syntax/parse-pattern.ts';
import { writeProgram } from '../../../../src/pattern-judge/run/program.ts';
import { Run } from '../../../../src/pattern-judge/run/run.ts';
import { LINE_END, WORD } from '../../../../src/pattern-judge/syntax/letters.ts';
import { judgePattern } from '../../../../src/pattern-judge/judge-pattern.ts';
import { simplify } from '../../../../src/pattern-judge/syntax/simplify.ts';

const QUANTIFIERS = fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,2}', '{0,2}?', '{2,}');
const LOOKS = fc.constantFrom('?=', '?!', '?<=', '?<!');

/** Patterns with all syntax that the parser supports. */
const { pattern: patterns } = fc.letrec<{ pattern: string; term: string; quantified: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '-', '.', String.raw`\d`, String.raw`\w`, '[ab]', '[^a]', String.raw`\s`, 'é'),
    tie('pattern').map((body) => `(${body})`),
    tie('pattern').map((body) => `(?:${body})`),
  ),
  quantified: fc.oneof(
    { weight: 6, arbitrary: fc.tuple(tie('term'), QUANTIFIERS).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', String.raw`\b`, String.raw`\B`, String.raw`(a)\1`) },
    { weight: 1, arbitrary: fc.tuple(LOOKS, tie('pattern')).map(([look, body]) => `(${look}${body})`) },
  ),
  pattern: fc
    .array(
      fc.array(tie('quantified'), { maxLength: 3 }).map((parts) => parts.join('')),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    .map((parts) => parts.join('|')),
}));

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Whether our own search finds a match; undefined after too many steps. */
function search(source: string, flags: string, text: string): boolean | undefined {
  const whole = parsePattern(source, flags);
  const sets = new Set([...outline(whole, flags).sets, WORD, LINE_END]);
  const letters = findLetters(sets, flags);
  const tests = Array.from(sets, (set) => new RegExp(`^(?:${set})$`, flags));
  const letterOf = (character: string): number =>
    letters.samples.findIndex((sample) => tests.every((each) => each.test(sample) === each.test(character)));
  const run = new Run(writeProgram(simplify(whole, letters), letters), {
    text: Uint16Array.from(Array.from(text, letterOf)),
    allowed: 100_000,
    words: letters.of(WORD),
    lineEnds: [],
  });
  for (let start = 0; start <= text.length; start += 1) {
    if (run.match(0, start)) return true;
    if (run.isOver) return undefined;
  }
  return false;
}

test('the search that counts steps finds what the engine finds', () => {
  let compared = 0;
  fc.assert(
    fc.property(patterns, fc.stringMatching(/^[ab\-0 ]{0,6}$/), (source, text) => {
      const expression = compile(source, 'u');
      // Backreferences to repeated groups are evaluated differently here.
      if (expression === undefined || source.includes(String.raw`\1`)) return;
      const found = search(source, 'u', text);
      if (found === undefined) return;
      compared += 1;
      expect([source, text, found]).toEqual([source, text, expression.test(text)]);
    }),
    { numRuns: 600 },
  );
  expect(compared).toBeGreaterThan(300);
});

test('whatever the engine accepts is judged without a failure', () => {
  let judged = 0;
  fc.assert(
    fc.property(patterns, fc.constantFrom('', 'u', 'i', 'm', 's'), (source, flags) => {
      const expression = compile(source, flags);
      if (expression === undefined) return;
      judged += 1;
      expect(['linear', 'bounded', 'exponential', 'unknown']).toContain(judgePattern(expression).kind);
    }),
    { numRuns: 30 },
  );
  expect(judged).toBeGreaterThan(20);
});
