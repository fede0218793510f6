import { expect, test } from 'vitest';
import { formatFoods, parseCsv, selectFoods, toFoodName, toPortions } from '../../scripts/foods/index.mjs';

test.each([
  [
    'Poultry Products',
    'Chicken, broilers or fryers, breast, meat only, cooked, roasted',
    'chicken breast, roasted, without skin',
  ],
  ['Dairy and Egg Products', 'Cheese, cheddar', 'cheddar cheese'],
  ['Dairy and Egg Products', 'Milk, whole, 3.25% milkfat, with added vitamin D', 'whole milk, 3.25% fat'],
  ['Dairy and Egg Products', 'Egg, whole, raw, fresh', 'egg, raw'],
  ['Cereal Grains and Pasta', 'Rice, brown, long-grain, cooked', 'brown rice, long-grain, cooked'],
  ['Vegetables and Vegetable Products', 'Peppers, sweet, red, raw', 'red bell peppers, raw'],
  ['Vegetables and Vegetable Products', 'Squash, winter, butternut, raw', 'butternut squash, raw'],
  [
    'Vegetables and Vegetable Products',
    'Broccoli, cooked, boiled, drained, without salt',
    'broccoli, boiled',
  ],
  ['Finfish and Shellfish Products', 'Fish, salmon, Atlantic, farmed, raw', 'Atlantic salmon, farmed, raw'],
  ['Beef Products', 'Beef, ground, 80% lean meat / 20% fat, raw', 'ground beef, 80% lean / 20% fat, raw'],
  ['Fats and Oils', 'Oil, olive, salad or cooking', 'olive oil'],
  ['Nut and Seed Products', 'Seeds, chia seeds, dried', 'chia seeds, dried'],
  ['Sweets', 'Syrups, maple', 'maple syrup'],
])('%s: %s becomes %s', (group, source, name) => {
  expect(toFoodName(source, group).name).toBe(name);
});

test('short brackets are other names of a food', () => {
  expect(
    toFoodName(
      'Chickpeas (garbanzo beans, bengal gram), mature seeds, cooked, boiled, without salt',
      'Legumes',
    ),
  ).toEqual({
    name: 'chickpeas, boiled',
    aliases: 'garbanzo beans, bengal gram',
  });
});

test('CSV with quoted commas and doubled quotes is read', () => {
  expect(parseCsv('id,unit\n1,"pat (1"" sq, 1/3"" high)"\n2,cup\n')).toEqual([
    { id: '1', unit: 'pat (1" sq, 1/3" high)' },
    { id: '2', unit: 'cup' },
  ]);
});

test('portions are in plain units, without weights and without doubles', () => {
  const portions = [
    { amount: '1', unit: 'tablespoon', grams: '14.2' },
    { amount: '1', unit: 'oz', grams: '28.35' },
    { amount: '2', unit: 'Cups', grams: '454.0' },
    { amount: '2', unit: 'cups', grams: '460' },
  ];
  expect(toPortions(portions)).toBe('1 tbsp=14.2|2 cup=454');
});

test('trade names, industrial foods, foods without portions and salted twins are left out', () => {
  const names = [
    'Carrots, raw',
    'Carrots, cooked, boiled, drained, without salt',
    'Carrots, cooked, boiled, drained, with salt',
    "CAMPBELL'S, carrots",
    'Oil, industrial, carrot',
    'Carrots, frozen',
  ];
  const foods = names.map((name, index) => ({
    id: `0000${index}`,
    group: 'Vegetables and Vegetable Products',
    name,
    kcal: '41',
    protein_g: '1',
    fat_g: '0',
    carbs_g: '9',
  }));
  const portions = foods.slice(0, 5).map(({ id }) => ({ id, amount: '1', unit: 'cup', grams: '100' }));
  expect(selectFoods(foods, portions).map(({ name }) => name)).toEqual(['carrots, raw', 'carrots, boiled']);
  const [header, line] = formatFoods(selectFoods(foods, portions)).split('\n');
  expect(header).toMatch(/^fdc_id\tgroup\tname\taliases\tenergy_kcal\t.*\tvitamin_c_mg\tportions$/);
  expect(line).toMatch(/^00000\tvegetables\tcarrots, raw\t\t41\t1\t9\t0\t.*\t1 cup=100$/);
});
