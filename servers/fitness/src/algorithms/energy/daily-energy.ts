import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';

export const ACTIVITY_LEVELS = [
  'sedentary',
  'lightly_active',
  'moderately_active',
  'very_active',
  'extra_active',
] as const;
export type ActivityLevel = (typeof ACTIVITY_LEVELS)[number];

/** Total energy of a day as a multiple of resting energy (McArdle, Katch and Katch). */
const FACTORS: Readonly<Record<ActivityLevel, number>> = {
  sedentary: 1.2,
  lightly_active: 1.375,
  moderately_active: 1.55,
  very_active: 1.725,
  extra_active: 1.9,
};

/** Total daily energy expenditure in kcal. */
export function dailyEnergy(bmr_kcal: number, level: ActivityLevel): Computed<number> {
  return computeWithin(
    [{ name: 'Basal metabolic rate', value: bmr_kcal, min: 500, max: 5000, unit: 'kcal' }],
    () => bmr_kcal * FACTORS[level],
  );
}
