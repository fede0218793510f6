import { AthleteFigures } from '../../../src/athlete/athlete-figures.ts';
import { DEFAULTS } from '../../../src/configuration/parameters.ts';
import type { Activity } from '../../../src/providers/provider.ts';

/** 2026-11-18, 12:00 UTC, in seconds. */
export const NOON: number = Date.parse('2026-11-18T12:00:00Z') / 1000;

/** An easy run of an hour and 10 km, in UTC. */
export function activityOf(changes: Partial<Activity> = {}): Activity {
  return {
    id: 'a1',
    name: 'Run',
    sport_type: 'run',
    start_time: NOON - 86_400,
    utc_offset_s: 0,
    moving_time_s: 3600,
    elapsed_time_s: 3600,
    distance_m: 10_000,
    elevation_gain_m: 50,
    average_heart_rate: 140,
    max_heart_rate: 155,
    average_power_w: null,
    max_power_w: null,
    normalized_power_w: null,
    average_cadence_rpm: null,
    energy_kcal: null,
    place: null,
    weather: null,
    ...changes,
  };
}

/** An athlete with FTP 250 W, LTHR 170 bpm, 50 to 190 bpm and 70 kg, unless changed; null is not known. */
export function athleteOf(
  changes: Partial<Record<'ftp' | 'lthr' | 'max_hr' | 'resting_hr' | 'weight_kg', number | null>> = {},
): AthleteFigures {
  const values = { ftp: 250, lthr: 170, max_hr: 190, resting_hr: 50, weight_kg: 70, ...changes };
  const rows = Object.entries(values).map(([figure, value]) => ({
    figure: figure as keyof typeof values,
    value,
    unit: '',
    source: 'provider' as const,
    formula: null,
  }));
  return new AthleteFigures({ config: {}, configuration: DEFAULTS, now: NOON * 1000 }, rows);
}
