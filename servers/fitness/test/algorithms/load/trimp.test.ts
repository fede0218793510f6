import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { banisterTrimp, banisterTrimpOfSamples } from '../../../src/algorithms/load/trimp-banister.ts';
import { edwardsMinutes, edwardsTrimp } from '../../../src/algorithms/load/trimp-edwards.ts';
import { luciaMinutes, luciaTrimp } from '../../../src/algorithms/load/trimp-lucia.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const minutesAt = (minutes: number, rate: number): number[] =>
  Array.from({ length: 60 * minutes }, () => rate);

// github.com/Bencal18/Custom-AMS-Skills, skills/load-and-wellness/references/heart-rate-load.md, "Worked example" and
// "What changes the number": 20 min of intervals, 20 min at their mean, and the intervals without a dropout of one minute.
const INTERVALS = [
  ...minutesAt(3, 110),
  ...minutesAt(3, 140),
  ...[1, 2, 3].flatMap(() => [...minutesAt(2, 180), ...minutesAt(2, 150)]),
  ...minutesAt(2, 120),
];
const STEADY = minutesAt(20, 148.5);
const DROPOUT_REMOVED = INTERVALS.toSpliced(INTERVALS.indexOf(180), 60);

const rates = fc.array(fc.integer({ min: 60, max: 190 }), { minLength: 1, maxLength: 300, size: 'max' });

describe('TRIMP of Banister', () => {
  test('fellrnr.com, TRIMP: a man, 30 min at 130 bpm, 40 to 200 bpm, is 32', () => {
    const man = { sex: 'male', resting_hr: 40, max_hr: 200 } as const;
    expect(Math.round(valueOf(banisterTrimp(man, 30, 130)))).toBe(32);
  });

  test('theprimecalculator.com, training load: a man, 45 min at 145 bpm, 60 to 190 bpm, is 66', () => {
    const man = { sex: 'male', resting_hr: 60, max_hr: 190 } as const;
    expect(Math.round(valueOf(banisterTrimp(man, 45, 145)))).toBe(66);
  });

  test('fellrnr.com, TRIMP: a man at maximum heart rate has 4.37 a minute', () => {
    const man = { sex: 'male', resting_hr: 50, max_hr: 190 } as const;
    expect(valueOf(banisterTrimp(man, 1, 190))).toBeCloseTo(4.37, 2);
  });

  // By hand from Morton, Fitz-Clarke and Banister 1990: 60 · 0.5 · 0.86 · e^(1.67 · 0.5) = 25.8 · 2.30482.
  test('by hand: a woman, 60 min at half of the reserve, is 59.46', () => {
    const woman = { sex: 'female', resting_hr: 60, max_hr: 180 } as const;
    expect(valueOf(banisterTrimp(woman, 60, 120))).toBeCloseTo(59.46, 2);
  });

  test('steady samples have the TRIMP of their average, and varied ones more', () => {
    const man = { sex: 'male', resting_hr: 50, max_hr: 190 } as const;
    fc.assert(
      fc.property(rates, (samples) => {
        const average = samples.reduce((a, b) => a + b, 0) / samples.length;
        const bySamples = valueOf(banisterTrimpOfSamples(man, samples));
        const byAverage = valueOf(banisterTrimp(man, samples.length / 60, average));
        expect(bySamples).toBeGreaterThanOrEqual(byAverage - 1e-9);
        const steady = samples.map(() => 140);
        expect(valueOf(banisterTrimpOfSamples(man, steady))).toBeCloseTo(
          valueOf(banisterTrimp(man, steady.length / 60, 140)),
          9,
        );
      }),
    );
  });

  test('samples above the maximum count as the maximum', () => {
    const man = { sex: 'male', resting_hr: 50, max_hr: 180 } as const;
    expect(valueOf(banisterTrimpOfSamples(man, [200, 40]))).toBeCloseTo(
      valueOf(banisterTrimpOfSamples(man, [180, 50])),
      12,
    );
  });

  test.each([
    [
      { sex: 'male', resting_hr: 40, max_hr: 180 } as const,
      190,
      'Average heart rate is 190 bpm: expected 40 to 180 bpm.',
    ],
    [
      { sex: 'male', resting_hr: 40, max_hr: 250 } as const,
      150,
      'Maximum heart rate is 250 bpm: expected 100 to 220 bpm.',
    ],
  ])('%j at %d bpm is refused', (athlete, rate, reason) => {
    expect(reasonOf(banisterTrimp(athlete, 30, rate))).toBe(reason);
  });
});

