import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NUTRIENTS } from '../../src/foods/food.ts';
import { analyzeRecipe } from '../../src/recipes/analyze-recipe.ts';
import { validateRecipe } from '../../src/recipes/validate-recipe.ts';
import type { Ingredient, RecipeDraft } from '../../src/recipes/recipe.ts';
import { openFoods } from '../foods/support/open-foods.ts';

const { foods } = openFoods();

const PORRIDGE: RecipeDraft = {
  name: 'Porridge',
  servings: 2,
  ingredients: [
    { name: 'rolled oats', amount: 1, unit: 'cup' },
    { name: 'whole milk', amount: 2, unit: 'cup' },
    { name: 'banana', amount: 1, unit: 'piece', preparation: 'sliced' },
    { name: 'honey', amount: 1, unit: 'tbsp' },
  ],
};

test('nutrition is computed from the figures of SR28, for the recipe and for a serving', () => {
  const analysis = analyzeRecipe(foods, PORRIDGE);
  // 81 g of oats (379 kcal, 13.15 g protein, 67.70 g carbohydrate, 6.52 g fat in 100 g), 488 g of milk (61, 3.15, 4.80, 3.25),
  // 118 g of banana (89, 1.09, 22.84, 0.33) and 21 g of honey (304, 0.30, 82.40, 0).
  expect(analysis.ingredients.map(({ food, grams }) => [food.fdc_id, food.confidence, grams])).toEqual([
    ['08120', 1, 81],
    ['01077', 1, 488],
    ['09040', 1, 118],
    ['19296', 1, 21],
  ]);
  expect(analysis.total).toMatchObject({
    energy_kcal: 773.53,
    protein_g: 27.37,
    carbohydrate_g: 122.52,
    fat_g: 21.53,
  });
  expect(analysis.per_serving).toMatchObject({
    energy_kcal: 386.77,
    protein_g: 13.69,
    carbohydrate_g: 61.26,
    fat_g: 10.77,
  });
  expect(analysis.serving_grams).toBe(354);
  expect(analysis.energy_shares).toEqual({
    carbohydrate_percent: 61.8,
    protein_percent: 13.8,
    fat_percent: 24.4,
  });
  expect(analysis.unresolved).toEqual([]);
});

test('an ingredient without a food, or without a weight, is named with choices and counts in no sum', () => {
  const analysis = analyzeRecipe(foods, {
    name: 'Bowl',
    servings: 1,
    ingredients: [
      { name: 'unobtainium', amount: 10, unit: 'g' },
      { name: 'oats', amount: 1, unit: 'piece' },
      { name: 'dragon fruit', amount: 1, unit: 'piece' },
      { name: '99999', amount: 1, unit: 'g' },
      { name: 'apple', amount: 100, unit: 'g' },
    ],
  });
  expect(analysis.valid).toBe(false);
  expect(analysis.total.energy_kcal).toBe(52);
  expect(analysis.ingredients).toHaveLength(1);
  expect(analysis.unresolved.map(({ path }) => path)).toEqual(
    [0, 1, 2, 3].map((index) => `ingredients[${index}]`),
  );
  const [unknown, weightless, vague, noId] = analysis.unresolved;
  expect(unknown).toMatchObject({
    problem: 'No food matches "unobtainium" well enough: use the name or the id of a food.',
    choices: [],
  });
  expect(weightless).toMatchObject({
    problem: 'The food data have no weight of a piece of "oats, regular and quick, dry".',
    choices: ['g', '1 cup = 81 g', '0.333 cup = 27 g'],
  });
  expect(vague?.choices).toHaveLength(5);
  expect(noId).toMatchObject({ problem: 'Unknown food "99999".' });
});

test('a match shows its food, its confidence and, unless it is sure, other foods', () => {
  const match = (name: string): unknown =>
    analyzeRecipe(foods, { name: 'One', servings: 1, ingredients: [{ name, amount: 100, unit: 'g' }] })
      .ingredients[0]?.food;
  expect(match('boneless skinless chicken breast')).toEqual({
    fdc_id: '05062',
    name: 'chicken breast, raw, without skin',
    confidence: 1,
    alternatives: [],
  });
  expect(match('05064')).toMatchObject({ name: 'chicken breast, roasted, without skin', confidence: 1 });
  expect(match('whey protein')).toMatchObject({
    fdc_id: '14058',
    confidence: 0.8,
    alternatives: ['14066 protein powder whey based'],
  });
});

test('a preparation chooses the cooked food, and a cut does not choose another food', () => {
  const nameOf = (name: string, preparation: string): string | undefined =>
    analyzeRecipe(foods, {
      name: 'One',
      servings: 1,
      ingredients: [{ name, amount: 100, unit: 'g', preparation }],
    }).ingredients[0]?.food.name;
  expect(nameOf('chicken breast', 'roasted')).toBe('chicken breast, roasted, without skin');
  expect(nameOf('brown rice', 'cooked')).toBe('brown rice, long-grain, cooked');
  expect(nameOf('onion', 'finely chopped')).toBe('onions, raw');
  expect(nameOf('mushrooms', 'sliced')).toBe('white mushrooms, raw');
});

