import * as z from 'zod';
import { computeMeal, MAX_FOODS, MAX_GRAMS } from '../../foods/meal-nutrition.ts';
import { hasFoodWords } from '../../foods/search-foods.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { FitnessTool } from '../define-tool.ts';
import { fdcId } from './food-arguments.ts';

const SOURCE = 'USDA National Nutrient Database for Standard Reference, release 28 (public domain)';

const searchFood = defineFitnessTool({
  name: 'search_food',
  title: 'Search foods',
  description:
    'Searches foods by name, the plainest first, with energy, protein, carbohydrate and fat of 100 g. Null was not measured.',
  synonyms: ['find food', 'nutritional value', 'nutrition facts', 'calories of', 'database'],
  effect: 'reads',
  hasRows: true,
  arguments: {
    query: z.string().min(1).max(200),
    page_size: z.int().min(1).max(200).default(10),
    page_number: z.int().min(1).max(1_000_000).default(1),
  },
  findIssues: ({ query }) =>
    query === '' || hasFoodWords(query)
      ? []
      : [{ path: ['query'], message: "must have a word of a food's name" }],
  run: ({ input: { query, page_size, page_number }, context }) => {
    const found = context.foods.search(query, page_size, page_number);
    return {
      data: found,
      notes: found.all_words ? [] : ['No food has all words of the query: these have some of them.'],
    };
  },
});

const getFoodDetails = defineFitnessTool({
  name: 'get_food_details',
  title: 'Food',
  description:
    'Returns twelve nutrients of 100 g of a food, and the weights of its portions. Null was not measured.',
  synonyms: ['vitamins', 'minerals', 'nutrition facts', 'serving size'],
  effect: 'reads',
  hasRows: true,
  arguments: { fdc_id: fdcId },
  run: ({ input, context }) => ({ data: { ...context.foods.get(input.fdc_id), source: SOURCE } }),
});

const analyzeMealNutrition = defineFitnessTool({
  name: 'analyze_meal_nutrition',
  title: 'Nutrition of a meal',
  description:
    'Sums the nutrients of the foods of a meal by their weights. Nutrients that were not measured in a food are named.',
  synonyms: ['how many calories', 'calories in a meal', 'lunch', 'dinner', 'plate'],
  effect: 'reads',
  hasRows: true,
  arguments: {
    foods: z
      .array(z.object({ fdc_id: fdcId, grams: z.number().positive().max(MAX_GRAMS) }))
      .min(1)
      .max(MAX_FOODS),
  },
  run: ({ input, context }) => {
    const { foods, incomplete, ...meal } = computeMeal(context.foods, input.foods);
    return {
      data: {
        ...meal,
        incomplete: incomplete.map(({ nutrient, foods: names }) => ({ nutrient, foods: names.join('; ') })),
        foods: foods.map(({ nutrients, ...food }) => ({ ...food, ...nutrients })),
      },
    };
  },
});

export const FOOD_TOOLS: readonly FitnessTool[] = [searchFood, getFoodDetails, analyzeMealNutrition];
