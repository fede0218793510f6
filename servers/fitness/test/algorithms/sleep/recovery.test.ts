import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareHrv, hrvBaseline } from '../../../src/algorithms/sleep/heart-rate-variability.ts';
import { recoveryScore } from '../../../src/algorithms/sleep/recovery-score.ts';
import { restDay } from '../../../src/algorithms/sleep/rest-day.ts';
import { sleepSchedule } from '../../../src/algorithms/sleep/sleep-schedule.ts';
import { reasonOf, valueOf } from '../outcome.ts';

// Scores and rules of this file are definitions of this server; all examples are by hand.

describe('HRV against its baseline', () => {
  test.each([
    [52.6, 50, 5.2, 'recovered', 100],
    [52.5, 50, 5, 'normal', 70],
    [50, 50, 0, 'normal', 70],
    [47.5, 50, -5, 'normal', 70],
    [47.4, 50, -5.2, 'fatigued', 40],
    [42.5, 50, -15, 'fatigued', 40],
    [42.4, 50, -15.2, 'suppressed', 20],
  ])('%d ms of %d ms is a change of %d %%: %s', (rmssd, baseline, change, status, score) => {
    const result = valueOf(compareHrv(rmssd, baseline));
    expect(result.change_percent).toBeCloseTo(change, 9);
    expect(result.status).toBe(status);
    expect(result.score).toBe(score);
  });

  test('it does not depend on the unit of HRV', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 100 }), fc.integer({ min: 20, max: 100 }), (rmssd, baseline) => {
        expect(valueOf(compareHrv(2 * rmssd, 2 * baseline)).change_percent).toBeCloseTo(
          valueOf(compareHrv(rmssd, baseline)).change_percent,
          9,
        );
      }),
    );
  });

  test('the baseline is the mean of at least three nights', () => {
    expect(valueOf(hrvBaseline([40, 50, 60]))).toBe(50);
    expect(valueOf(hrvBaseline([55, 55, 55, 35]))).toBe(50);
    expect(valueOf(hrvBaseline([20, 30, 40, 50, 60]))).toBe(40);
    expect(reasonOf(hrvBaseline([50, 50]))).toBe('An HRV baseline needs at least three nights; there are 2.');
  });

  test('values that no device measures are refused', () => {
    expect(reasonOf(compareHrv(0, 50))).toBe('HRV (RMSSD) is 0 ms: expected 5 to 250 ms.');
    expect(reasonOf(compareHrv(50, 0.05))).toBe('HRV baseline is 0.05 ms: expected 5 to 250 ms.');
  });
});

describe('recovery score', () => {
  test.each([
    ['the weights are 40, 35 and 25 %: form only', { tsb: 10, sleep_score: 0, hrv_score: 0 }, 40],
    ['sleep only', { tsb: -30, sleep_score: 100, hrv_score: 0 }, 35],
    ['HRV only', { tsb: -30, sleep_score: 0, hrv_score: 100 }, 25],
    ['without HRV: form only', { tsb: 10, sleep_score: 0, hrv_score: null }, 55],
    ['without HRV: sleep only', { tsb: -30, sleep_score: 100, hrv_score: null }, 45],
    ['0.4 · 60 + 0.35 · 80 + 0.25 · 70', { tsb: -10, sleep_score: 80, hrv_score: 70 }, 69.5],
    ['0.4 · 85 + 0.35 · 90 + 0.25 · 100', { tsb: 0, sleep_score: 90, hrv_score: 100 }, 90.5],
  ])('by hand: %s', (_, input, score) => {
    expect(valueOf(recoveryScore(input)).score).toBeCloseTo(score, 9);
  });

  test.each([
    [-40, 0],
    [-15, 30],
    [-10, 60],
    [-5, 72.5],
    [0, 85],
    [5, 100],
    [15, 100],
    [25, 90],
    [50, 70],
  ])('a form of %d scores %d', (tsb, score) => {
    expect(valueOf(recoveryScore({ tsb, sleep_score: 50, hrv_score: null })).form_score).toBeCloseTo(
      score,
      9,
    );
  });

  test('better sleep, a better HRV and, up to 5, more form never lower it', () => {
    const score = fc.integer({ min: 0, max: 90 });
    fc.assert(
      fc.property(fc.integer({ min: -40, max: 4 }), score, score, (tsb, sleep_score, hrv_score) => {
        const base = { tsb, sleep_score, hrv_score };
        const value = valueOf(recoveryScore(base)).score;
        expect(valueOf(recoveryScore({ ...base, tsb: tsb + 1 })).score).toBeGreaterThanOrEqual(value);
        expect(valueOf(recoveryScore({ ...base, sleep_score: sleep_score + 5 })).score).toBeGreaterThan(
          value,
        );
        expect(valueOf(recoveryScore({ ...base, hrv_score: hrv_score + 5 })).score).toBeGreaterThan(value);
      }),
    );
  });

  test('a sleep score above 100 is refused', () => {
    expect(reasonOf(recoveryScore({ tsb: 0, sleep_score: 140, hrv_score: null }))).toBe(
      'Sleep score is 140: expected 0 to 100.',
    );
  });
});

