import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { Foods } from '../../src/foods/foods.ts';
import { NutritionError } from '../../src/foods/nutrition-error.ts';
import type { MealTiming, Recipe } from '../../src/recipes/recipe.ts';
import { Recipes } from '../../src/recipes/recipes.ts';
import type { Unit } from '../../src/recipes/units.ts';
import { openFoods } from '../foods/support/open-foods.ts';

let database: Database;
let recipes: Recipes;
let number: number;

beforeEach(() => {
  ({ database } = openFoods());
  number = 0;
  recipes = new Recipes(database, new Foods(database), {
    now: () => Date.UTC(2026, 0, 1) + number * 1000,
    newId: () => {
      number += 1;
      return `recipe-${number}`;
    },
  });
});

const PORRIDGE: Recipe = {
  name: 'Apple porridge',
  servings: 1,
  ingredients: [
    { name: 'oats', amount: 50, unit: 'g' },
    { name: 'apple', amount: 1, unit: 'piece' },
  ],
  instructions: ['Boil the oats.', 'Add the apple.'],
  description: 'A warm breakfast.',
  prep_time_mins: 5,
  cook_time_mins: 10,
  tags: ['Breakfast', ' quick ', 'breakfast'],
  meal_timing: 'pre_training',
};

function toError(run: () => unknown): NutritionError {
  try {
    run();
  } catch (error) {
    if (error instanceof NutritionError) return error;
    throw error;
  }
  throw new Error('The call had to be rejected.');
}

function save(owner: string, name: string, changes: Partial<Recipe> = {}): string {
  return recipes.save(owner, { ...PORRIDGE, name, ...changes }).recipe_id;
}

test('a saved recipe is read with its nutrition', () => {
  const saved = recipes.save('ann', PORRIDGE);
  expect(saved).toMatchObject({
    recipe_id: 'recipe-1',
    created_at: '2026-01-01T00:00:01.000Z',
    recipe: {
      name: 'Apple porridge',
      tags: ['breakfast', 'quick'],
      instructions: ['Boil the oats.', 'Add the apple.'],
    },
    // 50 g of oats with 379 kcal in 100 g, and an apple of 182 g with 52.
    analysis: { per_serving: { energy_kcal: 284.14 }, meal_timing: 'pre_training' },
  });
  expect(recipes.get('ann', 'recipe-1')).toEqual(saved);
});

test('a saved recipe keeps the foods that were found when it was saved', () => {
  save('ann', 'Porridge', { ingredients: [{ name: 'oats', amount: 100, unit: 'g' }] });
  database.run("UPDATE recipes SET document = replace(document, '08120', '08121')");
  const { analysis } = recipes.get('ann', 'recipe-1');
  expect(analysis.ingredients[0]?.food).toMatchObject({ fdc_id: '08121', confidence: 1 });
});

test('a recipe with unresolved ingredients is not saved, and each is named with its choices', () => {
  const error = toError(() =>
    recipes.save('ann', {
      ...PORRIDGE,
      ingredients: [
        { name: 'oats', amount: 1, unit: 'piece' },
        { name: 'unobtainium', amount: 1, unit: 'g' },
      ],
    }),
  );
  expect(error.code).toBe('unresolved_ingredients');
  expect(error.message.split('\n')).toEqual([
    'ingredients[0]: The food data have no weight of a piece of "oats, regular and quick, dry". Choices: g; 1 cup = 81 g; 0.333 cup = 27 g.',
    'ingredients[1]: No food matches "unobtainium" well enough: use the name or the id of a food.',
  ]);
  expect(recipes.list('ann').total).toBe(0);
});

test('one error names every invalid value', () => {
  const error = toError(() =>
    recipes.save('ann', {
      ...PORRIDGE,
      name: ' ',
      servings: 0,
      ingredients: [{ name: 'oats', amount: Number.NaN, unit: 'handful' as Unit }],
      instructions: [],
      meal_timing: 'brunch' as MealTiming,
      prep_time_mins: -1,
    }),
  );
  expect(error.code).toBe('invalid_recipe');
  expect(error.issues.map(({ path }) => path)).toEqual([
    'name',
    'servings',
    'ingredients[0].amount',
    'ingredients[0].unit',
    'meal_timing',
    'instructions',
    'prep_time_mins',
  ]);
  expect(error.message).toContain(
    'ingredients[0].unit: Unknown value "handful". Choices: g; kg; oz; lb; ml; cup; tbsp; tsp; piece.',
  );
});

