import * as z from 'zod';
import { RESTRICTIONS } from '../../recipes/diet/restriction.ts';
import { MEAL_TIMINGS } from '../../recipes/recipe.ts';
import { UNITS } from '../../recipes/units.ts';
import { RECIPE_LIMITS } from '../../recipes/validate-draft.ts';

/** A string that is not blank. */
export function text(max: number): z.ZodString {
  return z.string().max(max).regex(/\S/);
}

const ingredient = z.object({
  name: text(RECIPE_LIMITS.name).describe('Name of a food, or its fdc_id'),
  amount: z.number().positive().max(RECIPE_LIMITS.amount),
  unit: z.enum(UNITS),
  preparation: text(RECIPE_LIMITS.name).optional().describe('For example cooked or chopped'),
});

export const mealTiming = z.enum(MEAL_TIMINGS);
export const restrictions = z.array(z.enum(RESTRICTIONS)).max(RESTRICTIONS.length).optional();
export const minutes = z.number().min(0).max(RECIPE_LIMITS.minutes).optional();
export const tags = z.array(text(RECIPE_LIMITS.tag)).max(RECIPE_LIMITS.tags).optional();
export const recipeId = z.string().min(1).max(100);

/** The arguments of a recipe that is not saved. Nutrition is computed: it is no argument. */
export const draftArguments = {
  name: text(RECIPE_LIMITS.name),
  servings: z.number().positive().max(RECIPE_LIMITS.servings),
  ingredients: z.array(ingredient).min(1).max(RECIPE_LIMITS.ingredients),
  meal_timing: mealTiming.optional().describe('Default: general'),
  target_calories: z
    .number()
    .min(RECIPE_LIMITS.target_kcal.min)
    .max(RECIPE_LIMITS.target_kcal.max)
    .optional()
    .describe('kcal of one serving'),
  dietary_restrictions: restrictions,
};
