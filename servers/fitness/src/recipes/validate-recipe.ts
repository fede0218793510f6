import type { Foods } from '../foods/foods.ts';
import { analyzeRecipe } from './analyze-recipe.ts';
import type { RecipeAnalysis } from './analyze-recipe.ts';
import type { RecipeDraft } from './recipe.ts';
import { assertDraft } from './validate-draft.ts';

/** Computes a recipe that is not saved. Invalid values are an error; unresolved ingredients are in the result. */
export function validateRecipe(foods: Foods, draft: RecipeDraft): RecipeAnalysis {
  assertDraft(draft);
  return analyzeRecipe(foods, draft);
}