test('the recipe of another owner is unknown, and stays', () => {
  save('ann', 'Of Ann');
  for (const run of [() => recipes.get('bob', 'recipe-1'), () => recipes.delete('bob', 'recipe-1')]) {
    const error = toError(run);
    expect(error.code).toBe('unknown_recipe');
    expect(error.message).toBe(
      'recipe_id: Unknown recipe "recipe-1": find its id with list_recipes or search_recipes.',
    );
  }
  expect(toError(() => recipes.get('bob', 'recipe-2')).message).toContain('Unknown recipe "recipe-2"');
  expect(recipes.list('bob').total).toBe(0);
  expect(recipes.search('bob', 'ann').total).toBe(0);
  expect(recipes.get('ann', 'recipe-1').recipe.name).toBe('Of Ann');
});

test('a deleted recipe is gone from list, search and tags', () => {
  save('ann', 'Porridge');
  recipes.delete('ann', 'recipe-1');
  expect(toError(() => recipes.get('ann', 'recipe-1')).code).toBe('unknown_recipe');
  expect(toError(() => recipes.delete('ann', 'recipe-1')).code).toBe('unknown_recipe');
  expect(recipes.list('ann').total).toBe(0);
  expect(recipes.search('ann', 'porridge').total).toBe(0);
  expect(database.all('SELECT * FROM recipe_tags')).toEqual([]);
  expect(database.all('SELECT rowid FROM recipe_words')).toEqual([]);
});

test('a list has pages, the newest first, and filters by meal and by all tags', () => {
  for (let index = 0; index < 25; index += 1)
    save('ann', `Recipe ${index}`, {
      tags: index % 2 === 0 ? ['even', 'all'] : ['all'],
      meal_timing: index < 5 ? 'rest_day' : 'general',
    });
  const first = recipes.list('ann');
  expect(first).toMatchObject({ total: 25, limit: 20, offset: 0 });
  expect(first.recipes).toHaveLength(20);
  expect(first.recipes[0]).toEqual({
    recipe_id: 'recipe-25',
    name: 'Recipe 24',
    meal_timing: 'general',
    tags: ['even', 'all'],
    servings: 1,
    created_at: '2026-01-01T00:00:25.000Z',
    per_serving: { energy_kcal: 284.14, protein_g: 7.05, carbohydrate_g: 58.98, fat_g: 3.57 },
  });
  expect(recipes.list('ann', { offset: 20 }).recipes.map(({ name }) => name)).toEqual(
    [4, 3, 2, 1, 0].map((n) => `Recipe ${n}`),
  );
  expect(recipes.list('ann', { meal_timing: 'rest_day' }).total).toBe(5);
  expect(recipes.list('ann', { tags: ['EVEN', 'all'] }).total).toBe(13);
  expect(recipes.list('ann', { tags: ['even', 'odd'] }).total).toBe(0);
  expect(recipes.list('ann', { meal_timing: 'rest_day', tags: ['even'], limit: 2 })).toMatchObject({
    total: 3,
    limit: 2,
  });
});

test('a search finds names, tags, ingredients and descriptions, names first', () => {
  save('ann', 'Chili', {
    ingredients: [{ name: 'black beans', amount: 100, unit: 'g' }],
    tags: ['spicy'],
    description: 'With porridge.',
  });
  save('ann', 'Porridge');
  save('ann', 'Rice bowl', {
    ingredients: [{ name: 'rice', amount: 100, unit: 'g' }],
    tags: [],
    meal_timing: 'post_training',
  });
  const namesOf = (query: string): string[] => recipes.search('ann', query).recipes.map(({ name }) => name);
  expect(namesOf('porridge')).toEqual(['Porridge', 'Chili']);
  expect(namesOf('beans')).toEqual(['Chili']);
  expect(namesOf('SPICY')).toEqual(['Chili']);
  expect(namesOf('porr')).toEqual(['Porridge', 'Chili']);
  expect(namesOf('rice porridge')).toEqual([]);
  expect(namesOf('"rice" OR porridge*')).toEqual([]);
  expect(recipes.search('ann', 'warm', { meal_timing: 'post_training' })).toMatchObject({
    total: 1,
    limit: 10,
  });
  expect(toError(() => recipes.search('ann', ' !')).message).toBe(
    'query: Invalid query " !": use at least one word of a recipe.',
  );
});

test.each([{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { offset: -1 }])(
  'a page of %o is rejected',
  (page) => {
    expect(toError(() => recipes.list('ann', page)).code).toBe('invalid_recipe');
    expect(toError(() => recipes.search('ann', 'a', page)).code).toBe('invalid_recipe');
  },
);

test('an owner has at most 1000 recipes', () => {
  database.write(() => {
    for (let index = 0; index < 1000; index += 1)
      database.insert('recipes', {
        recipe_id: `old-${index}`,
        owner: 'ann',
        name: 'x',
        meal_timing: 'general',
        document: '{}',
        created_at: 0,
      });
  });
  expect(toError(() => save('ann', 'One more')).message).toContain(
    'You have 1000 recipes, which is the limit',
  );
  expect(save('bob', 'Fits')).toBe('recipe-2');
});
