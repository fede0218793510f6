import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoreCategory } from '../../../src/algorithms/sleep/score-category.ts';
import { sleepScore } from '../../../src/algorithms/sleep/sleep-score.ts';
import { sleepTrend } from '../../../src/algorithms/sleep/sleep-trend.ts';
import { stagesScore } from '../../../src/algorithms/sleep/stages-score.ts';
import { reasonOf, valueOf } from '../outcome.ts';

// The scores are definitions of this server (recommended durations of Hirshkowitz and others 2015, stages of the AASM);
// no published source has scored nights, so all examples are by hand.
const night = (duration_hours: number, efficiency_percent: number | null = null) => ({
  duration_hours,
  efficiency_percent,
  stages: null,
});
const stages = (deep_hours: number, rem_hours: number, light_hours: number) => ({
  deep_hours,
  rem_hours,
  light_hours,
});

describe('score of a night', () => {
  test.each([
    [9, 100],
    [8, 100],
    [7.5, 90],
    [7, 80],
    [6.5, 65],
    [6, 50],
    [5, 20],
    [4, 0],
  ])('%d hours score %d', (hours, score) => {
    expect(valueOf(sleepScore(night(hours))).duration_score).toBeCloseTo(score, 9);
  });

  test.each([
    [95, 100],
    [90, 100],
    [85, 80],
    [80, 65],
    [75, 50],
    [65, 20],
    [50, 0],
  ])('an efficiency of %d %% scores %d', (efficiency, score) => {
    expect(valueOf(sleepScore(night(8, efficiency))).efficiency_score).toBeCloseTo(score, 9);
  });

  // By hand: 40 % duration, 35 % stages, 25 % efficiency.
  test.each([
    [
      '0.4 · 100 + 0.35 · 100 + 0.25 · 100',
      { ...night(8, 92), stages: stages(1.6, 1.8, 4.6) },
      100,
      'excellent',
    ],
    ['0.4 · 80 + 0.35 · 100 + 0.25 · 80', { ...night(7, 85), stages: stages(1.4, 1.6, 4) }, 87, 'excellent'],
    ['0.4 · 50 + 0.35 · 100 + 0.25 · 50', { ...night(6, 75), stages: stages(1.2, 1.4, 3.4) }, 67.5, 'good'],
    ['without stages: (0.4 · 80 + 0.25 · 50) / 0.65', night(7, 75), 68.46, 'good'],
    ['without stages and efficiency: duration alone', night(5), 20, 'poor'],
    [
      'without efficiency: (0.4 · 50 + 0.35 · 100) / 0.75',
      { ...night(6), stages: stages(1.2, 1.4, 3.4) },
      73.33,
      'good',
    ],
  ])('by hand: %s', (_, input, score, category) => {
    const result = valueOf(sleepScore(input));
    expect(result.score).toBeCloseTo(score, 2);
    expect(result.category).toBe(category);
  });

  test('more hours and a better efficiency never lower the score, which is 0 to 100', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 15, noNaN: true }),
        fc.double({ min: 1, max: 99, noNaN: true }),
        (hours, efficiency) => {
          const { score } = valueOf(sleepScore(night(hours, efficiency)));
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(100 + 1e-9);
          expect(valueOf(sleepScore(night(hours + 1, efficiency))).score).toBeGreaterThanOrEqual(
            score - 1e-9,
          );
          expect(valueOf(sleepScore(night(hours, efficiency + 1))).score).toBeGreaterThanOrEqual(
            score - 1e-9,
          );
        },
      ),
    );
  });

  test.each([
    [night(0), 'Sleep duration is 0 hours: expected 0.5 to 16 hours.'],
    [night(30), 'Sleep duration is 30 hours: expected 0.5 to 16 hours.'],
    [night(8, 104), 'Sleep efficiency is 104 %: expected 1 to 100 %.'],
    [{ ...night(8), stages: stages(-1, 1, 5) }, 'Time in deep sleep is -1 hours: expected 0 to 16 hours.'],
    [{ ...night(8), stages: stages(0, 0, 0) }, 'The score of sleep stages needs time in at least one stage.'],
  ])('%j is refused', (input, reason) => {
    expect(reasonOf(sleepScore(input))).toBe(reason);
  });
});

