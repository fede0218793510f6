import { expect, test } from 'vitest';
import { openFoods } from './support/open-foods.ts';

const { foods } = openFoods();

/** The ordinary food of each query. */
const ORDINARY: readonly (readonly [string, string, string])[] = [
  ['apple', '09003', 'apples, raw, with skin'],
  ['apples', '09003', 'apples, raw, with skin'],
  ['banana', '09040', 'bananas, raw'],
  ['orange', '09200', 'oranges, raw'],
  ['strawberries', '09316', 'strawberries, raw'],
  ['blueberry', '09050', 'blueberries, raw'],
  ['grapes', '09132', 'grapes, red or green, raw'],
  ['avocado', '09037', 'avocados, raw'],
  ['pear', '09252', 'pears, raw'],
  ['mango', '09176', 'mangos, raw'],
  ['kiwi', '09148', 'kiwifruit, green, raw'],
  ['chicken breast', '05062', 'chicken breast, raw, without skin'],
  ['roasted chicken breast', '05064', 'chicken breast, roasted, without skin'],
  ['chicken thigh', '05096', 'chicken thigh, raw, without skin'],
  ['turkey breast', '05219', 'turkey breast, raw, without skin'],
  ['ground beef', '23572', 'ground beef, 80% lean / 20% fat, raw'],
  ['minced beef', '23572', 'ground beef, 80% lean / 20% fat, raw'],
  ['pork tenderloin', '10060', 'pork loin, tenderloin, raw, lean only'],
  ['bacon', '10123', 'bacon, uncooked'],
  ['salmon', '15236', 'Atlantic salmon, farmed, raw'],
  ['tuna', '15121', 'light tuna, canned in water'],
  ['cod', '15015', 'Atlantic cod, raw'],
  ['shrimp', '15149', 'shrimp, raw'],
  ['prawns', '15149', 'shrimp, raw'],
  ['egg', '01123', 'egg, raw'],
  ['eggs', '01123', 'egg, raw'],
  ['boiled egg', '01129', 'egg, hard-boiled'],
  ['egg white', '01124', 'egg white, raw'],
  ['milk', '01077', 'whole milk, 3.25% fat'],
  ['whole milk', '01077', 'whole milk, 3.25% fat'],
  ['skim milk', '01085', 'milk, fat-free'],
  ['almond milk', '14091', 'almond milk, unsweetened'],
  ['soy milk', '16222', 'soymilk, unsweetened'],
  ['greek yogurt', '01256', 'Greek yogurt, plain, fat-free'],
  ['yoghurt', '01116', 'plain yogurt, whole milk'],
  ['cottage cheese', '01012', 'cottage cheese, creamed'],
  ['cheddar', '01009', 'cheddar cheese'],
  ['mozzarella', '01026', 'mozzarella cheese, whole milk'],
  ['parmesan', '01033', 'Parmesan cheese, hard'],
  ['feta', '01019', 'feta cheese'],
  ['butter', '01145', 'butter'],
  ['olive oil', '04053', 'olive oil'],
  ['brown rice', '20036', 'brown rice, long-grain, raw'],
  ['cooked brown rice', '20037', 'brown rice, long-grain, cooked'],
  ['white rice', '20044', 'white rice, long-grain, raw'],
  ['oats', '08120', 'oats, regular and quick, dry'],
  ['oatmeal', '08121', 'oats, regular and quick, cooked'],
  ['quinoa', '20137', 'quinoa, cooked'],
  ['pasta', '20120', 'pasta, dry'],
  ['couscous', '20029', 'couscous, cooked'],
  ['whole wheat bread', '18075', 'whole-wheat bread'],
  ['bagel', '18001', 'plain bagels'],
  ['flour', '20081', 'white wheat flour, all-purpose, bleached'],
  ['lentils', '16069', 'lentils, raw'],
  ['black beans', '16015', 'black beans, boiled'],
  ['chickpeas', '16057', 'chickpeas, boiled'],
  ['garbanzo beans', '16057', 'chickpeas, boiled'],
  ['tofu', '16426', 'tofu, raw, firm'],
  ['hummus', '16158', 'hummus'],
  ['peanut butter', '16398', 'peanut butter, smooth style'],
  ['almonds', '12061', 'almonds'],
  ['walnuts', '12155', 'walnuts, English'],
  ['chia seeds', '12006', 'chia seeds, dried'],
  ['broccoli', '11090', 'broccoli, raw'],
  ['spinach', '11457', 'spinach, raw'],
  ['kale', '11233', 'kale, raw'],
  ['carrot', '11124', 'carrots, raw'],
  ['tomato', '11529', 'red tomatoes, ripe, raw'],
  ['onion', '11282', 'onions, raw'],
  ['garlic', '11215', 'garlic, raw'],
  ['potato', '11352', 'potatoes, raw, with skin'],
  ['sweet potato', '11507', 'sweet potato, raw'],
  ['cucumber', '11205', 'cucumber, raw, with peel'],
  ['bell pepper', '11821', 'red bell peppers, raw'],
  ['courgette', '11477', 'zucchini, raw'],
  ['aubergine', '11209', 'eggplant, raw'],
  ['mushrooms', '11260', 'white mushrooms, raw'],
  ['green beans', '11052', 'green beans, raw'],
  ['honey', '19296', 'honey'],
  ['sugar', '19335', 'granulated sugar'],
  ['salt', '02047', 'salt'],
  ['coffee', '14209', 'coffee, brewed'],
  ['orange juice', '09206', 'orange juice, raw'],
  ['water', '14411', 'water, tap, drinking'],
  ['ketchup', '11935', 'catsup'],
  ['french fries', '21138', 'potato, French fried in vegetable oil'],
];

