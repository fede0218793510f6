import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toGrams } from '../../src/recipes/to-grams.ts';
import { UNITS } from '../../src/recipes/units.ts';
import type { Unit } from '../../src/recipes/units.ts';
import { openFoods } from '../foods/support/open-foods.ts';

const { foods } = openFoods();

/** The grams of an amount of a food, by the portions of SR28. */
function weigh(
  id: string,
  amount: number,
  unit: Unit,
  words: { name?: string; preparation?: string } = {},
): unknown {
  const { name = foods.get(id).name, preparation } = words;
  const conversion = toGrams(foods.get(id), { name, amount, unit, preparation });
  return conversion.grams ?? conversion.choices;
}

test('weights need no portion', () => {
  expect(weigh('09003', 150, 'g')).toBe(150);
  expect(weigh('09003', 1.5, 'kg')).toBe(1500);
  expect(weigh('09003', 8, 'oz')).toBeCloseTo(226.796, 3);
  expect(weigh('09003', 1, 'lb')).toBeCloseTo(453.592, 3);
});

test('a volume has the weight of the portion of its unit', () => {
  expect(weigh('04053', 1, 'tbsp')).toBe(13.5);
  expect(weigh('04053', 1, 'tsp')).toBe(4.5);
  expect(weigh('01077', 2, 'cup')).toBe(488);
  expect(weigh('20081', 0.5, 'cup')).toBe(62.5);
  expect(weigh('02047', 1, 'tsp')).toBe(6);
});

test('a volume without a portion of its unit is computed by the density', () => {
  // 244 g in 236.588 ml.
  expect(weigh('01077', 250, 'ml')).toBeCloseTo(257.83, 2);
  // 339 g in 48 teaspoons would be 7.06 g; 1 tablespoon of 21 g is no better known. The cup is first.
  expect(weigh('19296', 1, 'tsp')).toBeCloseTo(7.06, 2);
  expect(weigh('14411', 1, 'cup')).toBeCloseTo(236.8, 1);
});

test('a preparation chooses its portion', () => {
  expect(weigh('11282', 1, 'cup', { name: 'onion', preparation: 'chopped' })).toBe(160);
  expect(weigh('11282', 1, 'cup', { name: 'onion', preparation: 'sliced' })).toBe(115);
  expect(weigh('12061', 1, 'cup', { name: 'almonds', preparation: 'slivered' })).toBe(108);
  expect(weigh('01009', 1, 'cup', { name: 'cheddar', preparation: 'shredded' })).toBe(113);
});

test('a piece is of medium size, unless a size or a part is named; an egg is large', () => {
  expect(weigh('09040', 1, 'piece')).toBe(118);
  expect(weigh('09040', 2, 'piece', { name: 'large banana' })).toBe(272);
  expect(weigh('01123', 2, 'piece')).toBe(100);
  expect(weigh('01123', 1, 'piece', { name: 'small egg' })).toBe(38);
  expect(weigh('11215', 3, 'piece', { name: 'garlic cloves' })).toBe(9);
  expect(weigh('18069', 2, 'piece', { name: 'bread' })).toBe(58);
  expect(weigh('11529', 1, 'piece', { name: 'tomato' })).toBe(123);
  expect(weigh('11529', 5, 'piece', { name: 'cherry tomatoes' })).toBe(85);
  expect(weigh('12061', 10, 'piece')).toBe(12);
});

test('a unit without a weight returns the units that have one', () => {
  expect(weigh('08120', 1, 'piece')).toEqual(['g', '1 cup = 81 g', '0.333 cup = 27 g']);
  expect(weigh('12006', 1, 'tbsp')).toEqual(['g', '1 oz = 28.35 g']);
});

test('the weight of every unit of every staple is proportional to the amount, and positive', () => {
  const ids = [
    '01077',
    '01123',
    '09003',
    '09040',
    '11282',
    '18069',
    '20081',
    '20044',
    '04053',
    '19335',
    '12061',
    '05062',
  ];
  const proportional = fc.property(
    fc.constantFrom(...ids),
    fc.constantFrom(...UNITS),
    fc.double({ min: 0.01, max: 100, noNaN: true }),
    (id, unit, amount) => {
      const [one, many] = [weigh(id, 1, unit), weigh(id, amount, unit)];
      if (typeof one === 'number' && typeof many === 'number') {
        expect(one).toBeGreaterThan(0);
        expect(many).toBeCloseTo(one * amount, 6);
      } else expect(many).toEqual(one);
    },
  );
  fc.assert(proportional, { numRuns: 500 });
});