describe('score of sleep stages', () => {
  // By hand, 0.4 · deep + 0.4 · REM + 0.2 · light: 10 % deep is 66.67, 10 % REM 50, 80 % light (100 − 80) / 40 = 50.
  test.each([
    ['20, 25 and 55 % are usual', stages(2, 2.5, 5.5), 100],
    ['0.4 · 66.667 + 0.4 · 50 + 0.2 · 50', stages(1, 1, 8), 56.667],
    ['0.4 · 100 + 0.4 · 93.333 + 0.2 · 100: 30 % REM', stages(2, 3, 5), 97.333],
    ['0.4 · 0 + 0.4 · 0 + 0.2 · 0: light sleep only', stages(0, 0, 7), 0],
  ])('by hand: %s', (_, input, score) => {
    expect(valueOf(stagesScore(input)).score).toBeCloseTo(score, 2);
  });

  test('it depends on shares only', () => {
    const hours = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(hours, hours, hours, (deep, rem, light) => {
        const one = valueOf(stagesScore(stages(deep / 10, rem / 10, light / 10)));
        const two = valueOf(stagesScore(stages(deep / 5, rem / 5, light / 5)));
        expect(two.score).toBeCloseTo(one.score, 9);
        expect(one.deep_percent + one.rem_percent + one.light_percent).toBeCloseTo(100, 9);
        expect(one.score).toBeGreaterThanOrEqual(0);
        expect(one.score).toBeLessThanOrEqual(100 + 1e-9);
      }),
    );
  });
});

describe('categories', () => {
  test.each([
    [80, 'excellent'],
    [79.9, 'good'],
    [60, 'good'],
    [59.9, 'fair'],
    [40, 'fair'],
    [39.9, 'poor'],
  ])('%d is %s', (score, category) => {
    expect(scoreCategory(score)).toBe(category);
  });
});

describe('trend of sleep', () => {
  // By hand: 1 point a night is 7 a week.
  test.each([
    [[60, 61, 62, 63, 64, 65, 66], 63, 7, 'improving'],
    [[70, 70, 70, 70, 70, 70, 70, 70], 70, 0, 'stable'],
    [[80, 79, 78, 77, 76, 75, 74], 77, -7, 'declining'],
    [[70, 70.2, 70.4, 70.6, 70.8, 71, 71.2], 70.6, 1.4, 'stable'],
  ])('by hand: %j', (scores, average, change, direction) => {
    const trend = valueOf(sleepTrend(scores));
    expect(trend.average).toBeCloseTo(average, 9);
    expect(trend.change_per_week).toBeCloseTo(change, 9);
    expect(trend.direction).toBe(direction);
  });

  test('nights on every second day change half as much a week', () => {
    const scores = [70, 71, 72, 73, 74, 75, 76];
    expect(valueOf(sleepTrend(scores)).change_per_week).toBeCloseTo(7, 9);
    expect(valueOf(sleepTrend(scores, [0, 2, 4, 6, 8, 10, 12])).change_per_week).toBeCloseTo(3.5, 9);
  });

  test('the same nights in reverse have the opposite change', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 7, maxLength: 30 }), (scores) => {
        const there = valueOf(sleepTrend(scores)).change_per_week;
        expect(valueOf(sleepTrend(scores.toReversed())).change_per_week).toBeCloseTo(-there, 9);
      }),
    );
  });

  test('six nights are refused', () => {
    expect(reasonOf(sleepTrend([1, 2, 3, 4, 5, 6]))).toBe(
      'A sleep trend needs at least seven nights; there are 6.',
    );
  });
});
