import { vdot } from '../../algorithms/running/vdot.ts';
import type { Activity } from '../../providers/provider.ts';

/** A run that predictions are computed from. */
export interface BasePerformance {
  readonly activity: Activity;
  readonly distance_m: number;
  readonly vdot: number;
}

/** A newer run says more about today than an older one that was hardly better. */
const NEARLY_BEST = 0.97;

/** The newest run whose VDOT is within 3 % of the highest. `runs` has the oldest first. Undefined if VDOT applies to none. */
export function findBasePerformance(runs: readonly Activity[]): BasePerformance | undefined {
  const performances = runs.flatMap((activity): readonly BasePerformance[] => {
    const { distance_m, moving_time_s } = activity;
    const value = distance_m === null ? undefined : vdot(distance_m, moving_time_s);
    return distance_m === null || !value?.ok ? [] : [{ activity, distance_m, vdot: value.value }];
  });
  const highest = performances.reduce((high, { vdot: value }) => Math.max(high, value), 0);
  return performances.findLast(({ vdot: value }) => value >= NEARLY_BEST * highest);
}
