import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { callJson, callTool } from '../support/clients.ts';
import { CONNECTIONS, findArgument, findIssuePaths } from '../support/connections.ts';
import type { InvalidCall } from '../support/connections.ts';
import { startStack } from '../support/stack.ts';

const stack = await startStack();
afterAll(() => stack.close());
beforeEach(() => {
  stack.database.run('DELETE FROM recipe_words');
  stack.database.run('DELETE FROM recipes');
});

interface Saved {
  readonly recipe_id: string;
}
interface RecipeList {
  readonly total: number;
  readonly returned: number;
  readonly next_offset?: number;
  readonly recipes: readonly { readonly recipe_id: string; readonly name: string }[];
}

const PORRIDGE = {
  name: 'Porridge',
  servings: 2,
  ingredients: [
    { name: 'rolled oats', amount: 100, unit: 'g' },
    { name: 'banana', amount: 1, unit: 'piece' },
    { name: 'whole milk', amount: 1, unit: 'cup' },
  ],
  meal_timing: 'pre_training',
};
const SAVED = { ...PORRIDGE, instructions: ['Boil the oats in the milk.', 'Slice the banana.'] };

/** The first ingredient with a change. */
function withIngredient(change: object): object {
  return { ...PORRIDGE, ingredients: [{ ...PORRIDGE.ingredients[0], ...change }] };
}

const INVALID: readonly InvalidCall[] = [
  ['search_recipes', { query: '!' }, ['query']],
  ['get_recipe_constraints', {}, ['meal_timing']],
  ['get_recipe_constraints', { meal_timing: 'dinner' }, ['meal_timing']],
  ['get_recipe_constraints', { meal_timing: 'general', calories: 49, tdee: 10_001 }, ['calories', 'tdee']],
  [
    'get_recipe_constraints',
    { meal_timing: 'general', dietary_restrictions: ['vegan', 'halal'] },
    ['dietary_restrictions.1'],
  ],
  ['get_recipe_constraints', { meal_timing: 'general', max_prep_time_mins: 0 }, ['max_prep_time_mins']],
  ['validate_recipe', {}, ['name', 'servings', 'ingredients']],
  ['validate_recipe', { ...PORRIDGE, name: ' ', servings: 0 }, ['name', 'servings']],
  ['validate_recipe', { ...PORRIDGE, ingredients: [] }, ['ingredients']],
  ['validate_recipe', withIngredient({ unit: 'handful' }), ['ingredients.0.unit']],
  ['validate_recipe', withIngredient({ amount: -1 }), ['ingredients.0.amount']],
  ['validate_recipe', withIngredient({ calories: 100 }), ['ingredients.0.calories']],
  ['validate_recipe', { ...PORRIDGE, target_calories: 5001 }, ['target_calories']],
  ['validate_recipe', { ...PORRIDGE, nutrition: { energy_kcal: 1 } }, ['nutrition']],
  ['save_recipe', PORRIDGE, ['instructions']],
  ['save_recipe', { ...SAVED, instructions: ['Cook.', ''] }, ['instructions.1']],
  ['save_recipe', { ...SAVED, calories: 300 }, ['calories']],
  ['save_recipe', { ...SAVED, prep_time_mins: -1, tags: ['x'.repeat(51)] }, ['prep_time_mins', 'tags.0']],
  ['list_recipes', { limit: 101, offset: -1 }, ['limit', 'offset']],
  ['list_recipes', { tags: 'quick' }, ['tags']],
  ['get_recipe', {}, ['recipe_id']],
  ['delete_recipe', { recipe_id: 7 }, ['recipe_id']],
  ['search_recipes', { query: '' }, ['query']],
  ['search_recipes', { query: 'oats', limit: 0, meal_timing: 'lunch' }, ['meal_timing', 'limit']],
];

