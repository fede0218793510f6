import type { Nutrients } from '../foods/food.ts';
import type { Foods } from '../foods/foods.ts';
import { roundNutrients, roundTo, scaleNutrients, sumNutrients, toEnergyShares } from '../foods/nutrition.ts';
import type { EnergyShares, NutrientSum } from '../foods/nutrition.ts';
import { checkDiet } from './diet/check-diet.ts';
import type { DietReport } from './diet/check-diet.ts';
import { checkEnergy, checkShares, toTargetShares } from './meal-targets.ts';
import type { TargetCheck } from './meal-targets.ts';
import type { Ingredient, MealTiming, RecipeDraft } from './recipe.ts';
import { resolveIngredient } from './resolve-ingredient.ts';
import type { ResolvedIngredient, UnresolvedIngredient } from './resolve-ingredient.ts';

export interface AnalyzedIngredient extends Ingredient {
  readonly grams: number;
  readonly weight_basis: string;
  readonly food: {
    readonly fdc_id: string;
    readonly name: string;
    readonly confidence: number;
    /** Other foods of the name, if the match is not sure. */
    readonly alternatives: readonly string[];
  };
  readonly nutrients: Nutrients;
}

export interface RecipeAnalysis {
  /** True if every ingredient is resolved, no restriction is violated or unclear, and no target is off. */
  readonly valid: boolean;
  readonly name: string;
  readonly servings: number;
  readonly meal_timing: MealTiming;
  /** Sums of the resolved ingredients only; see `unresolved`. */
  readonly total: Nutrients;
  readonly per_serving: Nutrients;
  readonly serving_grams: number;
  readonly energy_shares: EnergyShares | null;
  readonly incomplete: NutrientSum['incomplete'];
  readonly targets: readonly TargetCheck[];
  readonly diet: readonly DietReport[];
  readonly ingredients: readonly AnalyzedIngredient[];
  readonly unresolved: readonly UnresolvedIngredient[];
}

/** Computes a recipe from its ingredients. `pinned` has the foods that were found when the recipe was saved, by position. */
export function analyzeRecipe(
  foods: Foods,
  draft: RecipeDraft,
  pinned: readonly string[] = [],
): RecipeAnalysis {
  const { name, servings, meal_timing: timing = 'general', dietary_restrictions: restrictions = [] } = draft;
  const { resolved, unresolved } = resolveAll(foods, draft.ingredients, pinned);
  const sum = sumNutrients(resolved.map(({ food, nutrients }) => ({ name: food.name, nutrients })));
  const perServing = scaleNutrients(sum.nutrients, 1 / servings);
  const shares = toEnergyShares(sum.nutrients);
  const targets = [
    ...checkShares(toTargetShares(timing, restrictions), shares),
    ...(draft.target_calories === undefined
      ? []
      : [checkEnergy(draft.target_calories, perServing.energy_kcal ?? 0)]),
  ];
  const dietIngredients = resolved.map(({ ingredient, food, nutrients }) => ({
    name: ingredient.name,
    food,
    nutrients,
  }));
  const diet = [...new Set(restrictions)].map((restriction) =>
    checkDiet(restriction, dietIngredients, unresolved.length === 0),
  );
  return {
    valid:
      unresolved.length === 0 &&
      diet.every(({ verdict }) => verdict === 'satisfied') &&
      targets.every(({ verdict }) => verdict !== 'off'),
    name,
    servings,
    meal_timing: timing,
    total: roundNutrients(sum.nutrients),
    per_serving: roundNutrients(perServing),
    serving_grams: roundTo(resolved.reduce((grams, item) => grams + item.grams, 0) / servings, 1),
    energy_shares: shares,
    incomplete: sum.incomplete,
    targets,
    diet,
    ingredients: resolved.map(toAnalyzed),
    unresolved,
  };
}

function resolveAll(
  foods: Foods,
  ingredients: readonly Ingredient[],
  pinned: readonly string[],
): { resolved: ResolvedIngredient[]; unresolved: UnresolvedIngredient[] } {
  const resolved: ResolvedIngredient[] = [];
  const unresolved: UnresolvedIngredient[] = [];
  for (const [index, ingredient] of ingredients.entries()) {
    const path = `ingredients[${index}]`;
    const result = resolveIngredient(foods, ingredient, { path, pinned: pinned[index] });
    if (result.resolved === undefined) unresolved.push(result.unresolved);
    else resolved.push(result.resolved);
  }
  return { resolved, unresolved };
}

function toAnalyzed(item: ResolvedIngredient): AnalyzedIngredient {
  const { ingredient, food, confidence, alternatives, grams, basis, nutrients } = item;
  return {
    ...ingredient,
    grams: roundTo(grams, 2),
    weight_basis: basis,
    food: { fdc_id: food.fdc_id, name: food.name, confidence, alternatives },
    nutrients: roundNutrients(nutrients),
  };
}
