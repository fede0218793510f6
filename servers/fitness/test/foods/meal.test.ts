import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeMeal } from '../../src/foods/meal-nutrition.ts';
import { NUTRIENTS } from '../../src/foods/food.ts';
import { NutritionError } from '../../src/foods/nutrition-error.ts';
import { openFoods } from './support/open-foods.ts';

const { database, foods } = openFoods();
const ids = database.all<{ fdc_id: string }>('SELECT fdc_id FROM foods').map((row) => row.fdc_id);

function toError(run: () => unknown): NutritionError {
  try {
    run();
  } catch (error) {
    if (error instanceof NutritionError) return error;
  }
  throw new Error('The call had to be rejected.');
}

test('a meal of chicken, rice, broccoli and oil has the sums of the figures of SR28', () => {
  // Per 100 g: chicken 165 kcal, 31.02 g protein, 0 g carbohydrate, 3.57 g fat; rice 123, 2.74, 25.58, 0.97; broccoli 35, 2.38, 7.18, 0.41; oil 884, 0, 0, 100.
  const meal = computeMeal(foods, [
    { fdc_id: '05064', grams: 150 },
    { fdc_id: 20037, grams: 200 },
    { fdc_id: '11091', grams: 100 },
    { fdc_id: '4053', grams: 10 },
  ]);
  expect(meal.total_grams).toBe(460);
  expect(meal.totals).toMatchObject({
    energy_kcal: 616.9,
    protein_g: 54.39,
    carbohydrate_g: 58.34,
    fat_g: 17.71,
  });
  expect(meal.energy_shares).toEqual({
    carbohydrate_percent: 38.2,
    protein_percent: 35.7,
    fat_percent: 26.1,
  });
  expect(meal.foods[0]).toMatchObject({
    fdc_id: '05064',
    name: 'chicken breast, roasted, without skin',
    grams: 150,
    nutrients: { energy_kcal: 247.5, protein_g: 46.53, fat_g: 5.36 },
  });
});

test('a nutrient that was not measured in a food is named, and counts as zero only beside measured ones', () => {
  const meal = computeMeal(foods, [
    { fdc_id: '01008', grams: 100 },
    { fdc_id: '09003', grams: 100 },
  ]);
  expect(meal.totals.sugar_g).toBe(10.39);
  expect(meal.incomplete).toEqual([{ nutrient: 'sugar_g', foods: ['caraway cheese'] }]);
  expect(computeMeal(foods, [{ fdc_id: '01008', grams: 100 }]).totals.sugar_g).toBeNull();
});

test('one error names all unknown foods, with suggestions', () => {
  const error = toError(() =>
    computeMeal(foods, [
      { fdc_id: '09017', grams: 100 },
      { fdc_id: '09003', grams: 100 },
      { fdc_id: '99999', grams: 100 },
    ]),
  );
  expect(error.code).toBe('unknown_food');
  expect(error.issues.map(({ path }) => path)).toEqual(['foods[0].fdc_id', 'foods[2].fdc_id']);
  for (const { choices } of error.issues) expect(choices).toHaveLength(3);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 100_001])('%s grams are rejected', (grams) => {
  const error = toError(() => computeMeal(foods, [{ fdc_id: '09003', grams }]));
  expect(error.code).toBe('invalid_input');
  expect(error.message).toBe(
    `foods[0].grams: Invalid weight ${grams}: use more than 0 and at most 100000 grams.`,
  );
});

test('invalid weights and unknown foods are in the same error', () => {
  const error = toError(() =>
    computeMeal(foods, [
      { fdc_id: 'x', grams: -5 },
      { fdc_id: '99999', grams: 5 },
    ]),
  );
  expect(error.issues.map(({ path }) => path)).toEqual([
    'foods[0].grams',
    'foods[0].fdc_id',
    'foods[1].fdc_id',
  ]);
});

test('a meal without foods is rejected', () => {
  expect(toError(() => computeMeal(foods, [])).message).toBe(
    'foods: Invalid number of foods 0: give 1 to 200 foods.',
  );
});

test('nutrients scale with the weight, for every food', () => {
  const scaling = fc.property(
    fc.constantFrom(...ids),
    fc.double({ min: 1, max: 1000, noNaN: true }),
    fc.integer({ min: 2, max: 20 }),
    (id, grams, factor) => {
      const [one, many] = [grams, grams * factor].map(
        (weight) => computeMeal(foods, [{ fdc_id: id, grams: weight }]).totals,
      );
      for (const nutrient of NUTRIENTS) {
        const [small, large] = [one?.[nutrient], many?.[nutrient]];
        if (small === null || small === undefined || large === null || large === undefined)
          expect(small).toBe(large);
        else expect(Math.abs(small * factor - large)).toBeLessThanOrEqual(0.005 * factor + 0.01);
      }
    },
  );
  fc.assert(scaling, { numRuns: 300 });
});

test('a meal has the sum of its parts, in any order', () => {
  const item = fc.record({ fdc_id: fc.constantFrom(...ids), grams: fc.integer({ min: 1, max: 500 }) });
  const additive = fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), (items) => {
    const whole = computeMeal(foods, items).totals;
    const reverse = computeMeal(foods, items.toReversed()).totals;
    const parts = items.map((part) => computeMeal(foods, [part]).totals);
    for (const nutrient of NUTRIENTS) {
      const sum = parts.reduce((total, part) => total + (part[nutrient] ?? 0), 0);
      expect(Math.abs((whole[nutrient] ?? 0) - sum)).toBeLessThanOrEqual(0.005 * (items.length + 1) + 1e-6);
      expect(Math.abs((whole[nutrient] ?? 0) - (reverse[nutrient] ?? 0))).toBeLessThanOrEqual(0.011);
    }
  });
  fc.assert(additive, { numRuns: 200 });
});
