/** The data of one athlete at one provider, in SI units. Fields that a provider lacks are null; no value is invented. */

export const SPORT_TYPES = [
  'run',
  'ride',
  'swim',
  'walk',
  'hike',
  'strength',
  'row',
  'ski',
  'other',
] as const;
export type SportType = (typeof SPORT_TYPES)[number];

/** A place, as the provider or the server names it. */
export interface ActivityPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string | null;
}

/** Weather at the start of an activity. */
export interface ActivityWeather {
  readonly temperature_c: number;
  readonly humidity_percent: number;
  readonly wind_mps: number;
  readonly conditions: string;
}

export interface Activity {
  readonly id: string;
  readonly name: string;
  readonly sport_type: SportType;
  /** Unix time in seconds. */
  readonly start_time: number;
  /** Offset of local time from UTC at the start, in seconds; null if the provider gives none. */
  readonly utc_offset_s: number | null;
  readonly moving_time_s: number;
  readonly elapsed_time_s: number;
  readonly distance_m: number | null;
  readonly elevation_gain_m: number | null;
  readonly average_heart_rate: number | null;
  readonly max_heart_rate: number | null;
  readonly average_power_w: number | null;
  readonly max_power_w: number | null;
  /** By Coggan's definition; the load of a ride needs it, because average power hides hard efforts. */
  readonly normalized_power_w: number | null;
  readonly average_cadence_rpm: number | null;
  readonly energy_kcal: number | null;
  readonly place: ActivityPlace | null;
  readonly weather: ActivityWeather | null;
}

/** Samples of one activity; all arrays that are present have the length of `time_s`. A missing sample is null. */
export interface ActivityStreams {
  readonly time_s: readonly number[];
  readonly distance_m?: readonly (number | null)[];
  readonly heart_rate?: readonly (number | null)[];
  readonly power_w?: readonly (number | null)[];
  readonly cadence_rpm?: readonly (number | null)[];
  readonly speed_mps?: readonly (number | null)[];
  readonly altitude_m?: readonly (number | null)[];
  readonly latitude?: readonly (number | null)[];
  readonly longitude?: readonly (number | null)[];
}

export interface Athlete {
  readonly id: string;
  readonly name: string;
  readonly sex: 'male' | 'female' | null;
  readonly birth_year: number | null;
  readonly weight_kg: number | null;
  readonly height_cm: number | null;
  readonly max_heart_rate: number | null;
  readonly resting_heart_rate: number | null;
  readonly ftp_w: number | null;
  readonly lactate_threshold_heart_rate: number | null;
}

/** One night; `date` is the day of waking up, `YYYY-MM-DD`. */
export interface SleepNight {
  readonly date: string;
  readonly duration_hours: number;
  readonly efficiency_percent: number | null;
  readonly deep_sleep_hours: number | null;
  readonly rem_sleep_hours: number | null;
  readonly light_sleep_hours: number | null;
  readonly awakenings: number | null;
  readonly hrv_rmssd_ms: number | null;
}

/** Unix times in seconds; `after` is inclusive, `before` exclusive. */
export interface ActivityFilter {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly sport_type?: SportType | undefined;
}

export type ProviderFeature = 'activities' | 'streams' | 'sleep' | 'hrv' | 'weather' | 'place' | 'athlete';

/** One source of data. All methods return data of the given user only. */
export interface Provider {
  readonly name: string;
  readonly features: ReadonlySet<ProviderFeature>;
  /** Whether the user has data here. */
  isConnected(user: string): Promise<boolean>;
  /** The newest first. */
  listActivities(user: string, filter?: ActivityFilter, signal?: AbortSignal): Promise<readonly Activity[]>;
  findActivity(user: string, id: string, signal?: AbortSignal): Promise<Activity | undefined>;
  /** Undefined if the provider has no samples of the activity. */
  findStreams(user: string, id: string, signal?: AbortSignal): Promise<ActivityStreams | undefined>;
  findAthlete(user: string, signal?: AbortSignal): Promise<Athlete | undefined>;
  /** The oldest first; both days inclusive. */
  listSleep(
    user: string,
    days: { readonly from: string; readonly to: string },
    signal?: AbortSignal,
  ): Promise<readonly SleepNight[]>;
}
