import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { plausibleVo2max } from './plausible-vo2max.ts';

/** VO2max in ml/kg/min from the distance of a 12-minute run (Cooper 1968). */
export function cooperVo2max(distance_m: number): Computed<number> {
  return plausibleVo2max(
    computeWithin(
      [{ name: 'Distance in 12 minutes', value: distance_m, min: 1400, max: 4500, unit: 'm' }],
      () => (distance_m - 504.9) / 44.73,
    ),
  );
}
