import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  adjustForSleep,
  balancePart,
  fitnessScore,
  loadPart,
  volumePart,
} from '../../../src/algorithms/load/fitness-score.ts';
import { trainingMonotony } from '../../../src/algorithms/load/monotony.ts';
import { workloadRatio } from '../../../src/algorithms/load/workload-ratio.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const week = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 7, maxLength: 7 });
const weeks = (...loads: number[]): number[] =>
  loads.flatMap((load) => Array.from({ length: 7 }, () => load / 7));

describe('training monotony', () => {
  // By hand from Foster 1998, mean / standard deviation with n − 1. 350, √(385 000 / 6) = 253.31;
  // 300, √(260 000 / 6) = 208.17; 100, √(40 000 / 6) = 81.65.
  test.each([
    [
      'the week of afitpilot.com/training-lexicon/monotony, athlete B',
      [600, 200, 400, 500, 100, 650, 0],
      2450,
      1.3817,
      3385.1,
    ],
    ['hard and easy days', [500, 200, 500, 100, 300, 500, 0], 2100, 1.4412, 3026.4],
    ['two days of rest', [100, 200, 0, 100, 200, 100, 0], 700, 1.2247, 857.3],
  ])('by hand: %s', (_, loads, weekly_load, monotony, strain) => {
    const result = valueOf(trainingMonotony(loads));
    expect(result.weekly_load).toBeCloseTo(weekly_load, 9);
    expect(result.monotony).toBeCloseTo(monotony, 3);
    expect(Math.abs(result.strain - strain)).toBeLessThan(0.5);
  });

  test('it does not depend on the unit of load, and strain is proportional to it', () => {
    fc.assert(
      fc.property(week, (loads) => {
        fc.pre(new Set(loads).size > 1);
        const one = valueOf(trainingMonotony(loads));
        const three = valueOf(trainingMonotony(loads.map((load) => 3 * load)));
        expect(three.monotony).toBeCloseTo(one.monotony, 8);
        expect(three.strain / one.strain).toBeCloseTo(3, 8);
      }),
    );
  });

  test('the order of the days does not matter', () => {
    fc.assert(
      fc.property(week, (loads) => {
        fc.pre(new Set(loads).size > 1);
        const reversed = valueOf(trainingMonotony(loads.toReversed()));
        expect(reversed.monotony).toBeCloseTo(valueOf(trainingMonotony(loads)).monotony, 9);
      }),
    );
  });

  test.each([
    [[1, 2, 3], 'Monotony needs the loads of seven days; there are 3.'],
    [[0, 0, 0, 0, 0, 0, 0], 'Monotony needs a week with training.'],
    [
      [350, 350, 350, 350, 350, 350, 350],
      'Monotony is not defined for a week of equal loads, because they have no variation.',
    ],
    [
      [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
      'Monotony is not defined for a week of equal loads, because they have no variation.',
    ],
  ])('%j is refused', (loads, reason) => {
    expect(reasonOf(trainingMonotony(loads))).toBe(reason);
  });
});

describe('acute:chronic workload ratio', () => {
  test('bodyrecharge.co.nz, acute:chronic workload ratio: 30, 35, 30 and 25 km is 0.83', () => {
    const { ratio, range } = valueOf(workloadRatio(weeks(30, 35, 30, 25)));
    expect(ratio).toBeCloseTo(0.83, 2);
    expect(range).toBe('optimal');
  });

  test('physiocentre.ae, understanding your workload: 2100 with an average of 2000 is 1.05', () => {
    expect(valueOf(workloadRatio(weeks(1950, 2000, 1950, 2100))).ratio).toBeCloseTo(1.05, 9);
  });

  // By hand: 800 / ((200 + 400 + 600 + 800) / 4) = 1.6.
  test('by hand: 200, 400, 600 and 800 is 1.6', () => {
    const result = valueOf(workloadRatio(weeks(200, 400, 600, 800)));
    expect(result.ratio).toBeCloseTo(1.6, 9);
    expect(result.range).toBe('high');
  });

  test.each([
    [[100, 100, 100, 0], 'low'],
    [[100, 100, 100, 100], 'optimal'],
    [[100, 100, 100, 150], 'raised'],
    [[100, 100, 100, 200], 'high'],
  ])('weeks of %j are %s', (loads, range) => {
    expect(valueOf(workloadRatio(weeks(...loads))).range).toBe(range);
  });

  // By hand: 75 / 93.75, 130 / 100 and 180 / 120.
  test.each([
    [100, 75, 0.8, 'optimal'],
    [90, 130, 1.3, 'optimal'],
    [90, 131, 1.307, 'raised'],
    [100, 180, 1.5, 'raised'],
    [100, 181, 1.505, 'high'],
    [100, 74, 0.791, 'low'],
  ])('by hand: three weeks of %d a day and one of %d are a ratio of %d, %s', (before, now, ratio, range) => {
    const result = valueOf(workloadRatio([...weeks(7 * before, 7 * before, 7 * before, 7 * now)]));
    expect(result.ratio).toBeCloseTo(ratio, 3);
    expect(result.range).toBe(range);
  });

  test('it is 0 to 4, and does not depend on the unit of load', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 28, maxLength: 60, size: 'max' }),
        (loads) => {
          fc.pre(loads.slice(-28).some((load) => load > 0));
          const { ratio } = valueOf(workloadRatio(loads));
          expect(ratio).toBeGreaterThanOrEqual(0);
          expect(ratio).toBeLessThanOrEqual(4 + 1e-9);
          expect(valueOf(workloadRatio(loads.map((load) => load / 7))).ratio).toBeCloseTo(ratio, 9);
        },
      ),
    );
  });

  test('three weeks, and four without training, are refused', () => {
    expect(reasonOf(workloadRatio(weeks(1, 2, 3)))).toBe(
      'The workload ratio needs 28 days of load; there are 21.',
    );
    expect(reasonOf(workloadRatio(weeks(0, 0, 0, 0)))).toBe(
      'The workload ratio needs training in the last 28 days.',
    );
  });
});

