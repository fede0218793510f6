import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';
import type { ActivityLevel } from './daily-energy.ts';

export const TRAINING_GOALS = [
  'maintenance',
  'weight_loss',
  'muscle_gain',
  'strength_performance',
  'endurance_performance',
] as const;
export type TrainingGoal = (typeof TRAINING_GOALS)[number];

export interface MacronutrientInput {
  readonly weight_kg: number;
  readonly energy_kcal: number;
  readonly activity_level: ActivityLevel;
  readonly training_goal: TrainingGoal;
}

export interface Macronutrients {
  readonly protein_g: number;
  readonly carbohydrate_g: number;
  readonly fat_g: number;
  /** Energy of the three. It differs from the given energy where fat meets an end of 20 to 35 %. */
  readonly energy_kcal: number;
}

export const KCAL_PER_G = { protein: 4, carbohydrate: 4, fat: 9 } as const;
const FAT_SHARE = { min: 0.2, max: 0.35 } as const;

/** Protein and carbohydrate by body weight, fat from the rest of the energy within 20 to 35 % of it. */
export function macronutrients(input: MacronutrientInput): Computed<Macronutrients> {
  const { weight_kg, energy_kcal } = input;
  return computeWithin(
    [
      limited('weight_kg', weight_kg),
      { name: 'Energy', value: energy_kcal, min: 800, max: 10_000, unit: 'kcal' },
    ],
    () => {
      const protein_g = proteinPerKg(input) * weight_kg;
      const carbohydrate_g = carbohydratePerKg(input) * weight_kg;
      const rest = energy_kcal - KCAL_PER_G.protein * protein_g - KCAL_PER_G.carbohydrate * carbohydrate_g;
      const share = Math.max(FAT_SHARE.min, Math.min(FAT_SHARE.max, rest / energy_kcal));
      const fat_g = (share * energy_kcal) / KCAL_PER_G.fat;
      return {
        protein_g,
        carbohydrate_g,
        fat_g,
        energy_kcal: energyOf({ protein_g, carbohydrate_g, fat_g }),
      };
    },
  );
}

/** Energy in kcal of macronutrients, by Atwater's factors 4, 4 and 9. */
export function energyOf(grams: Omit<Macronutrients, 'energy_kcal'>): number {
  return (
    KCAL_PER_G.protein * grams.protein_g +
    KCAL_PER_G.carbohydrate * grams.carbohydrate_g +
    KCAL_PER_G.fat * grams.fat_g
  );
}

type Choice = Pick<MacronutrientInput, 'activity_level' | 'training_goal'>;

/** Weight loss needs 1.8 g/kg whatever the activity, to keep muscle; otherwise activity decides, then the goal. */
export function proteinPerKg({ activity_level, training_goal }: Choice): number {
  if (training_goal === 'weight_loss') return 1.8;
  if (activity_level === 'sedentary') return 0.8;
  if (activity_level === 'lightly_active' || activity_level === 'moderately_active') return 1.3;
  if (training_goal === 'endurance_performance') return 2;
  return training_goal === 'maintenance' ? 1.8 : 2.2;
}

export function carbohydratePerKg({ activity_level, training_goal }: Choice): number {
  if (activity_level === 'sedentary' || activity_level === 'lightly_active') return 3;
  if (training_goal === 'endurance_performance') return 10;
  return activity_level === 'moderately_active' ? 6 : 7.2;
}
