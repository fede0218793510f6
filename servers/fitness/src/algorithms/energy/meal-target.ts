import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { KCAL_PER_G } from './macronutrients.ts';
import type { Macronutrients } from './macronutrients.ts';

/** Share of the day, energy without knowledge of the day, and percent of carbohydrate, protein and fat. */
const MEALS = {
  pre_training: { share: 0.175, kcal: 400, carbohydrate: 55, protein: 20, fat: 25 },
  post_training: { share: 0.275, kcal: 600, carbohydrate: 45, protein: 30, fat: 25 },
  rest_day: { share: 0.25, kcal: 500, carbohydrate: 35, protein: 30, fat: 35 },
  general: { share: 0.25, kcal: 500, carbohydrate: 45, protein: 25, fat: 30 },
} as const;

export type MealTiming = keyof typeof MEALS;

export interface MealEnergy {
  /** Energy that the caller sets; it takes precedence. */
  readonly calories?: number | undefined;
  readonly tdee?: number | undefined;
}

/** Energy and macronutrients of one meal. */
export function mealTarget(timing: MealTiming, energy: MealEnergy = {}): Computed<Macronutrients> {
  const meal = MEALS[timing];
  const bounds = { min: 800, max: 10_000, unit: 'kcal' };
  const kcal = energy.calories ?? (energy.tdee === undefined ? meal.kcal : energy.tdee * meal.share);
  return computeWithin(
    [
      ...(energy.tdee === undefined ? [] : [{ name: 'Energy of the day', value: energy.tdee, ...bounds }]),
      { name: 'Energy of the meal', value: kcal, min: 50, max: 5000, unit: 'kcal' },
    ],
    () => ({
      energy_kcal: kcal,
      carbohydrate_g: (kcal * meal.carbohydrate) / 100 / KCAL_PER_G.carbohydrate,
      protein_g: (kcal * meal.protein) / 100 / KCAL_PER_G.protein,
      fat_g: (kcal * meal.fat) / 100 / KCAL_PER_G.fat,
    }),
  );
}