describe.each(CONNECTIONS)('client $version over $transport', (connection) => {
  const connect = () => stack.connect({ ...connection, caller: 'enterprise' });

  // 27.5 % of 2400 kcal; 45, 30 and 25 % of 660 kcal by 4, 4 and 9 kcal/g.
  test('the limits of a meal after training', async () => {
    const constraints = await callJson(await connect(), 'get_recipe_constraints', {
      meal_timing: 'post_training',
      tdee: 2400,
      dietary_restrictions: ['vegan'],
      max_prep_time_mins: 20,
    });
    expect(constraints).toEqual({
      meal_timing: 'post_training',
      calories: 660,
      calories_source: 'tdee_share',
      macro_shares: { carbohydrate_percent: 45, protein_percent: 30, fat_percent: 25 },
      macro_grams: { carbohydrate_g: 74.3, protein_g: 49.5, fat_g: 18.3 },
      dietary_restrictions: [
        { name: 'vegan', rule: 'No meat, fish, milk, eggs, honey or other food of animals.' },
      ],
      max_prep_time_mins: 20,
      max_cook_time_mins: null,
      units: 'g, kg, oz, lb, ml, cup, tbsp, tsp, piece',
    });
  });

  // SR28: oats 379 kcal, banana 1.18 · 89 kcal, milk 2.44 · 61 kcal: 632.86 kcal for two.
  test('a recipe is computed from its ingredients, and checked against diet and targets', async () => {
    const checked = await callJson<{ targets: object[] }>(await connect(), 'validate_recipe', {
      ...PORRIDGE,
      ingredients: [...PORRIDGE.ingredients, { name: 'unobtainium', amount: 1, unit: 'g' }],
      dietary_restrictions: ['vegan'],
      target_calories: 400,
    });
    expect(checked).toMatchObject({
      name: 'Porridge',
      valid: false,
      servings: 2,
      serving_grams: 231,
      total: { energy_kcal: 632.86 },
      per_serving: { energy_kcal: 316.43 },
      unresolved: [{ path: 'ingredients[3]', name: 'unobtainium' }],
      diet: [{ restriction: 'vegan', verdict: 'violated' }],
      diet_reasons: [{ restriction: 'vegan', ingredient: 'whole milk', verdict: 'violates' }],
    });
    expect(checked.targets.at(-1)).toEqual({
      name: 'energy_kcal',
      target: 400,
      actual: 316.4,
      difference: -83.6,
      verdict: 'off',
      advice: 'Make the serving larger.',
    });
  });

  test('a recipe is saved, listed, searched, read and deleted', async () => {
    const client = await connect();
    const saved = await callJson<Saved>(client, 'save_recipe', {
      ...SAVED,
      tags: ['Breakfast'],
      cook_time_mins: 8,
    });
    expect(saved).toMatchObject({
      name: 'Porridge',
      created_at: '2026-11-18T12:00:00.000Z',
      prep_time_mins: null,
      cook_time_mins: 8,
      tags: ['breakfast'],
      instructions: ['Boil the oats in the milk.', 'Slice the banana.'],
      per_serving: { energy_kcal: 316.43 },
    });
    const { recipe_id } = saved;
    const row = {
      recipe_id,
      name: 'Porridge',
      meal_timing: 'pre_training',
      servings: 2,
      created_at: '2026-11-18T12:00:00.000Z',
      tags: 'breakfast',
      energy_kcal: 316.43,
      protein_g: 11.06,
      carbohydrate_g: 53.18,
      fat_g: 7.42,
    };
    const page = { total: 1, returned: 1, offset: 0, recipes: [row] };
    expect(
      await callJson(client, 'list_recipes', { tags: ['breakfast'], meal_timing: 'pre_training' }),
    ).toEqual(page);
    expect(await callJson(client, 'list_recipes', { meal_timing: 'rest_day' })).toMatchObject({ total: 0 });
    expect(await callJson(client, 'search_recipes', { query: 'banana oats' })).toEqual(page);
    expect(await callJson(client, 'get_recipe', { recipe_id })).toEqual(saved);
    expect(await callJson(client, 'delete_recipe', { recipe_id })).toEqual({ deleted: recipe_id });
    expect(await callTool(client, 'get_recipe', { recipe_id })).toMatchObject({
      isError: true,
      text: `recipe_id: Unknown recipe "${recipe_id}": find its id with list_recipes or search_recipes.`,
    });
  });

  test.each(INVALID)('%s %j is -32602 with the path of each invalid value', async (tool, args, paths) => {
    const client = await connect();
    expect(await findIssuePaths(callTool(client, tool, { ...args }))).toEqual(paths);
  });
});

