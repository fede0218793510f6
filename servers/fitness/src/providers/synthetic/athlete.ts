import type { Athlete } from '../provider.ts';
import type { Day } from '../../calendar/days.ts';
import { fitnessOf } from './season.ts';

export const BODY = {
  weight_kg: 63.5,
  height_cm: 171,
  birth_year: 1988,
  max_heart_rate: 188,
  resting_heart_rate: 48,
  lactate_threshold_heart_rate: 170,
} as const;

/** Home of the demonstration athlete. */
export const HOME = { latitude: 47.999, longitude: 7.842, name: 'Freiburg im Breisgau' } as const;

const BEST_FTP_W = 248;
const BEST_THRESHOLD_SPEED_MPS = 3.95;

/** Power and running speed that the athlete can hold for about an hour. */
export function thresholdsOf(seed: number, day: Day): { readonly ftp_w: number; readonly speed_mps: number } {
  const fitness = fitnessOf(seed, day);
  return { ftp_w: BEST_FTP_W * fitness, speed_mps: BEST_THRESHOLD_SPEED_MPS * fitness };
}

export function demonstrationAthlete(seed: number, day: Day): Athlete {
  return {
    id: 'demonstration',
    name: 'Demonstration athlete',
    sex: 'female',
    ...BODY,
    ftp_w: Math.round(thresholdsOf(seed, day).ftp_w),
  };
}
