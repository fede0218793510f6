import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { exponentialAverage } from '../statistics/moving-average.ts';

/** Load after one day: chronic (fitness), acute (fatigue) and their difference (form). */
export interface DayLoad {
  readonly ctl: number;
  readonly atl: number;
  readonly tsb: number;
}

/**
 * `time_constant` weighs a day with 1 − e^(−1/N), as Coggan published it; `span` weighs it with 2 / (N + 1), about
 * twice as much, as averages of N values in other fields do.
 */
export type LoadSmoothing = 'time_constant' | 'span';

export interface LoadOptions {
  readonly smoothing?: LoadSmoothing;
  /** Load before the first day; default 0. */
  readonly initial_ctl?: number;
  readonly initial_atl?: number;
  readonly ctl_days?: number;
  readonly atl_days?: number;
}

const WEIGHTS: Record<LoadSmoothing, (days: number) => number> = {
  time_constant: (days) => 1 - Math.exp(-1 / days),
  span: (days) => 2 / (days + 1),
};

/** CTL (42 days), ATL (7 days) and TSB = CTL − ATL after each day. `dailyLoads` has every day, also days of rest. */
export function trainingLoad(
  dailyLoads: readonly number[],
  options: LoadOptions = {},
): Computed<readonly DayLoad[]> {
  const { initial_ctl = 0, initial_atl = 0, ctl_days = 42, atl_days = 7 } = options;
  if (dailyLoads.length === 0) return refused('Training load needs at least one day.');
  const problem = findOutOfBounds([
    { name: 'Time constant of CTL', value: ctl_days, min: 7, max: 100, unit: 'days' },
    { name: 'Time constant of ATL', value: atl_days, min: 1, max: 30, unit: 'days' },
    { name: 'CTL before the first day', value: initial_ctl, min: 0, max: 1000, unit: '' },
    { name: 'ATL before the first day', value: initial_atl, min: 0, max: 1000, unit: '' },
    ...dailyLoads.map((value) => ({ name: 'Load of a day', value, min: 0, max: 2000, unit: '' })),
  ]);
  if (problem !== undefined) return refused(problem);
  const weight = WEIGHTS[options.smoothing ?? 'time_constant'];
  const atls = exponentialAverage(dailyLoads, weight(atl_days), initial_atl);
  const ctls = exponentialAverage(dailyLoads, weight(ctl_days), initial_ctl);
  return computed(
    ctls.map((ctl, index) => {
      const atl = atls[index] ?? 0;
      return { ctl, atl, tsb: ctl - atl };
    }),
  );
}
