import { refused } from '../algorithms/computed.ts';
import type { Computed } from '../algorithms/computed.ts';
import { toPace } from '../algorithms/units/pace.ts';
import type { PaceUnit } from '../algorithms/units/pace.ts';
import type { Activity, SportType } from '../providers/provider.ts';

/** The unit of distance that paces of a sport are given for. */
export function paceUnitOf(sport: SportType): PaceUnit {
  return sport === 'swim' ? '100m' : 'km';
}

/** Seconds of moving time for one unit of distance. */
export function paceOf({ distance_m, moving_time_s, sport_type }: Activity): Computed<number> {
  if (distance_m === null || moving_time_s <= 0) return refused('The activity has no distance.');
  return toPace(distance_m / moving_time_s, paceUnitOf(sport_type));
}
