import type { Activity } from '../providers/provider.ts';
import { toLocalStart } from './local-time.ts';

/** The main figures of an activity. Rows of one list have the same members, so that they are a table. */
export interface ActivityRow {
  readonly id: string;
  readonly name: string;
  readonly sport_type: string;
  /** ISO 8601, local time. */
  readonly start: string;
  readonly distance_m: number | null;
  readonly moving_time_s: number;
  readonly average_heart_rate: number | null;
  readonly average_power_w: number | null;
}

export function toActivityRow(activity: Activity): ActivityRow {
  const { id, name, sport_type, distance_m, moving_time_s, average_heart_rate, average_power_w } = activity;
  const start = toLocalStart(activity);
  return { id, name, sport_type, start, distance_m, moving_time_s, average_heart_rate, average_power_w };
}

/** Everything about an activity, without nested objects. */
export function toDetailedRow(activity: Activity): ActivityRow & Readonly<Record<string, unknown>> {
  const { place, weather, start_time: _start, utc_offset_s: _offset, ...figures } = activity;
  return {
    ...toActivityRow(activity),
    ...figures,
    place: place?.name ?? null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    temperature_c: weather?.temperature_c ?? null,
    humidity_percent: weather?.humidity_percent ?? null,
    wind_mps: weather?.wind_mps ?? null,
    conditions: weather?.conditions ?? null,
  };
}