test('an ingredient without a food is an error with choices, and nothing is saved', async () => {
  const client = await stack.connect();
  const recipe = {
    ...SAVED,
    ingredients: [
      { name: 'banana', amount: 1, unit: 'ml' },
      { name: 'qqq', amount: 1, unit: 'g' },
    ],
  };
  const { text, isError } = await callTool(client, 'save_recipe', recipe);
  expect(isError).toBe(true);
  expect(text).toContain('ingredients[1]: No food matches "qqq" well enough');
  expect(await callJson(client, 'list_recipes')).toMatchObject({ total: 0 });
});

test('pages of recipes follow each other', async () => {
  const client = await stack.connect();
  for (const name of ['One', 'Two', 'Three']) await callJson(client, 'save_recipe', { ...SAVED, name });
  const first = await callJson<RecipeList>(client, 'list_recipes', { limit: 2 });
  expect(first).toMatchObject({ total: 3, returned: 2, next_offset: 2 });
  expect(first.recipes.map(({ name }) => name)).toEqual(['Three', 'Two']);
  const last = await callJson<RecipeList>(client, 'list_recipes', { limit: 2, offset: 2 });
  expect(last.recipes.map(({ name }) => name)).toEqual(['One']);
  expect(last).not.toHaveProperty('next_offset');
  expect(await callJson(client, 'search_recipes', { query: 'oats', limit: 1 })).toMatchObject({
    total: 3,
    next_offset: 1,
  });
});

test('a caller neither finds, reads nor deletes the recipes of another', async () => {
  const [user, other] = [await stack.connect(), await stack.connect({ caller: 'owner' })];
  const { recipe_id } = await callJson<Saved>(user, 'save_recipe', SAVED);
  expect(await callJson(other, 'list_recipes')).toMatchObject({ total: 0, recipes: [] });
  expect(await callJson(other, 'search_recipes', { query: 'porridge' })).toMatchObject({ total: 0 });
  for (const tool of ['get_recipe', 'delete_recipe'])
    expect(await callTool(other, tool, { recipe_id })).toMatchObject({
      isError: true,
      text: expect.stringContaining(`Unknown recipe "${recipe_id}"`),
    });
  expect(await callJson(user, 'list_recipes')).toMatchObject({ total: 1 });
});

test('format toon is a table, and the format is not stored', async () => {
  const client = await stack.connect();
  const { text } = await callTool(client, 'save_recipe', { ...SAVED, format: 'toon' });
  expect(text).toContain(
    'ingredients[3]{name,amount,unit,grams,weight_basis,preparation,fdc_id,food,confidence,energy_kcal,protein_g,carbohydrate_g,fat_g}:',
  );
  const [row] = stack.database.all<{ document: string }>('SELECT document FROM recipes');
  expect(JSON.parse(row?.document ?? '{}')).not.toHaveProperty('recipe.format');
  const list = await callTool(client, 'list_recipes', { format: 'toon' });
  expect(list.text).toContain(
    'recipes[1]{recipe_id,name,meal_timing,servings,created_at,tags,energy_kcal,protein_g,carbohydrate_g,fat_g}:',
  );
});

test('the advertised ingredients have units, bounds and no other members', async () => {
  const client = await stack.connect();
  expect(await findArgument(client, 'save_recipe', 'ingredients')).toEqual({
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          maxLength: 200,
          pattern: '\\S',
          description: 'Name of a food, or its fdc_id',
        },
        amount: { type: 'number', exclusiveMinimum: 0, maximum: 100_000 },
        unit: { type: 'string', enum: ['g', 'kg', 'oz', 'lb', 'ml', 'cup', 'tbsp', 'tsp', 'piece'] },
        preparation: {
          type: 'string',
          maxLength: 200,
          pattern: '\\S',
          description: 'For example cooked or chopped',
        },
      },
      required: ['name', 'amount', 'unit'],
      additionalProperties: false,
    },
  });
});

test('anonymous callers have none of the seven tools', async () => {
  const client = await stack.connect({ caller: 'anonymous' });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => name.includes('recipe'))).toEqual([]);
  await expect(callTool(client, 'list_recipes')).rejects.toThrow(/Unknown tool/);
});
