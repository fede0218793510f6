import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { meanOf, sampleDeviationOf } from '../statistics/spread.ts';

export interface Monotony {
  readonly weekly_load: number;
  /** Mean of the daily loads divided by their standard deviation; above 2, illness and overtraining are more likely. */
  readonly monotony: number;
  /** Weekly load × monotony. */
  readonly strain: number;
}

/** Training monotony and strain of one week (Foster 1998); `dailyLoads` has seven days, also days of rest. */
export function trainingMonotony(dailyLoads: readonly number[]): Computed<Monotony> {
  if (dailyLoads.length !== 7) {
    return refused(`Monotony needs the loads of seven days; there are ${dailyLoads.length}.`);
  }
  const problem = findOutOfBounds(
    dailyLoads.map((value) => ({ name: 'Load of a day', value, min: 0, max: 5000, unit: '' })),
  );
  if (problem !== undefined) return refused(problem);
  const mean = meanOf(dailyLoads) ?? 0;
  const deviation = sampleDeviationOf(dailyLoads) ?? 0;
  if (mean === 0) return refused('Monotony needs a week with training.');
  // Equal loads can leave a deviation of rounding errors, and a quotient of millions.
  if (deviation < mean * 1e-9) {
    return refused('Monotony is not defined for a week of equal loads, because they have no variation.');
  }
  const monotony = mean / deviation;
  return computed({ weekly_load: 7 * mean, monotony, strain: 7 * mean * monotony });
}
