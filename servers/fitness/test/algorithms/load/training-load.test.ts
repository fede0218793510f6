import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formStatus } from '../../../src/algorithms/load/form-status.ts';
import { overtrainingSigns } from '../../../src/algorithms/load/overtraining-signs.ts';
import { rampRate } from '../../../src/algorithms/load/ramp-rate.ts';
import { trainingLoad } from '../../../src/algorithms/load/training-load.ts';
import type { DayLoad } from '../../../src/algorithms/load/training-load.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const days = (count: number, load: number): number[] => Array.from({ length: count }, () => load);
const loads = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 120, size: 'max' });
const last = (result: readonly DayLoad[]): DayLoad => {
  const day = result.at(-1);
  if (day === undefined) throw new Error('no days');
  return day;
};

describe('chronic and acute load', () => {
  test('cyclingforums.com, "incorrect CTL value?": from 36, 42 days of 55 give the 48 that WKO+ shows', () => {
    const { ctl } = last(valueOf(trainingLoad(days(42, 55), { initial_ctl: 36, initial_atl: 36 })));
    expect(Math.round(ctl)).toBe(48);
  });

  test('cyclingforums.com, "How CTL is really calculated?": a day moves CTL by 0.024 of its distance', () => {
    const { ctl } = last(valueOf(trainingLoad([200], { initial_ctl: 100 })));
    expect((ctl - 100) / (200 - 100)).toBeCloseTo(0.024, 3);
  });

  test('math.stackexchange.com/q/1633233: TSS · (1 − e^(−1/42)) + start · e^(−1/42), two days of 100', () => {
    const result = valueOf(trainingLoad([100, 100]));
    expect(result.map(({ ctl }) => Number(ctl.toFixed(4)))).toEqual([2.3528, 4.6503]);
  });

  // By hand: after one time constant, 1 − 1/e = 63.212 % of the way is done.
  test('by hand: seven days of 100 from nothing give an ATL of 63.21', () => {
    expect(last(valueOf(trainingLoad(days(7, 100)))).atl).toBeCloseTo(63.212, 3);
  });

  // By hand: 2 / 43 of 100, and 2 / 8 of 100.
  test('by hand: with the weight of a span, a first day of 100 gives 4.65 and 25', () => {
    const { ctl, atl, tsb } = last(valueOf(trainingLoad([100], { smoothing: 'span' })));
    expect([ctl, atl, tsb].map((value) => Number(value.toFixed(2)))).toEqual([4.65, 25, -20.35]);
  });

  test('form is the difference, and loads stay between the smallest and the largest day', () => {
    fc.assert(
      fc.property(loads, (daily) => {
        for (const { ctl, atl, tsb } of valueOf(trainingLoad(daily, { initial_ctl: 50, initial_atl: 50 }))) {
          expect(tsb).toBeCloseTo(ctl - atl, 10);
          for (const load of [ctl, atl]) {
            expect(load).toBeGreaterThanOrEqual(Math.min(50, ...daily) - 1e-9);
            expect(load).toBeLessThanOrEqual(Math.max(50, ...daily) + 1e-9);
          }
        }
      }),
    );
  });

  test('a harder day never lowers any load after it', () => {
    fc.assert(
      fc.property(loads, fc.nat(119), (daily, at) => {
        const harder = daily.map((load, day) => (day === at % daily.length ? load + 100 : load));
        const before = valueOf(trainingLoad(daily));
        const after = valueOf(trainingLoad(harder));
        for (const [day, { ctl, atl }] of before.entries()) {
          expect(after[day]?.ctl).toBeGreaterThanOrEqual(ctl);
          expect(after[day]?.atl).toBeGreaterThanOrEqual(atl);
        }
      }),
    );
  });

  test('twice the load is twice the CTL', () => {
    fc.assert(
      fc.property(loads, (daily) => {
        const one = last(valueOf(trainingLoad(daily))).ctl;
        expect(last(valueOf(trainingLoad(daily.map((load) => 2 * load)))).ctl).toBeCloseTo(2 * one, 8);
      }),
    );
  });

  test('no days, and a negative load, are refused', () => {
    expect(reasonOf(trainingLoad([]))).toBe('Training load needs at least one day.');
    expect(reasonOf(trainingLoad([10, -5]))).toBe('Load of a day is -5: expected 0 to 2000.');
  });
});

describe('form', () => {
  test.each([
    [-10.1, 'overreaching'],
    [-10, 'productive'],
    [-0.1, 'productive'],
    [0, 'fresh'],
    [10, 'fresh'],
    [10.1, 'detraining'],
  ])('a form of %d is %s', (tsb, status) => {
    expect(formStatus(tsb)).toBe(status);
  });
});

describe('signs of overtraining', () => {
  test.each([
    [{ ctl: 60, atl: 60, tsb: 0 }, 'low', []],
    [{ ctl: 60, atl: 78, tsb: -9 }, 'low', []],
    [{ ctl: 60, atl: 71, tsb: -11 }, 'moderate', ['Form (-11.0) is below −10.']],
    [
      { ctl: 60, atl: 90, tsb: -30 },
      'high',
      ['Acute load (90.0) is more than 1.3 times chronic load (60.0).', 'Form (-30.0) is below −10.'],
    ],
    [{ ctl: 145, atl: 151, tsb: -6 }, 'moderate', ['Acute load (151.0) is above 150.']],
    [{ ctl: 0, atl: 5, tsb: -5 }, 'low', []],
  ])('%j is a %s risk', (load, risk, signs) => {
    expect(overtrainingSigns(load)).toEqual({ risk, signs });
  });
});

describe('ramp rate', () => {
  test('by hand: the difference to seven days ago', () => {
    expect(valueOf(rampRate([50, 51, 52, 53, 54, 55, 56, 57]))).toBe(7);
    expect(valueOf(rampRate([10, 60, 51, 52, 53, 54, 55, 56, 57]))).toBe(-3);
  });

  test('a week without a day before it is refused', () => {
    expect(reasonOf(rampRate([1, 2, 3, 4, 5, 6, 7]))).toBe(
      'The ramp rate needs eight days of chronic load; there are 7.',
    );
  });
});
