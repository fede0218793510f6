import { expect, test } from 'vitest';
import { NutritionError } from '../../src/foods/nutrition-error.ts';
import { getRecipeConstraints } from '../../src/recipes/recipe-constraints.ts';
import type { MealTiming } from '../../src/recipes/recipe.ts';

const TABLE: readonly (readonly [
  MealTiming,
  number,
  number,
  [number, number, number],
  [number, number, number],
])[] = [
  ['pre_training', 400, 437.5, [55, 20, 25], [55, 20, 11.1]],
  ['post_training', 600, 687.5, [45, 30, 25], [67.5, 45, 16.7]],
  ['rest_day', 500, 625, [35, 30, 35], [43.8, 37.5, 19.4]],
  ['general', 500, 625, [45, 25, 30], [56.3, 31.3, 16.7]],
];

test.each(TABLE)('%s: %s kcal, or %s kcal of a TDEE of 2500', (meal, usual, share, shares, grams) => {
  const [carbohydrate, protein, fat] = shares;
  expect(getRecipeConstraints({ meal_timing: meal })).toEqual({
    meal_timing: meal,
    calories: usual,
    calories_source: 'default',
    macro_shares: { carbohydrate_percent: carbohydrate, protein_percent: protein, fat_percent: fat },
    macro_grams: { carbohydrate_g: grams[0], protein_g: grams[1], fat_g: grams[2] },
    dietary_restrictions: [],
    max_prep_time_mins: null,
    max_cook_time_mins: null,
    units: ['g', 'kg', 'oz', 'lb', 'ml', 'cup', 'tbsp', 'tsp', 'piece'],
    notes: [],
  });
  expect(getRecipeConstraints({ meal_timing: meal, tdee: 2500 })).toMatchObject({
    calories: share,
    calories_source: 'tdee_share',
  });
  expect(getRecipeConstraints({ meal_timing: meal, tdee: 2500, calories: 700 })).toMatchObject({
    calories: 700,
    calories_source: 'given',
  });
});

test('keto replaces carbohydrate by fat, and says so', () => {
  expect(
    getRecipeConstraints({ meal_timing: 'general', calories: 600, dietary_restrictions: ['keto', 'keto'] }),
  ).toMatchObject({
    macro_shares: { carbohydrate_percent: 10, protein_percent: 25, fat_percent: 65 },
    macro_grams: { carbohydrate_g: 15, protein_g: 37.5, fat_g: 43.3 },
    dietary_restrictions: [
      {
        name: 'keto',
        rule: 'At most 10 % of the energy from net carbohydrate (carbohydrate without fiber).',
      },
    ],
    notes: ['Keto limits carbohydrate to 10 % of the energy, so fat replaces the carbohydrate of this meal.'],
  });
});

test('one error names every invalid value', () => {
  let error: unknown;
  try {
    getRecipeConstraints({
      meal_timing: 'brunch' as MealTiming,
      calories: -5,
      tdee: Number.NaN,
      max_prep_time_mins: 0,
    });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(NutritionError);
  expect((error as Error).message.split('\n')).toEqual([
    'meal_timing: Unknown value "brunch". Choices: pre_training; post_training; rest_day; general.',
    'calories: Invalid value -5: use a number from 50 to 5000.',
    'tdee: Invalid value NaN: use a number from 800 to 10000.',
    'max_prep_time_mins: Invalid value 0: use a number from 1 to 1440.',
  ]);
});