describe('day of rest', () => {
  test.each([
    [{ recovery_score: 39.9, sleep_score: 90, tsb: 0 }, 'rest', ['Recovery (40) is below 40.']],
    [{ recovery_score: 40, sleep_score: 90, tsb: 0 }, 'rest_or_easy', ['Recovery (40) is below 60.']],
    [{ recovery_score: 60, sleep_score: 90, tsb: 0 }, 'train', ['Recovery (60) is 60 or more.']],
    [
      { recovery_score: 65, sleep_score: 69, tsb: -20.5 },
      'rest',
      ['Form (-20.5) is below −20 and the sleep score (69) below 70.'],
    ],
    [{ recovery_score: 65, sleep_score: 69, tsb: -20 }, 'train', ['Recovery (65) is 60 or more.']],
    [{ recovery_score: 65, sleep_score: 70, tsb: -25 }, 'train', ['Recovery (65) is 60 or more.']],
    [
      { recovery_score: 20, sleep_score: 30, tsb: -30 },
      'rest',
      ['Recovery (20) is below 40.', 'Form (-30.0) is below −20 and the sleep score (30) below 70.'],
    ],
  ])('%j: %s', (input, decision, reasons) => {
    expect(restDay(input)).toEqual({ decision, reasons });
  });
});

describe('sleep schedule', () => {
  test.each([
    ['06:00 − 8 h − 30 min', { tsb: 0, atl: 50, wake_time: '06:00' }, 8, '21:30'],
    ['half an hour more for form', { tsb: -15, atl: 50, wake_time: '06:00' }, 8.5, '21:00'],
    ['an hour more for form', { tsb: -25, atl: 50, wake_time: '06:00' }, 9, '20:30'],
    ['half an hour more for load', { tsb: -5, atl: 101, wake_time: '06:00' }, 8.5, '21:00'],
    ['both', { tsb: -25, atl: 120, wake_time: '07:15' }, 9.5, '21:15'],
    ['a hard workout to come', { tsb: 0, atl: 50, wake_time: '06:00', intensity: 'high' }, 8.5, '21:00'],
    ['an easy one', { tsb: 0, atl: 50, wake_time: '06:00', intensity: 'low' }, 8, '21:30'],
    ['another target', { tsb: 5, atl: 50, wake_time: '09:45', target_hours: 7.25 }, 7.25, '02:00'],
  ] as const)('by hand: %s', (_, input, hours, bedtime) => {
    const schedule = valueOf(sleepSchedule(input));
    expect(schedule.sleep_hours).toBe(hours);
    expect(schedule.bedtime).toBe(bedtime);
    expect(schedule.wake_time).toBe(input.wake_time);
  });

  test('every addition has its reason', () => {
    expect(valueOf(sleepSchedule({ tsb: -25, atl: 120, wake_time: '07:15' })).reasons).toEqual([
      '1 h more, because form (-25.0) is below −20.',
      '0.5 h more, because acute load (120.0) is above 100.',
    ]);
    expect(valueOf(sleepSchedule({ tsb: 0, atl: 100, wake_time: '07:15' })).reasons).toEqual([]);
  });

  test('from bedtime to waking there is the sleep and half an hour', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: -40, max: 30 }),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 8, max: 24 }),
        (wake, tsb, atl, halfHours) => {
          const two = (value: number): string => String(value).padStart(2, '0');
          const wake_time = `${two(Math.floor(wake / 60))}:${two(wake % 60)}`;
          const schedule = valueOf(sleepSchedule({ tsb, atl, wake_time, target_hours: halfHours / 2 }));
          const [hours = 0, minutes = 0] = schedule.bedtime.split(':').map(Number);
          const inBed = (wake - hours * 60 - minutes + 1440) % 1440;
          expect(inBed).toBe(schedule.sleep_hours * 60 + 30);
        },
      ),
    );
  });

  test.each([
    [{ wake_time: '6:00' }, 'Wake time "6:00": use HH:MM from 00:00 to 23:59.'],
    [{ wake_time: '24:00' }, 'Wake time "24:00": use HH:MM from 00:00 to 23:59.'],
    [{ target_hours: 20 }, 'Target of sleep is 20 hours: expected 4 to 12 hours.'],
    [{ tsb: NaN }, 'Form is NaN: expected -300 to 300.'],
  ])('%j is refused', (change, reason) => {
    expect(reasonOf(sleepSchedule({ tsb: 0, atl: 0, wake_time: '06:00', ...change }))).toBe(reason);
  });
});
