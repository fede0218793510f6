import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { correlation } from '../../../src/algorithms/statistics/correlation.ts';
import { interpolate } from '../../../src/algorithms/statistics/interpolate.ts';
import { linearRegression } from '../../../src/algorithms/statistics/linear-regression.ts';
import { exponentialAverage, movingAverage } from '../../../src/algorithms/statistics/moving-average.ts';
import { meanOf, sampleDeviationOf } from '../../../src/algorithms/statistics/spread.ts';
import { reasonOf, valueOf } from '../outcome.ts';

// Anscombe 1973, "Graphs in Statistical Analysis", The American Statistician 27: four data sets with one line.
const X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
const ANSCOMBE = [
  [X, [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]],
  [X, [9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74]],
  [X, [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73]],
  [
    [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8],
    [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89],
  ],
] as const;

// NIST StRD, data set Norris (calibration of ozone monitors), and its certified values.
const NORRIS_Y = [
  0.1, 338.8, 118.1, 888, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9,
  10.8, 557.7, 228.3, 998, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4,
  449.2, 0.2,
];
const NORRIS_X = [
  0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777, 558.2, 0.4, 0.6, 775.5, 666.9, 338, 447.5,
  11.6, 556, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999, 779, 11.1, 118.3, 229.2, 669.1,
  448.9, 0.5,
];

const points = fc.array(
  fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1000, max: 1000 })),
  {
    minLength: 3,
    maxLength: 40,
  },
);

describe('linear regression', () => {
  test.each(ANSCOMBE)('Anscombe 1973: y = 3 + 0.5 x with R² 0.67', (xs, ys) => {
    const { slope, intercept, r_squared } = valueOf(linearRegression(xs, ys));
    expect(slope).toBeCloseTo(0.5, 2);
    expect(intercept).toBeCloseTo(3, 2);
    expect(r_squared).toBeCloseTo(0.67, 2);
  });

  test('NIST StRD Norris: the certified slope, intercept and R²', () => {
    const { slope, intercept, r_squared } = valueOf(linearRegression(NORRIS_X, NORRIS_Y));
    expect(slope).toBeCloseTo(1.00211681802045, 10);
    expect(intercept).toBeCloseTo(-0.262323073774029, 9);
    expect(r_squared).toBeCloseTo(0.999993745883712, 10);
  });

  test('points on a line have its slope and intercept, and R² 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }), (a, b) => {
        const fit = valueOf(
          linearRegression(
            [1, 2, 5, 9],
            [1, 2, 5, 9].map((x) => a + b * x),
          ),
        );
        expect(fit.slope).toBeCloseTo(b, 9);
        expect(fit.intercept).toBeCloseTo(a, 9);
        expect(fit.r_squared).toBeCloseTo(1, 9);
      }),
    );
  });

  test('scaling y scales the slope and keeps R²', () => {
    fc.assert(
      fc.property(points, (pairs) => {
        const xs = pairs.map(([x]) => x);
        const ys = pairs.map(([, y]) => y);
        fc.pre(new Set(xs).size > 1);
        const one = valueOf(linearRegression(xs, ys));
        const ten = valueOf(
          linearRegression(
            xs,
            ys.map((y) => 10 * y),
          ),
        );
        expect(ten.slope).toBeCloseTo(10 * one.slope, 6);
        expect(ten.r_squared).toBeCloseTo(one.r_squared, 9);
        expect(one.r_squared).toBeGreaterThanOrEqual(0);
        expect(one.r_squared).toBeLessThanOrEqual(1);
      }),
    );
  });

  test.each([
    [[1], [1], 'A regression needs at least two points.'],
    [[1, 2], [1], 'A regression needs as many x values as y values.'],
    [[3, 3], [1, 2], 'A regression needs at least two different x values.'],
    [[1, 2], [1, Infinity], 'A regression needs finite values.'],
  ])('%j and %j are refused', (xs, ys, reason) => {
    expect(reasonOf(linearRegression(xs, ys))).toBe(reason);
  });
});

describe('correlation', () => {
  test.each(ANSCOMBE)('Anscombe 1973: correlation 0.816', (xs, ys) => {
    expect(valueOf(correlation(xs, ys))).toBeCloseTo(0.816, 2);
  });

  test('it is symmetric, within −1 and 1, and its square is R²', () => {
    fc.assert(
      fc.property(points, (pairs) => {
        const xs = pairs.map(([x]) => x);
        const ys = pairs.map(([, y]) => y);
        fc.pre(new Set(xs).size > 1 && new Set(ys).size > 1);
        const r = valueOf(correlation(xs, ys));
        expect(valueOf(correlation(ys, xs))).toBeCloseTo(r, 12);
        expect(Math.abs(r)).toBeLessThanOrEqual(1);
        expect(r * r).toBeCloseTo(valueOf(linearRegression(xs, ys)).r_squared, 9);
      }),
    );
  });

  test('values without variation are refused', () => {
    expect(reasonOf(correlation([1, 2, 3], [4, 4, 4]))).toBe(
      'A correlation needs values that vary on both sides.',
    );
    expect(reasonOf(correlation([1, 2], [1, 2]))).toBe('A correlation needs at least three points.');
  });
});

describe('averages', () => {
  test('NIST/SEMATECH handbook 6.4.2.1: moving average of three suppliers', () => {
    const means = movingAverage([9, 8, 9, 12, 9, 12, 11, 7, 13, 9, 11, 10], 3);
    expect(means.map((mean) => Number(mean.toFixed(3)))).toEqual([
      8.667, 9.667, 10, 11, 10.667, 10, 10.333, 9.667, 11, 10,
    ]);
  });

  test('NIST/SEMATECH handbook 6.4.3.1: exponential smoothing with alpha 0.1', () => {
    const smoothed = exponentialAverage([70, 69, 68, 64, 65, 72, 78, 75, 75, 75], 0.1, 71);
    expect(smoothed.map((value) => Number(value.toFixed(2)))).toEqual([
      70.9, 70.71, 70.44, 69.8, 69.32, 69.58, 70.43, 70.88, 71.29, 71.67,
    ]);
  });

  test('2, 4, 4, 4, 5, 5, 7, 9: mean 5, sample deviation √(32 / 7)', () => {
    const values = [2, 4, 4, 4, 5, 5, 7, 9];
    expect(meanOf(values)).toBe(5);
    expect(sampleDeviationOf(values)).toBeCloseTo(2.138, 3);
    expect(meanOf([])).toBeUndefined();
    expect(sampleDeviationOf([1])).toBeUndefined();
  });

  test('a moving average is between the smallest and the largest value, and as long as the complete windows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 60, size: 'max' }),
        fc.integer({ min: 1, max: 20 }),
        (values, size) => {
          const means = movingAverage(values, size);
          expect(means).toHaveLength(Math.max(0, values.length - size + 1));
          for (const mean of means) {
            expect(mean).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
            expect(mean).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
          }
        },
      ),
    );
  });
});

describe('interpolation', () => {
  test('between knots it is linear, outside it is constant', () => {
    const knots = [
      [0, 10],
      [10, 20],
      [20, 0],
    ] as const;
    expect([-5, 0, 5, 10, 15, 20, 25].map((x) => interpolate(knots, x))).toEqual([10, 10, 15, 20, 10, 0, 0]);
  });
});
