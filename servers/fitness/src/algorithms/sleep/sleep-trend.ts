import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { linearRegression } from '../statistics/linear-regression.ts';
import { meanOf } from '../statistics/spread.ts';

export interface SleepTrend {
  readonly average: number;
  /** Change in points a week, from a line through all nights. */
  readonly change_per_week: number;
  readonly r_squared: number;
  readonly direction: 'improving' | 'stable' | 'declining';
}

/**
 * The trend of sleep scores, the oldest first; a change within ±2 points a week is stable. `days` are the days of the nights; default: one
 * night after the other.
 */
export function sleepTrend(
  scores: readonly number[],
  days: readonly number[] = [...scores.keys()],
): Computed<SleepTrend> {
  if (scores.length < 7) {
    return refused(`A sleep trend needs at least seven nights; there are ${scores.length}.`);
  }
  const fit = linearRegression(days, scores);
  if (!fit.ok) return fit;
  const change = fit.value.slope * 7;
  return computed({
    average: meanOf(scores) ?? 0,
    change_per_week: change,
    r_squared: fit.value.r_squared,
    direction: change > 2 ? 'improving' : change < -2 ? 'declining' : 'stable',
  });
}
