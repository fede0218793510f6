import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { toFdcId } from '../../src/foods/fdc-id.ts';
import { Foods } from '../../src/foods/foods.ts';
import { loadFoods } from '../../src/foods/load-foods.ts';
import { NutritionError } from '../../src/foods/nutrition-error.ts';
import { STAPLES } from '../../src/foods/staples.ts';
import { openFoods } from './support/open-foods.ts';

const DATA = fileURLToPath(new URL('../../data/foods.tsv', import.meta.url));
const { database, foods } = openFoods();

test('the table has at least 2,000 foods with portions, in a file below 1 MB', () => {
  expect(database.all('SELECT count(*) AS count FROM foods')[0]).toEqual({ count: 4507 });
  expect(statSync(DATA).size).toBeLessThan(1_000_000);
  expect(database.all('SELECT id FROM foods WHERE id NOT IN (SELECT food_id FROM food_portions)')).toEqual(
    [],
  );
});

test('names and ids are unique, and no figure is negative', () => {
  expect(
    database.all('SELECT count(DISTINCT name) AS names, count(DISTINCT fdc_id) AS ids FROM foods')[0],
  ).toEqual({
    names: 4507,
    ids: 4507,
  });
  expect(
    database.all('SELECT fdc_id FROM foods WHERE min(energy_kcal, protein_g, carbohydrate_g, fat_g) < 0'),
  ).toEqual([]);
  expect(
    database.all(
      'SELECT fdc_id FROM foods WHERE energy_kcal > 902 OR protein_g + carbohydrate_g + fat_g > 105',
    ),
  ).toEqual([]);
  expect(database.all('SELECT food_id FROM food_portions WHERE NOT (amount > 0 AND grams > 0)')).toEqual([]);
});

test('details have the figures of SR28 and the portions', () => {
  expect(foods.get('09003')).toEqual({
    fdc_id: '09003',
    name: 'apples, raw, with skin',
    group: 'fruit',
    aliases: '',
    nutrients_per_100g: {
      energy_kcal: 52,
      protein_g: 0.26,
      carbohydrate_g: 13.81,
      fat_g: 0.17,
      saturated_fat_g: 0.028,
      fiber_g: 2.4,
      sugar_g: 10.39,
      sodium_mg: 1,
      potassium_mg: 107,
      calcium_mg: 6,
      iron_mg: 0.12,
      vitamin_c_mg: 4.6,
    },
    portions: expect.arrayContaining([{ amount: 1, unit: 'cup slices', grams: 109 }]) as unknown,
  });
});

test('a value that was not measured is null', () => {
  expect(foods.get('01008').nutrients_per_100g.sugar_g).toBeNull();
});

test('an id is accepted as a string, as an integer and without its leading zeros', () => {
  expect(toFdcId('09003')).toBe('09003');
  expect(toFdcId(9003)).toBe('09003');
  expect(toFdcId('9003')).toBe('09003');
  expect(foods.get(9003).name).toBe('apples, raw, with skin');
});

test.each(['', 'apple', '090031', -1, 1.5, Number.NaN, 123_456])('%s is not an id', (id) => {
  expect(() => foods.get(id)).toThrow(
    /^fdc_id: Invalid food id ".*": use the five digits that search_food returns/,
  );
});

test('an unknown id is an error with the foods of similar ids', () => {
  const error = (() => {
    try {
      return foods.get('09017');
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(foods.find('09017')).toBeUndefined();
  expect(error).toBeInstanceOf(NutritionError);
  expect(error).toMatchObject({ code: 'unknown_food', issues: [{ path: 'fdc_id' }] });
  const [issue] = (error as NutritionError).issues;
  expect(issue?.message).toBe('Unknown food "09017": find its id with search_food.');
  expect(issue?.choices).toHaveLength(3);
  for (const choice of issue?.choices ?? []) expect(foods.get(choice.slice(0, 5)).name).toBe(choice.slice(6));
  expect(foods.suggest('99999')).toHaveLength(3);
});

test('every staple is a food of the table', () => {
  expect(STAPLES.size).toBeGreaterThan(40);
  for (const id of STAPLES.values()) expect(foods.find(id)?.fdc_id).toBe(id);
});

test('foods are loaded once, and again if the file has changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitness-foods-'));
  const [file, data] = [join(folder, 'a.db'), join(folder, 'foods.tsv')];
  const [header = '', ...lines] = readFileSync(DATA, 'utf8').split('\n');
  writeFileSync(data, [header, ...lines.slice(0, 20)].join('\n'));
  const open = openDatabase(file);
  loadFoods(open, data);
  open.run("UPDATE foods SET name = 'kept' WHERE fdc_id = '01001'");
  loadFoods(open, data);
  expect(new Foods(open).get('01001').name).toBe('kept');
  expect(open.all('SELECT count(*) AS count FROM foods')).toEqual([{ count: 20 }]);
  copyFileSync(DATA, data);
  loadFoods(open, data);
  expect(new Foods(open).get('01001').name).toBe('butter, salted');
  expect(open.all('SELECT count(*) AS count FROM food_words')).toEqual([{ count: 4507 }]);
  expect(open.all('SELECT count(*) AS count FROM food_source')).toEqual([{ count: 1 }]);
  open.close();
  rmSync(folder, { recursive: true });
});
