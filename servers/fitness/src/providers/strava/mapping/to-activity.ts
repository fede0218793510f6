import { z } from 'zod';
import type { Activity, ActivityPlace } from '../../provider.ts';
import { toSportType } from './sport-types.ts';

const FIGURE = z.number().nonnegative().nullish();

export const STRAVA_ACTIVITY = z.object({
  id: z.union([z.number().int().positive(), z.string().regex(/^\d+$/)]),
  name: z.string().default(''),
  sport_type: z.string().optional(),
  type: z.string().optional(),
  start_date: z.iso.datetime(),
  utc_offset: z.number().nullish(),
  moving_time: z.number().nonnegative(),
  elapsed_time: z.number().nonnegative(),
  distance: FIGURE,
  total_elevation_gain: FIGURE,
  average_heartrate: FIGURE,
  max_heartrate: FIGURE,
  average_watts: FIGURE,
  max_watts: FIGURE,
  /** Strava's own formula, near to normalized power. */
  weighted_average_watts: FIGURE,
  /** False if Strava has estimated the power. */
  device_watts: z.boolean().nullish(),
  average_cadence: FIGURE,
  calories: FIGURE,
  start_latlng: z.array(z.number()).nullish(),
});

export type StravaActivity = z.output<typeof STRAVA_ACTIVITY>;

export function toActivity(activity: StravaActivity): Activity {
  // Activities without distance, such as strength training, have 0.
  const distance = activity.distance === 0 ? null : (activity.distance ?? null);
  const isMeasured = activity.device_watts === true;
  return {
    id: String(activity.id),
    name: activity.name,
    sport_type: toSportType(activity.sport_type ?? activity.type),
    start_time: Math.floor(Date.parse(activity.start_date) / 1000),
    utc_offset_s: activity.utc_offset ?? null,
    moving_time_s: activity.moving_time,
    elapsed_time_s: activity.elapsed_time,
    distance_m: distance,
    elevation_gain_m: distance === null ? null : (activity.total_elevation_gain ?? null),
    average_heart_rate: activity.average_heartrate ?? null,
    max_heart_rate: activity.max_heartrate ?? null,
    average_power_w: isMeasured ? (activity.average_watts ?? null) : null,
    max_power_w: isMeasured ? (activity.max_watts ?? null) : null,
    normalized_power_w: isMeasured ? (activity.weighted_average_watts ?? null) : null,
    average_cadence_rpm: activity.average_cadence ?? null,
    // Only details have it; the work in kilojoules is not energy in kilocalories.
    energy_kcal: activity.calories ?? null,
    place: toPlace(activity.start_latlng),
    weather: null,
  };
}

function toPlace(position: StravaActivity['start_latlng']): ActivityPlace | null {
  const [latitude, longitude] = position ?? [];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude, name: null };
}
