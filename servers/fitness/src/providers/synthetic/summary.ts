import { normalizedPowerOf } from '../../activities/normalized-power.ts';
import type { Activity, ActivityStreams } from '../provider.ts';
import { BODY } from './athlete.ts';
import { DAY_S, toDate } from '../../calendar/days.ts';
import { utcOffsetOf } from './calendar.ts';
import { startOf } from './recording.ts';
import type { RecordingRequest } from './recording.ts';

type Samples = readonly (number | null)[] | undefined;

/** The summary of an activity, computed from its samples, so that both always agree. */
export function summarize(request: RecordingRequest, streams: ActivityStreams): Activity {
  const { seed, day, session, weather } = request;
  const { time_s, distance_m, heart_rate, power_w, altitude_m, cadence_rpm } = streams;
  const moving = movingTimeOf(time_s);
  const place = startOf(seed, day, session);
  const figures = {
    moving_time_s: moving,
    elapsed_time_s: time_s.at(-1) ?? 0,
    distance_m: distance_m?.at(-1) ?? null,
    elevation_gain_m: climbOf(altitude_m),
    average_heart_rate: meanOf(heart_rate),
    max_heart_rate: highestOf(heart_rate),
    average_power_w: meanOf(power_w),
    max_power_w: highestOf(power_w),
    normalized_power_w: normalizedPowerOf(streams),
    average_cadence_rpm: meanOf(cadence_rpm),
  };
  return {
    id: activityId(request),
    name: session.name,
    sport_type: session.sport,
    start_time: startTimeOf(request),
    utc_offset_s: utcOffsetOf(day),
    ...figures,
    energy_kcal: energyOf(request, figures),
    place,
    weather: place === null ? null : weather,
  };
}

export function activityId({ day, index }: Pick<RecordingRequest, 'day' | 'index'>): string {
  return `synthetic-${toDate(day)}-${index + 1}`;
}

export function startTimeOf({ day, session }: Pick<RecordingRequest, 'day' | 'session'>): number {
  return day * DAY_S + session.startsAt - utcOffsetOf(day);
}

/** Seconds between samples, without the stops. */
function movingTimeOf(time_s: readonly number[]): number {
  return Math.max(0, time_s.length - 1);
}

function meanOf(samples: Samples): number | null {
  if (samples === undefined || samples.length === 0) return null;
  const sum = samples.reduce<number>((total, sample) => total + (sample ?? 0), 0);
  return Math.round((10 * sum) / samples.length) / 10;
}

function highestOf(samples: Samples): number | null {
  return samples?.reduce<number>((highest, sample) => Math.max(highest, sample ?? 0), 0) ?? null;
}

function climbOf(samples: Samples): number | null {
  if (samples === undefined) return null;
  let climb = 0;
  let before = samples[0] ?? 0;
  for (const sample of samples) {
    const here = sample ?? before;
    climb += Math.max(0, here - before);
    before = here;
  }
  return Math.round(climb * 10) / 10;
}

type Figures = Pick<Activity, 'moving_time_s' | 'distance_m' | 'average_heart_rate' | 'average_power_w'>;

/** Efficiency of a cyclist's muscles. */
const EFFICIENCY = 0.24;
const KCAL_PER_KJ = 1 / 4.184;

/** From work on the bicycle, from distance on foot, otherwise from heart rate (Keytel and others 2005, women). */
function energyOf({ session, day }: RecordingRequest, figures: Figures): number {
  const { moving_time_s, distance_m, average_heart_rate, average_power_w } = figures;
  if (average_power_w !== null) {
    return Math.round(((average_power_w * moving_time_s) / 1000 / EFFICIENCY) * KCAL_PER_KJ);
  }
  if (session.sport === 'run') return Math.round((1.036 * BODY.weight_kg * (distance_m ?? 0)) / 1000);
  const age = new Date(day * DAY_S * 1000).getUTCFullYear() - BODY.birth_year;
  const rate = 0.4472 * (average_heart_rate ?? 0) - 0.1263 * BODY.weight_kg + 0.074 * age - 20.4022;
  return Math.round(Math.max(0, rate * KCAL_PER_KJ) * (moving_time_s / 60));
}
