import { roundTo } from '../foods/nutrition.ts';
import type { EnergyShares } from '../foods/nutrition.ts';
import type { Restriction } from './diet/restriction.ts';
import type { MealTiming } from './recipe.ts';

interface MealTarget {
  readonly shares: EnergyShares;
  readonly tdee_percent: number;
  readonly default_kcal: number;
}

const toShares = (carbohydrate: number, protein: number, fat: number): EnergyShares => ({
  carbohydrate_percent: carbohydrate,
  protein_percent: protein,
  fat_percent: fat,
});

/** Energy of a meal as a share of the day's, or without one in kcal, and its macronutrients. */
export const MEAL_TARGETS: Readonly<Record<MealTiming, MealTarget>> = {
  pre_training: { shares: toShares(55, 20, 25), tdee_percent: 17.5, default_kcal: 400 },
  post_training: { shares: toShares(45, 30, 25), tdee_percent: 27.5, default_kcal: 600 },
  rest_day: { shares: toShares(35, 30, 35), tdee_percent: 25, default_kcal: 500 },
  general: { shares: toShares(45, 25, 30), tdee_percent: 25, default_kcal: 500 },
};

/** A difference in percentage points, or in percent of the energy, up to which a target is met, and up to which it is near. */
const MET = 5;
const NEAR = 10;

export interface TargetCheck {
  readonly name: 'carbohydrate_percent' | 'protein_percent' | 'fat_percent' | 'energy_kcal';
  readonly target: number;
  readonly actual: number;
  readonly difference: number;
  readonly verdict: 'met' | 'near' | 'off';
  /** Absent if the target is met. */
  readonly advice?: string;
}

/** The shares of a meal. Keto limits carbohydrate to 10 % of the energy; fat makes up the rest. */
export function toTargetShares(timing: MealTiming, restrictions: readonly Restriction[] = []): EnergyShares {
  const { shares } = MEAL_TARGETS[timing];
  if (!restrictions.includes('keto')) return shares;
  return toShares(10, shares.protein_percent, 90 - shares.protein_percent);
}

/** Compares one serving with the targets of its meal. `actual` is null if the serving has no energy. */
export function checkShares(target: EnergyShares, actual: EnergyShares | null): readonly TargetCheck[] {
  if (actual === null) return [];
  return (['carbohydrate_percent', 'protein_percent', 'fat_percent'] as const).map((name) =>
    toCheck({ name, target: target[name], actual: actual[name], spread: actual[name] - target[name] }),
  );
}

export function checkEnergy(targetKcal: number, actualKcal: number): TargetCheck {
  const spread = (100 * (actualKcal - targetKcal)) / targetKcal;
  return toCheck({ name: 'energy_kcal', target: targetKcal, actual: roundTo(actualKcal, 1), spread });
}

interface Comparison {
  readonly name: TargetCheck['name'];
  readonly target: number;
  readonly actual: number;
  /** Signed, in percentage points or percent. */
  readonly spread: number;
}

function toCheck({ name, target, actual, spread }: Comparison): TargetCheck {
  // The difference is judged as it is shown.
  const size = roundTo(Math.abs(spread), 1);
  const verdict = size <= MET ? 'met' : size <= NEAR ? 'near' : 'off';
  const check = { name, target, actual, difference: roundTo(actual - target, 1), verdict } as const;
  return verdict === 'met' ? check : { ...check, advice: toAdvice(name, spread > 0) };
}

const FOODS_OF: Readonly<Record<Exclude<TargetCheck['name'], 'energy_kcal'>, string>> = {
  carbohydrate_percent: 'foods with carbohydrate, such as rice, oats, bread or fruit',
  protein_percent: 'foods with protein, such as lean meat, fish, eggs, tofu or legumes',
  fat_percent: 'foods with fat, such as oil, nuts, cheese or fatty meat',
};

function toAdvice(name: TargetCheck['name'], tooMuch: boolean): string {
  if (name === 'energy_kcal') return tooMuch ? 'Make the serving smaller.' : 'Make the serving larger.';
  return `Use ${tooMuch ? 'fewer' : 'more'} ${FOODS_OF[name]}.`;
}
