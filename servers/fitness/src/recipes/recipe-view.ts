import type { Nutrients } from '../foods/food.ts';
import type { AnalyzedIngredient, RecipeAnalysis } from './analyze-recipe.ts';
import type { RecipePage, RecipeSummary, StoredRecipe } from './recipes.ts';

type MainNutrients = Pick<Nutrients, 'energy_kcal' | 'protein_g' | 'carbohydrate_g' | 'fat_g'>;

/** The computed part of a recipe, with rows without nested objects. */
export function toAnalysisView(analysis: RecipeAnalysis): object {
  const { name: _name, ingredients, unresolved, diet, incomplete, targets, ...figures } = analysis;
  return {
    ...figures,
    targets: targets.map(({ advice = null, ...check }) => ({ ...check, advice })),
    incomplete: incomplete.map(({ nutrient, foods }) => ({ nutrient, foods: foods.join('; ') })),
    ingredients: ingredients.map(toIngredientRow),
    // The name of an ingredient may have matched a food that was not meant.
    unsure: ingredients
      .filter(({ food }) => food.alternatives.length > 0)
      .map(({ name, food }) => ({
        ingredient: name,
        food: food.name,
        alternatives: food.alternatives.join('; '),
      })),
    unresolved: unresolved.map(({ choices, ...rest }) => ({ ...rest, choices: choices.join('; ') })),
    diet: diet.map(({ restriction, verdict }) => ({ restriction, verdict })),
    diet_reasons: diet.flatMap(({ restriction, reasons }) =>
      reasons.map((reason) => ({ restriction, ...reason })),
    ),
  };
}

export function toStoredView({ recipe_id, created_at, recipe, analysis }: StoredRecipe): object {
  const { name, instructions, description, prep_time_mins, cook_time_mins, tags = [] } = recipe;
  return {
    recipe_id,
    name,
    description: description ?? null,
    created_at,
    prep_time_mins: prep_time_mins ?? null,
    cook_time_mins: cook_time_mins ?? null,
    tags,
    instructions,
    ...toAnalysisView(analysis),
  };
}

export function toPageView({ total, offset, recipes }: RecipePage): object {
  const next = offset + recipes.length;
  return {
    total,
    returned: recipes.length,
    offset,
    ...(next < total && { next_offset: next }),
    recipes: recipes.map(toSummaryRow),
  };
}

function toSummaryRow({ per_serving, tags, ...summary }: RecipeSummary): object {
  return { ...summary, tags: tags.join(', '), ...per_serving };
}

function toIngredientRow({ preparation, food, nutrients, ...ingredient }: AnalyzedIngredient): object {
  const { fdc_id, name, confidence } = food;
  return {
    ...ingredient,
    preparation: preparation ?? null,
    fdc_id,
    food: name,
    confidence,
    ...toMainNutrients(nutrients),
  };
}

function toMainNutrients({ energy_kcal, protein_g, carbohydrate_g, fat_g }: Nutrients): MainNutrients {
  return { energy_kcal, protein_g, carbohydrate_g, fat_g };
}
