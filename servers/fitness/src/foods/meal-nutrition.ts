import type { Nutrients } from './food.ts';
import type { Foods } from './foods.ts';
import { roundNutrients, roundTo, scaleNutrients, sumNutrients, toEnergyShares } from './nutrition.ts';
import type { EnergyShares, NutrientSum } from './nutrition.ts';
import { NutritionError } from './nutrition-error.ts';
import type { NutritionIssue } from './nutrition-error.ts';

export interface MealItem {
  readonly fdc_id: string | number;
  readonly grams: number;
}

export interface MealFood {
  readonly fdc_id: string;
  readonly name: string;
  readonly grams: number;
  readonly nutrients: Nutrients;
}

export interface MealNutrition {
  readonly total_grams: number;
  readonly totals: Nutrients;
  readonly energy_shares: EnergyShares | null;
  /** Nutrients that were not measured in some of the foods, so their totals are too low. */
  readonly incomplete: NutrientSum['incomplete'];
  readonly foods: readonly MealFood[];
}

export const MAX_GRAMS = 100_000;
export const MAX_FOODS = 200;

/** The nutrition of a meal. One error names every unknown food and every invalid weight. */
export function computeMeal(foods: Foods, items: readonly MealItem[]): MealNutrition {
  if (items.length === 0 || items.length > MAX_FOODS)
    throw new NutritionError('invalid_input', [
      { path: 'foods', message: `Invalid number of foods ${items.length}: give 1 to ${MAX_FOODS} foods.` },
    ]);
  const issues: NutritionIssue[] = [];
  const unknown: NutritionIssue[] = [];
  const portions: {
    readonly name: string;
    readonly fdcId: string;
    readonly grams: number;
    readonly nutrients: Nutrients;
  }[] = [];
  for (const [index, { fdc_id: id, grams }] of items.entries()) {
    const path = `foods[${index}]`;
    if (!(grams > 0 && grams <= MAX_GRAMS))
      issues.push({
        path: `${path}.grams`,
        message: `Invalid weight ${grams}: use more than 0 and at most ${MAX_GRAMS} grams.`,
      });
    try {
      const { name, fdc_id: fdcId, nutrients_per_100g: per100g } = foods.get(id, `${path}.fdc_id`);
      portions.push({ name, fdcId, grams, nutrients: scaleNutrients(per100g, grams / 100) });
    } catch (error) {
      if (!(error instanceof NutritionError)) throw error;
      (error.code === 'unknown_food' ? unknown : issues).push(...error.issues);
    }
  }
  if (issues.length > 0) throw new NutritionError('invalid_input', [...issues, ...unknown]);
  if (unknown.length > 0) throw new NutritionError('unknown_food', unknown);
  const { nutrients, incomplete } = sumNutrients(portions);
  return {
    total_grams: roundTo(
      portions.reduce((sum, { grams }) => sum + grams, 0),
      2,
    ),
    totals: roundNutrients(nutrients),
    energy_shares: toEnergyShares(nutrients),
    incomplete,
    foods: portions.map(({ fdcId, name, grams, nutrients }) => ({
      fdc_id: fdcId,
      name,
      grams,
      nutrients: roundNutrients(nutrients),
    })),
  };
}
