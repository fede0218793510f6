import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goalFeasibility } from '../../../src/algorithms/goals/goal-feasibility.ts';
import { goalProgress } from '../../../src/algorithms/goals/goal-progress.ts';
import { reasonOf, valueOf } from '../outcome.ts';

const DAY = 86_400;

describe('feasibility of a goal', () => {
  // By hand: +10 % a month, compounded.
  test.each([
    [
      '1.1³ = 1.331 is the limit',
      { current: 100, target: 133.1, months: 3, better: 'higher' },
      true,
      10,
      133.1,
    ],
    [
      '(140 / 100)^(1/3) = 1.1187',
      { current: 100, target: 140, months: 3, better: 'higher' },
      false,
      11.87,
      133.1,
    ],
    ['one month of +5 %', { current: 40, target: 42, months: 1, better: 'higher' }, true, 5, 44],
    [
      'a time: (1500 / 1320)^(1/2) = 1.066',
      { current: 1500, target: 1320, months: 2, better: 'lower' },
      true,
      6.6,
      1239.67,
    ],
    ['a goal that is reached', { current: 50, target: 40, months: 2, better: 'higher' }, true, 0, 60.5],
  ] as const)('by hand: %s', (_, input, feasible, percent, reachable) => {
    const result = valueOf(goalFeasibility(input));
    expect(result.feasible).toBe(feasible);
    expect(result.required_percent_per_month).toBeCloseTo(percent, 2);
    expect(result.reachable).toBeCloseTo(reachable, 2);
  });

  test('a goal is feasible exactly if its target is reachable', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 24 }),
        fc.constantFrom('higher' as const, 'lower' as const),
        (current, target, months, better) => {
          const { feasible, reachable } = valueOf(goalFeasibility({ current, target, months, better }));
          const within =
            better === 'higher' ? target <= reachable * (1 + 1e-7) : target >= reachable * (1 - 1e-7);
          expect(feasible).toBe(within);
        },
      ),
    );
  });

  test('more time never makes a goal infeasible', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 23 }), (target, months) => {
        const at = (time: number): boolean =>
          valueOf(goalFeasibility({ current: 100, target, months: time, better: 'higher' })).feasible;
        expect(at(months + 1) || !at(months)).toBe(true);
      }),
    );
  });

  test.each([
    [{ current: 0 }, 'Current value is 0: expected 0.001 to 1000000000.'],
    [{ months: 0 }, 'Time to the target is 0 months: expected 0.1 to 60 months.'],
    [{ target: -5 }, 'Target is -5: expected 0.001 to 1000000000.'],
  ])('%j is refused', (change, reason) => {
    expect(
      reasonOf(goalFeasibility({ current: 10, target: 12, months: 2, better: 'higher', ...change })),
    ).toBe(reason);
  });
});

describe('progress of a goal', () => {
  const goal = { start: 0, target: 100, started_at: 0, due_at: 100 * DAY };

  // By hand: 50 of 100 days have passed.
  test.each([
    [50, 'on_track', 100],
    [45, 'on_track', 90],
    [44, 'behind', 88],
    [55, 'on_track', 110],
    [56, 'ahead', 112],
    [100, 'reached', 200],
    [-10, 'behind', -20],
  ])('at half time, %d of 100 is %s, and leads to %d', (current, status, projected) => {
    const result = valueOf(goalProgress({ ...goal, current, now: 50 * DAY }));
    expect(result.percent).toBeCloseTo(current, 9);
    expect(result.time_percent).toBe(50);
    expect(result.status).toBe(status);
    expect(result.projected).toBeCloseTo(projected, 9);
  });

  test('by hand: a time that falls from 1500 to 1380 s on the way to 1300 s is at 60 %', () => {
    const result = valueOf(
      goalProgress({ ...goal, start: 1500, target: 1300, current: 1380, now: 40 * DAY }),
    );
    expect(result.percent).toBeCloseTo(60, 9);
    expect(result.status).toBe('ahead');
    expect(result.projected).toBeCloseTo(1200, 9);
  });

  test('by hand: after the due date a goal is missed, and progress is not extrapolated', () => {
    const result = valueOf(goalProgress({ ...goal, current: 80, now: 150 * DAY }));
    expect(result).toEqual({ percent: 80, time_percent: 100, status: 'missed', projected: 80 });
  });

  test('on the first day there is no projection', () => {
    expect(valueOf(goalProgress({ ...goal, current: 1, now: 3600 })).projected).toBeNull();
  });

  test('progress does not depend on the unit of the goal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }), (current, day) => {
        const metres = valueOf(
          goalProgress({ ...goal, current: 1000 * current, target: 100_000, now: day * DAY }),
        );
        const kilometres = valueOf(goalProgress({ ...goal, current, now: day * DAY }));
        expect(metres.percent).toBeCloseTo(kilometres.percent, 9);
        expect(metres.status).toBe(kilometres.status);
      }),
    );
  });

  test.each([
    [{ target: 0 }, 'Progress needs a target that differs from the start.'],
    [{ due_at: 0 }, 'The due date must be after the start of the goal.'],
    [{ now: NaN }, 'Progress needs finite values and times.'],
  ])('%j is refused', (change, reason) => {
    expect(reasonOf(goalProgress({ ...goal, current: 5, now: DAY, ...change }))).toBe(reason);
  });
});
