import * as z from 'zod';
import { getRecipeConstraints } from '../../recipes/recipe-constraints.ts';
import { toAnalysisView } from '../../recipes/recipe-view.ts';
import { validateRecipe } from '../../recipes/validate-recipe.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { FitnessTool } from '../define-tool.ts';
import { draftArguments, mealTiming, restrictions } from './recipe-arguments.ts';

const maxMinutes = z.number().min(1).max(1440).optional();

const getConstraints = defineFitnessTool({
  name: 'get_recipe_constraints',
  title: 'Limits of a recipe',
  description:
    'Returns energy, macronutrients and rules for a recipe before you write it, by the time of the meal and the diet.',
  synonyms: ['what to cook', 'meal plan', 'vegan', 'vegetarian', 'dinner', 'macros of a meal'],
  effect: 'reads',
  hasRows: true,
  arguments: {
    meal_timing: mealTiming,
    calories: z.number().min(50).max(5000).optional().describe('kcal of the meal; else a share of tdee'),
    tdee: z.number().min(800).max(10_000).optional().describe('kcal of the day'),
    dietary_restrictions: restrictions,
    max_prep_time_mins: maxMinutes,
    max_cook_time_mins: maxMinutes,
  },
  run: ({ input }) => {
    const { units, notes, ...constraints } = getRecipeConstraints(input);
    return { data: { ...constraints, units: units.join(', ') }, notes };
  },
});

const validate = defineFitnessTool({
  name: 'validate_recipe',
  title: 'Check a recipe',
  description:
    'Computes the nutrition of a recipe from its ingredients, and checks targets and dietary restrictions. Saves nothing.',
  synonyms: ['fits my diet', 'vegan', 'healthy', 'calories of a recipe'],
  effect: 'reads',
  hasRows: true,
  arguments: draftArguments,
  run: ({ input, context }) => {
    const analysis = validateRecipe(context.foods, input);
    return { data: { name: analysis.name, ...toAnalysisView(analysis) } };
  },
});

export const RECIPE_CHECK_TOOLS: readonly FitnessTool[] = [getConstraints, validate];
