import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeWithin, findOutOfBounds } from '../../src/algorithms/bounds.ts';
import { PHYSIOLOGICAL_LIMITS, findHeartRateProblem } from '../../src/algorithms/physiological-limits.ts';

const age = { name: 'Age', min: 19, max: 78, unit: 'years' };

describe('bounds of an input', () => {
  test('a value out of its bounds is named, with the values that are expected', () => {
    expect(computeWithin([{ ...age, value: 12 }], () => 1)).toEqual({
      ok: false,
      reason: 'Age is 12 years: expected 19 to 78 years.',
    });
  });

  test('both ends are within the bounds', () => {
    expect(computeWithin([{ ...age, value: 19 }], () => 1)).toEqual({ ok: true, value: 1 });
    expect(computeWithin([{ ...age, value: 78 }], () => 1)).toEqual({ ok: true, value: 1 });
  });

  test.each([NaN, Infinity, -Infinity])('%d is out of all bounds', (value) => {
    expect(findOutOfBounds([{ name: 'Share', value, min: 0, max: 1, unit: '' }])).toBe(
      `Share is ${value}: expected 0 to 1.`,
    );
  });
});

describe('heart rates of an athlete', () => {
  test.each([
    [{ resting_hr: 50, lthr: 165, max_hr: 188 }, undefined],
    [{}, undefined],
    [{ max_hr: 230 }, 'Maximum heart rate is 230 bpm: expected 100 to 220 bpm.'],
    [{ resting_hr: 20 }, 'Resting heart rate is 20 bpm: expected 30 to 100 bpm.'],
    [
      { lthr: 190, max_hr: 180 },
      'Lactate threshold heart rate (190 bpm) must be below maximum heart rate (180 bpm).',
    ],
    [
      { resting_hr: 100, max_hr: 100 },
      'Resting heart rate (100 bpm) must be below maximum heart rate (100 bpm).',
    ],
  ])('%j: %s', (anchors, problem) => {
    expect(findHeartRateProblem(anchors)).toBe(problem);
  });

  test('the limits are those of the catalog', () => {
    const { max_hr, resting_hr, lthr, vo2_max, ftp } = PHYSIOLOGICAL_LIMITS;
    expect([max_hr, resting_hr, lthr, vo2_max, ftp].map(({ min, max }) => [min, max])).toEqual([
      [100, 220],
      [30, 100],
      [100, 200],
      [20, 90],
      [50, 600],
    ]);
  });

  test('increasing rates within their limits have no problem', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 99 }), fc.integer({ min: 1, max: 100 }), (rest, above) => {
        expect(
          findHeartRateProblem({ resting_hr: rest, max_hr: Math.max(100, rest + above) }),
        ).toBeUndefined();
      }),
    );
  });
});