describe('TRIMP of Edwards', () => {
  test('oxfordreference.com, "TRIMP method": 30 min at 150 bpm of at most 200 bpm is 90', () => {
    expect(valueOf(edwardsTrimp(valueOf(edwardsMinutes(minutesAt(30, 150), 200))))).toBe(90);
  });

  test.each([
    ['intervals, at most 205 bpm', INTERVALS, 205, 53],
    ['intervals, at most 194 bpm', INTERVALS, 194, 64],
    ['intervals, at most 200 bpm, with rates at the borders', INTERVALS, 200, 64],
    ['steady, at most 205 bpm', STEADY, 205, 60],
    ['dropout removed, at most 205 bpm', DROPOUT_REMOVED, 205, 49],
  ])('Custom-AMS-Skills, heart-rate-load.md: %s', (_, samples, max_hr, score) => {
    expect(valueOf(edwardsTrimp(valueOf(edwardsMinutes(samples, max_hr))))).toBeCloseTo(score, 9);
  });

  // Both pages have the five zones of 10 % of the maximum and the weights 1 to 5, without the name of Edwards.
  test.each([
    ['ismarttrain.com, TRIMPS: 15 min in zone 1, then 15 min in zone 3', [15, 0, 15, 0, 0], 60],
    ['academy.sportlyzer.com, training zone based method: Monday', [60, 40, 0, 0, 0], 140],
    ['academy.sportlyzer.com: first training of Tuesday', [40, 0, 0, 0, 20], 140],
    ['academy.sportlyzer.com: Thursday', [0, 0, 45, 0, 0], 135],
  ] as const)('%s', (_, minutes, score) => {
    expect(valueOf(edwardsTrimp(minutes))).toBe(score);
  });

  // atp-zone.com prints the zones and TZ1 · 1 + … + TZ5 · 5, without an example; sums by hand.
  test.each([
    ['10 + 20 + 30 + 40 + 50', [10, 10, 10, 10, 10], 150],
    ['15 + 30 · 2 + 10 · 3', [15, 30, 10, 0, 0], 105],
    ['5 + 10 · 2 + 20 · 3 + 15 · 4 + 5 · 5', [5, 10, 20, 15, 5], 170],
  ] as const)('by hand from Edwards 1993: %s', (_, minutes, score) => {
    expect(valueOf(edwardsTrimp(minutes))).toBe(score);
  });

  test('borders are at 50, 60, 70, 80 and 90 % of the maximum, and belong to the upper zone', () => {
    const borders = [94, 95, 113, 114, 132, 133, 151, 152, 170, 171, 190, 200];
    const minutes = valueOf(edwardsMinutes(borders, 190));
    expect(minutes.map((value) => Math.round(value * 60))).toEqual([2, 2, 2, 2, 3]);
  });

  test('the border of a zone is exact for every maximum', () => {
    for (let max = 100; max <= 220; max += 10) {
      for (const [index, tenths] of [5, 6, 7, 8, 9].entries()) {
        const minutes = valueOf(edwardsMinutes([(tenths * max) / 10], max));
        expect(minutes[index as 0]).toBe(1 / 60);
      }
    }
  });

  test('every sample from half of the maximum is in one zone, and a higher rate never lowers the score', () => {
    fc.assert(
      fc.property(rates, (samples) => {
        const high = samples.map((rate) => Math.min(190, rate + 35));
        const minutes = valueOf(edwardsMinutes(high, 190));
        expect(minutes.reduce((a, b) => a + b, 0) * 60).toBeCloseTo(high.length, 6);
        const score = (values: readonly number[]): number =>
          valueOf(edwardsTrimp(valueOf(edwardsMinutes(values, 190))));
        expect(score(high)).toBeGreaterThanOrEqual(score(samples) - 1e-9);
      }),
    );
  });

  test('negative time is refused', () => {
    expect(reasonOf(edwardsTrimp([1, -1, 0, 0, 0]))).toBe(
      'Time in zone 2 is -1 min: expected 0 to 2880 min.',
    );
  });
});

describe('TRIMP of Lucía', () => {
  test.each([
    ['intervals', INTERVALS, 32],
    ['steady', STEADY, 20],
    ['dropout removed', DROPOUT_REMOVED, 29],
  ])('Custom-AMS-Skills, heart-rate-load.md, thresholds of 160 and 178 bpm: %s', (_, samples, score) => {
    const minutes = valueOf(luciaMinutes(samples, { vt1_hr: 160, vt2_hr: 178 }));
    expect(valueOf(luciaTrimp(minutes))).toBeCloseTo(score, 9);
  });

  // Lucía and others 2003 (Med Sci Sports Exerc 35:872) multiply the minutes in phases I, II and III by 1, 2 and 3;
  // the public abstracts have no scores, so the sums are by hand.
  test.each([
    ['60 + 20 · 2 + 10 · 3', [60, 20, 10], 130],
    ['30 min in phase III', [0, 0, 30], 90],
    ['120 + 45 · 2 + 5 · 3', [120, 45, 5], 225],
  ] as const)('by hand from Lucía 2003: %s', (_, minutes, score) => {
    expect(valueOf(luciaTrimp(minutes))).toBe(score);
  });

  test('a rate at a threshold belongs to the upper phase', () => {
    const minutes = valueOf(luciaMinutes([139, 140, 164, 165, 190], { vt1_hr: 140, vt2_hr: 165 }));
    expect(minutes.map((value) => Math.round(value * 60))).toEqual([1, 2, 2]);
  });

  test('the score is between one and three times the minutes', () => {
    fc.assert(
      fc.property(rates, (samples) => {
        const minutes = valueOf(luciaMinutes(samples, { vt1_hr: 140, vt2_hr: 165 }));
        const score = valueOf(luciaTrimp(minutes));
        expect(score).toBeGreaterThanOrEqual(samples.length / 60 - 1e-9);
        expect(score).toBeLessThanOrEqual(samples.length / 20 + 1e-9);
      }),
    );
  });

  test('thresholds in the wrong order are refused', () => {
    expect(reasonOf(luciaMinutes([150], { vt1_hr: 170, vt2_hr: 160 }))).toBe(
      'The first threshold (170 bpm) must be below the second (160 bpm).',
    );
  });
});
