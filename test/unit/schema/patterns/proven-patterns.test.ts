import { expect, it } from 'vitest';
import { regexes } from 'zod/v4/core';
import { judgePattern } from '../../../../src/pattern-judge/judge-pattern.ts';
import { PROVEN_PATTERNS } from '../../../../src/pattern-judge/proven-patterns.ts';

it('the table of proven patterns equals the proofs of the judge', () => {
  expect(PROVEN_PATTERNS.size).toBe(5);
  for (const [source, cost] of PROVEN_PATTERNS)
    // In a group it has another source, but is the same pattern.
    expect(judgePattern(new RegExp(`(?:${source})`, 'u'))).toMatchObject({ kind: 'linear', cost });
});

it('the patterns that are written down are those of Zod', () => {
  const options = [{}, { offset: true }, { local: true }, { offset: true, local: true }];
  const sources = [...options.map((each) => regexes.datetime(each).source), regexes.email.source];
  expect([...PROVEN_PATTERNS.keys()]).toEqual(sources);
});