test('shares are compared with the meal, and energy with the target of a serving', () => {
  const analysis = analyzeRecipe(foods, { ...PORRIDGE, meal_timing: 'pre_training', target_calories: 400 });
  expect(analysis.targets).toEqual([
    {
      name: 'carbohydrate_percent',
      target: 55,
      actual: 61.8,
      difference: 6.8,
      verdict: 'near',
      advice: 'Use fewer foods with carbohydrate, such as rice, oats, bread or fruit.',
    },
    {
      name: 'protein_percent',
      target: 20,
      actual: 13.8,
      difference: -6.2,
      verdict: 'near',
      advice: 'Use more foods with protein, such as lean meat, fish, eggs, tofu or legumes.',
    },
    { name: 'fat_percent', target: 25, actual: 24.4, difference: -0.6, verdict: 'met' },
    { name: 'energy_kcal', target: 400, actual: 386.8, difference: -13.2, verdict: 'met' },
  ]);
  expect(analysis.valid).toBe(true);
  const rest = analyzeRecipe(foods, { ...PORRIDGE, meal_timing: 'rest_day', target_calories: 800 });
  expect(rest.valid).toBe(false);
  expect(rest.targets.map(({ verdict }) => verdict)).toEqual(['off', 'off', 'off', 'off']);
  expect(rest.targets[3]?.advice).toBe('Make the serving larger.');
});

test('a restriction is violated with reasons, and not promised with unresolved ingredients', () => {
  const [vegan, gluten] = analyzeRecipe(foods, {
    ...PORRIDGE,
    dietary_restrictions: ['vegan', 'gluten_free', 'vegan'],
  }).diet;
  expect(vegan).toEqual({
    restriction: 'vegan',
    verdict: 'violated',
    reasons: [
      {
        ingredient: 'whole milk',
        food: 'whole milk, 3.25% fat',
        verdict: 'violates',
        reason: 'whole milk, 3.25% fat is milk or has milk.',
      },
      { ingredient: 'honey', food: 'honey', verdict: 'violates', reason: 'honey is honey or has honey.' },
    ],
  });
  expect(gluten).toMatchObject({ verdict: 'unclear', reasons: [{ ingredient: 'rolled oats' }] });
  const ingredients: Ingredient[] = [
    { name: 'apple', amount: 1, unit: 'piece' },
    { name: 'unobtainium', amount: 1, unit: 'g' },
  ];
  const draft = { name: 'Apple', servings: 1, ingredients, dietary_restrictions: ['vegan'] as const };
  expect(analyzeRecipe(foods, draft).diet[0]).toEqual({
    restriction: 'vegan',
    verdict: 'unclear',
    reasons: [],
  });
  const apple = analyzeRecipe(foods, { ...draft, ingredients: ingredients.slice(0, 1) });
  expect(apple.diet[0]).toEqual({ restriction: 'vegan', verdict: 'satisfied', reasons: [] });
});

test('keto is a share of the energy of the whole recipe', () => {
  const keto = (ingredients: readonly Ingredient[]): unknown =>
    analyzeRecipe(foods, { name: 'Keto', servings: 1, ingredients, dietary_restrictions: ['keto'] }).diet[0];
  const omelet: Ingredient[] = [
    { name: 'eggs', amount: 3, unit: 'piece' },
    { name: 'butter', amount: 1, unit: 'tbsp' },
  ];
  expect(keto(omelet)).toMatchObject({ verdict: 'satisfied', reasons: [] });
  // 3 eggs have 1.08 g, 2 slices of bread 58 g * (49.42 - 2.7) % = 27.1 g of net carbohydrate.
  expect(keto([...omelet, { name: 'bread', amount: 2, unit: 'piece' }])).toMatchObject({
    verdict: 'violated',
    reasons: [{ ingredient: 'bread' }, { ingredient: 'eggs' }, { ingredient: 'butter' }],
  });
});

test('servings divide and amounts multiply', () => {
  const scaling = fc.property(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: 50 }),
    (factor, servings) => {
      const ingredients = PORRIDGE.ingredients.map((item) => ({ ...item, amount: item.amount * factor }));
      const one = analyzeRecipe(foods, PORRIDGE);
      const many = analyzeRecipe(foods, { ...PORRIDGE, ingredients, servings });
      for (const nutrient of NUTRIENTS) {
        const [base, total, serving] = [
          one.total[nutrient] ?? 0,
          many.total[nutrient] ?? 0,
          many.per_serving[nutrient] ?? 0,
        ];
        expect(Math.abs(total - base * factor)).toBeLessThanOrEqual(0.005 * factor + 0.006);
        expect(Math.abs(serving - total / servings)).toBeLessThanOrEqual(0.011);
      }
      expect(many.energy_shares).toEqual(one.energy_shares);
    },
  );
  fc.assert(scaling, { numRuns: 30 });
});

test('a recipe to validate with invalid values is rejected, with the path of each', () => {
  expect(validateRecipe(foods, PORRIDGE)).toEqual(analyzeRecipe(foods, PORRIDGE));
  const invalid: RecipeDraft = {
    ...PORRIDGE,
    servings: -1,
    ingredients: [{ name: 'oats', amount: -5, unit: 'g' }],
    target_calories: Number.NaN,
  };
  expect(() => validateRecipe(foods, invalid)).toThrow(
    'servings: Invalid value -1: use more than 0 and at most 1000.\n' +
      'ingredients[0].amount: Invalid value -5: use more than 0 and at most 100000.\n' +
      'target_calories: Invalid value NaN: use a number from 50 to 5000.',
  );
});
