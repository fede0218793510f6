import { findOutOfBounds } from '../bounds.ts';
import { refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';
import { vdot } from '../running/vdot.ts';

/**
 * VO2max in ml/kg/min from a race: VDOT is the VO2max of a runner of average economy with this result, so it is the
 * estimate itself, without another factor.
 */
export function raceVo2max(distance_m: number, time_s: number): Computed<number> {
  const estimate = vdot(distance_m, time_s);
  if (!estimate.ok) return estimate;
  const problem = findOutOfBounds([limited('vo2_max', estimate.value)]);
  return problem === undefined ? estimate : refused(problem);
}