test.each(ORDINARY)('"%s" finds %s %s among the first five', (query, id, name) => {
  const found = foods.search(query, 5).foods.map((food) => `${food.fdc_id} ${food.name}`);
  expect(found).toContain(`${id} ${name}`);
});

test('at least 80 ordinary queries are tested', () => {
  expect(ORDINARY.length).toBeGreaterThanOrEqual(80);
});

test('the plainest food of a name is first', () => {
  const first = (query: string): string | undefined => foods.search(query, 1).foods[0]?.name;
  expect(first('apple')).toBe('apples, raw, with skin');
  expect(first('milk')).toBe('whole milk, 3.25% fat');
  expect(first('rice')).toBe('white rice, long-grain, raw');
  expect(first('broccoli')).toBe('broccoli, raw');
  expect(first('blueberries')).toBe('blueberries, raw');
});

test('the beginning of a word finds the food', () => {
  expect(foods.search('strawb', 1).foods[0]?.name).toBe('strawberries, raw');
  expect(foods.search('brocc raw', 1).foods[0]?.name).toBe('broccoli, raw');
});

test('case, accents and signs do not matter', () => {
  expect(foods.search('GRUYÈRE', 1).foods[0]?.fdc_id).toBe('01023');
  expect(foods.search('whole-wheat bread!', 1).foods[0]?.fdc_id).toBe('18075');
  expect(foods.search('" OR 1=1 NEAR(apple', 1).foods.length).toBe(1);
});

test('the pages of a query have each food once, and nothing beyond the last', () => {
  const whole = foods.search('milk', 200);
  expect(whole.total).toBeGreaterThan(100);
  const ids: string[] = [];
  for (let page = 1; page <= Math.ceil(whole.total / 10); page += 1)
    ids.push(...foods.search('milk', 10, page).foods.map((food) => food.fdc_id));
  expect(new Set(ids).size).toBe(whole.total);
  expect(ids).toHaveLength(whole.total);
  expect(ids.slice(0, 200)).toEqual(whole.foods.map((food) => food.fdc_id));
  expect(foods.search('milk', 10, 1000)).toMatchObject({ page_number: 1000, foods: [] });
});

test('a listing has the energy and the macronutrients of 100 g', () => {
  expect(foods.search('apples raw with skin', 1)).toEqual({
    query: 'apples raw with skin',
    all_words: true,
    total: expect.any(Number) as number,
    page_number: 1,
    page_size: 1,
    total_pages: expect.any(Number) as number,
    foods: [
      {
        fdc_id: '09003',
        name: 'apples, raw, with skin',
        group: 'fruit',
        energy_kcal: 52,
        protein_g: 0.26,
        carbohydrate_g: 13.81,
        fat_g: 0.17,
      },
    ],
  });
});

test('a query of which no food has all words returns foods with some of them, and says so', () => {
  const page = foods.search('purple unicorn broccoli', 3);
  expect(page.all_words).toBe(false);
  expect(page.foods[0]?.name).toBe('broccoli, raw');
  expect(foods.search('xyzzy')).toMatchObject({ total: 0, total_pages: 0, foods: [] });
});

test('a query without words and pages out of bounds are rejected', () => {
  expect(() => foods.search('  !? ')).toThrow(
    'query: Invalid query "  !? ": use at least one word of a food\'s name.',
  );
  expect(() => foods.search('apple', 0)).toThrow('page_size: Invalid value 0: use an integer from 1 to 200.');
  expect(() => foods.search('apple', 201)).toThrow('page_size: Invalid value 201');
  expect(() => foods.search('apple', 10, 0)).toThrow('page_number: Invalid value 0');
  expect(() => foods.search('apple', 10, 1.5)).toThrow('page_number: Invalid value 1.5');
});
