import { formatDuration, formatPace } from '../algorithms/units/pace.ts';
import type { Activity } from '../providers/provider.ts';
import { paceOf, paceUnitOf } from './pace.ts';
import { SPORT_NOUN } from './sport-nouns.ts';

/** `Run of 7.0 km in 39:59 (5:41 /km), 149 bpm on average.` */
export function describeActivity(activity: Activity): string {
  const { sport_type, distance_m, moving_time_s, average_heart_rate, normalized_power_w } = activity;
  const noun = SPORT_NOUN[sport_type];
  const distance = distance_m === null ? '' : ` of ${formatKilometres(distance_m)}`;
  const speed = formatSpeed(activity);
  const averages = [
    ...(average_heart_rate === null ? [] : [`${Math.round(average_heart_rate)} bpm on average`]),
    ...(normalized_power_w === null ? [] : [`${Math.round(normalized_power_w)} W normalized`]),
  ];
  const start = `${noun[0]?.toUpperCase()}${noun.slice(1)}${distance} in ${formatDuration(moving_time_s)}${speed}`;
  return `${[start, ...averages].join(', ')}.`;
}

export function formatKilometres(metres: number): string {
  return `${(metres / 1000).toFixed(1)} km`;
}

/** People know the speed of a ride and the pace of other sports. */
function formatSpeed(activity: Activity): string {
  const { sport_type, distance_m, moving_time_s } = activity;
  const pace = paceOf(activity);
  if (!pace.ok || distance_m === null) return '';
  if (sport_type === 'ride') return ` (${((3.6 * distance_m) / moving_time_s).toFixed(1)} km/h)`;
  return ` (${formatPace(pace.value, paceUnitOf(sport_type))})`;
}
