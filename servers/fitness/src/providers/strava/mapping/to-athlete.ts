import { z } from 'zod';
import type { Athlete } from '../../provider.ts';

export const STRAVA_ATHLETE = z.object({
  id: z.union([z.number().int().positive(), z.string()]),
  firstname: z.string().nullish(),
  lastname: z.string().nullish(),
  sex: z.string().nullish(),
  weight: z.number().nonnegative().nullish(),
  ftp: z.number().nonnegative().nullish(),
});

const SEXES = new Map<string, Athlete['sex']>([
  ['M', 'male'],
  ['F', 'female'],
]);

/** Strava gives neither the age nor the height, nor heart rates. */
export function toAthlete(athlete: z.output<typeof STRAVA_ATHLETE>): Athlete {
  return {
    id: String(athlete.id),
    name: [athlete.firstname, athlete.lastname].filter(Boolean).join(' '),
    sex: SEXES.get(athlete.sex ?? '') ?? null,
    birth_year: null,
    // Strava has 0 for an athlete who has not entered a weight.
    weight_kg: athlete.weight || null,
    height_cm: null,
    max_heart_rate: null,
    resting_heart_rate: null,
    ftp_w: athlete.ftp || null,
    lactate_threshold_heart_rate: null,
  };
}