describe('fitness score', () => {
  // By hand: the weights are 25, 35, 25 and 15 %.
  test.each([
    [{ consistency: 100, load: 100, volume: 100, balance: 100 }, 100],
    [{ consistency: 100, load: 0, volume: 0, balance: 0 }, 25],
    [{ consistency: 0, load: 100, volume: 0, balance: 0 }, 35],
    [{ consistency: 0, load: 0, volume: 100, balance: 0 }, 25],
    [{ consistency: 0, load: 0, volume: 0, balance: 100 }, 15],
    [{ consistency: 80, load: 60, volume: 40, balance: 100 }, 20 + 21 + 10 + 15],
    // (25 · 80 + 35 · 60 + 25 · 40) / 85.
    [{ consistency: 80, load: 60, volume: 40, balance: null }, 60],
  ])('by hand: %j is %d', (parts, score) => {
    expect(valueOf(fitnessScore(parts))).toBeCloseTo(score, 9);
  });

  test('a better part never lowers the score', () => {
    const part = fc.integer({ min: 0, max: 90 });
    fc.assert(
      fc.property(part, part, part, part, (consistency, load, volume, balance) => {
        const parts = { consistency, load, volume, balance };
        for (const name of ['consistency', 'load', 'volume', 'balance'] as const) {
          const better = valueOf(fitnessScore({ ...parts, [name]: parts[name] + 10 }));
          expect(better).toBeGreaterThan(valueOf(fitnessScore(parts)));
        }
      }),
    );
  });

  test('one part is not enough', () => {
    expect(reasonOf(fitnessScore({ consistency: 50, load: null, volume: null, balance: null }))).toBe(
      'The fitness score needs at least two of its four parts.',
    );
  });

  test('the parts of load, volume and balance', () => {
    expect([0, 50, 100, 140].map(loadPart)).toEqual([0, 50, 100, 100]);
    expect([0, 5, 10, 15].map(volumePart)).toEqual([0, 50, 100, 100]);
    expect([0, 0.75, 0.8, 0.9, 1].map(balancePart)).toEqual([0, 100, 100, 100, 60]);
  });

  test.each([
    [90, 84],
    [89, 80],
    [70, 80],
    [69, 76],
    [50, 76],
    [49, 72],
  ])('with a sleep score of %d, 80 becomes %d', (sleep, score) => {
    expect(adjustForSleep(80, sleep)).toBeCloseTo(score, 9);
  });

  test('sleep never raises the score above 100', () => {
    expect(adjustForSleep(99, 95)).toBe(100);
  });
});
