import { expect, test } from 'vitest';
import { checkFood } from '../../src/recipes/diet/check-diet.ts';
import type { Restriction } from '../../src/recipes/diet/restriction.ts';
import { openFoods } from '../foods/support/open-foods.ts';

const { foods } = openFoods();

type FoodRestriction = Exclude<Restriction, 'keto'>;

/** For each restriction: foods that violate it, foods that are unclear, foods that satisfy it. */
const EXPECTED: Readonly<Record<FoodRestriction, readonly [string[], string[], string[]]>> = {
  vegetarian: [
    [
      'chicken breast',
      'ground beef',
      'bacon',
      'salmon',
      'shrimp',
      'lard',
      'marshmallows',
      'chicken broth',
      'fish sauce',
      'baked beans with pork',
    ],
    ['minestrone soup', 'tomato soup'],
    [
      'egg',
      'milk',
      'cheddar',
      'tofu',
      'lentils',
      'honey',
      'bacon meatless',
      'goose egg',
      'eggplant',
      'veggie burgers',
      'vegetable broth',
      'coconut meat',
    ],
  ],
  vegan: [
    [
      'chicken breast',
      'egg',
      'milk',
      'honey',
      'butter',
      'cheddar',
      'mayonnaise',
      'egg noodles',
      'whey protein',
      'ice cream',
      'plain yogurt',
    ],
    ['bread', 'ranch dressing', 'oatmeal cookies'],
    [
      'tofu',
      'almond milk',
      'soy milk',
      'coconut milk',
      'peanut butter',
      'cocoa butter',
      'butternut squash',
      'eggplant',
      'honeydew',
      'sugar',
      'maple syrup',
      'pasta',
      'rice',
      'olive oil',
      'black beans',
    ],
  ],
  gluten_free: [
    [
      'bread',
      'pasta',
      'flour',
      'couscous',
      'bulgur',
      'pearled barley',
      'rye flour',
      'beer',
      'soy sauce',
      'bagel',
      'breaded shrimp',
      'croutons',
    ],
    ['oats', 'chicken gravy', 'tomato soup'],
    [
      'rice',
      'quinoa',
      'rice flour',
      'rice noodles',
      'gluten-free pasta',
      'buckwheat',
      'corn tortillas',
      'potato',
      'egg',
      'spaghetti squash',
      'baking powder',
      'almonds',
      'chicken breast',
    ],
  ],
  dairy_free: [
    [
      'milk',
      'butter',
      'cheddar',
      'plain yogurt',
      'heavy cream',
      'whey protein',
      'ice cream',
      'milk chocolate',
      'eggnog',
    ],
    ['bread', 'dark chocolate', 'ranch dressing'],
    [
      'egg',
      'mayonnaise',
      'almond milk',
      'coconut milk',
      'peanut butter',
      'cocoa butter',
      'butternut squash',
      'butterhead lettuce',
      'chicken breast',
      'pita bread',
      'cream of tartar',
      'cream soda',
    ],
  ],
  nut_free: [
    [
      'almonds',
      'walnuts',
      'peanut butter',
      'peanuts',
      'almond milk',
      'cashew nuts',
      'pistachio nuts',
      'pecan pie',
      'walnut oil',
      'trail mix',
    ],
    ['coconut milk', 'granola', 'milk chocolate'],
    [
      'butternut squash',
      'nutmeg',
      'sunflower seeds',
      'pumpkin',
      'oats',
      'apple',
      'honey',
      'doughnuts',
      'waterchestnuts',
      'pineapple',
    ],
  ],
  paleo: [
    [
      'rice',
      'bread',
      'oats',
      'lentils',
      'peanut butter',
      'tofu',
      'milk',
      'cheddar',
      'sugar',
      'canola oil',
      'margarine',
      'sweet corn',
      'cola',
    ],
    ['red wine', 'salami', 'potato chips'],
    [
      'chicken breast',
      'egg',
      'salmon',
      'broccoli',
      'apple',
      'almonds',
      'olive oil',
      'honey',
      'maple syrup',
      'green beans',
      'coconut milk',
      'sweet potato',
    ],
  ],
};

const CASES = Object.entries(EXPECTED).flatMap(([restriction, lists]) =>
  lists.flatMap((names, index) =>
    names.map(
      (name) => [restriction as FoodRestriction, name, ['violates', 'unclear', 'satisfied'][index]] as const,
    ),
  ),
);

test.each(CASES)('%s: %s %s', (restriction, name, verdict) => {
  const food = foods.rank(name)[0]?.food;
  if (food === undefined) throw new Error(`No food for "${name}".`);
  const finding = checkFood(food, restriction);
  expect(`${food.name}: ${finding?.verdict ?? 'satisfied'}`).toBe(`${food.name}: ${verdict}`);
  if (finding !== undefined) expect(finding.reason).toMatch(/^.+ (is|has|may have) .+\.$/);
});
