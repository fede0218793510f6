import type { Computed } from '../computed.ts';
import { vdot } from '../running/vdot.ts';
import { plausibleVo2max } from './plausible-vo2max.ts';

/**
 * VO2max in ml/kg/min from a race: VDOT is the VO2max of a runner of average economy with this result, so it is the
 * estimate itself, without another factor.
 */
export function raceVo2max(distance_m: number, time_s: number): Computed<number> {
  return plausibleVo2max(vdot(distance_m, time_s));
}
