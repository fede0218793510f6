import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { linearRegression } from '../statistics/linear-regression.ts';
import { meanOf } from '../statistics/spread.ts';

export interface VolumeProgression {
  /** Slope of the line through the weeks, as a share of their mean, a week. */
  readonly slope: number;
  readonly direction: 'increasing' | 'stable' | 'decreasing';
  /** Indexes of weeks more than 10 % above the week before. */
  readonly jumps: readonly number[];
}

/** Weekly volumes (hours, metres or load), the oldest first; a slope within ±5 % of the mean a week is stable. */
export function volumeProgression(weekly: readonly number[]): Computed<VolumeProgression> {
  if (weekly.length < 3) {
    return refused(`A volume progression needs at least three weeks; there are ${weekly.length}.`);
  }
  const problem = findOutOfBounds(
    weekly.map((value) => ({ name: 'Volume of a week', value, min: 0, max: 1e9, unit: '' })),
  );
  if (problem !== undefined) return refused(problem);
  const mean = meanOf(weekly) ?? 0;
  if (mean === 0) return refused('A volume progression needs weeks with training.');
  const fit = linearRegression([...weekly.keys()], weekly);
  if (!fit.ok) return fit;
  const slope = fit.value.slope / mean;
  return computed({
    slope,
    direction: slope > 0.05 ? 'increasing' : slope < -0.05 ? 'decreasing' : 'stable',
    jumps: weekly.flatMap((volume, week) => {
      const before = weekly[week - 1] ?? 0;
      return before > 0 && volume > 1.1 * before ? [week] : [];
    }),
  });
}
