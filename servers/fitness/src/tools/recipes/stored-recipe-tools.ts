import * as z from 'zod';
import { toPageView, toStoredView } from '../../recipes/recipe-view.ts';
import { findRecipeWords } from '../../recipes/recipes.ts';
import { RECIPE_LIMITS } from '../../recipes/validate-draft.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { FitnessTool } from '../define-tool.ts';
import { pageArguments } from '../results/pages.ts';
import { draftArguments, mealTiming, minutes, recipeId, tags, text } from './recipe-arguments.ts';

const saveRecipe = defineFitnessTool({
  name: 'save_recipe',
  title: 'Save a recipe',
  description:
    'Saves a recipe of yours. Nutrition is computed from the ingredients: an ingredient without a food or a weight is an error with the choices.',
  synonyms: ['store', 'keep', 'cookbook', 'add a dish'],
  effect: 'creates',
  hasRows: true,
  arguments: {
    ...draftArguments,
    instructions: z.array(text(RECIPE_LIMITS.text)).min(1).max(RECIPE_LIMITS.steps),
    description: text(RECIPE_LIMITS.text).optional(),
    prep_time_mins: minutes,
    cook_time_mins: minutes,
    tags,
  },
  run: ({ input, context: { recipes, caller } }) => ({
    data: toStoredView(recipes.save(caller.id, input)),
  }),
});

const listRecipes = defineFitnessTool({
  name: 'list_recipes',
  title: 'Recipes',
  description: 'Lists your saved recipes with the nutrition of a serving, the newest first.',
  synonyms: ['my dishes', 'meals', 'cookbook'],
  effect: 'reads',
  hasRows: true,
  arguments: {
    meal_timing: mealTiming.optional(),
    tags: tags.describe('A recipe must have all of them'),
    ...pageArguments({ usual: 20, max: 100 }),
  },
  run: ({ input, context: { recipes, caller } }) => ({ data: toPageView(recipes.list(caller.id, input)) }),
});

const getRecipe = defineFitnessTool({
  name: 'get_recipe',
  title: 'Recipe',
  description: 'Returns one saved recipe with its instructions and computed nutrition.',
  synonyms: ['ingredients', 'steps', 'how do I cook', 'dish'],
  effect: 'reads',
  hasRows: true,
  arguments: { recipe_id: recipeId },
  run: ({ input, context: { recipes, caller } }) => ({
    data: toStoredView(recipes.get(caller.id, input.recipe_id)),
  }),
});

const deleteRecipe = defineFitnessTool({
  name: 'delete_recipe',
  title: 'Delete a recipe',
  description: 'Deletes one of your saved recipes.',
  synonyms: ['remove', 'throw away', 'dish'],
  effect: 'deletes',
  arguments: { recipe_id: recipeId },
  run: ({ input: { recipe_id }, context: { recipes, caller } }) => {
    recipes.delete(caller.id, recipe_id);
    return { data: { deleted: recipe_id } };
  },
});

const searchRecipes = defineFitnessTool({
  name: 'search_recipes',
  title: 'Search recipes',
  description:
    'Searches your saved recipes by name, tags, ingredients and description, the best match first.',
  synonyms: ['find a dish', 'meal with an ingredient', 'cookbook'],
  effect: 'reads',
  hasRows: true,
  arguments: {
    query: text(200),
    meal_timing: mealTiming.optional(),
    ...pageArguments({ usual: 10, max: 100 }),
  },
  findIssues: ({ query }) =>
    query.trim() === '' || findRecipeWords(query).length > 0
      ? []
      : [{ path: ['query'], message: 'must have a word of a recipe' }],
  run: ({ input: { query, ...filter }, context: { recipes, caller } }) => ({
    data: toPageView(recipes.search(caller.id, query, filter)),
  }),
});

export const STORED_RECIPE_TOOLS: readonly FitnessTool[] = [
  saveRecipe,
  listRecipes,
  getRecipe,
  deleteRecipe,
  searchRecipes,
];
