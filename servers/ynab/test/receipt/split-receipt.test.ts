import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Receipt, ReceiptItem } from '../../src/receipt/receipt.ts';
import { splitReceipt } from '../../src/receipt/split-receipt.ts';

type Line = readonly [amount: number, category: string, memo: string];

/** The lines of a valid receipt, as tuples. */
function linesOf(receipt: Receipt, digits = 2): Line[] {
  const split = splitReceipt(receipt, digits);
  if (!split.ok) throw new Error(JSON.stringify(split.errors));
  return split.subtransactions.map(({ amount, category_id: category, memo }) => [amount, category, memo]);
}

function category(id: string, ...items: ReceiptItem[]): Receipt['categories'][number] {
  return { category_id: id, items };
}

function item(name: string, amount: number | string, quantity?: number): ReceiptItem {
  return quantity === undefined ? { name, amount } : { name, amount, quantity };
}

const FOUR = [item('Milk', 1), item('Bread', 2.5), item('Eggs', 3), item('Salt', 0.5)];
const FIVE = [...FOUR, item('Rice', 4)];

describe('lines of a receipt', () => {
  const cases: [string, Receipt, Line[]][] = [
    [
      'fewer than five items: a line each',
      { receipt_tax: 0, receipt_total: 7, categories: [category('food', ...FOUR)] },
      [
        [-1000, 'food', 'Milk'],
        [-2500, 'food', 'Bread'],
        [-3000, 'food', 'Eggs'],
        [-500, 'food', 'Salt'],
      ],
    ],
    [
      'five items: one line with names and prices',
      { receipt_tax: 0, receipt_total: 11, categories: [category('food', ...FIVE)] },
      [[-11_000, 'food', 'Milk 1.00, Bread 2.50, Eggs 3.00, Salt 0.50, Rice 4.00']],
    ],
    [
      'more than five items of a category: at most five on a line',
      { receipt_tax: 0, receipt_total: 12, categories: [category('food', ...FIVE, item('Oil', 1))] },
      [
        [-11_000, 'food', 'Milk 1.00, Bread 2.50, Eggs 3.00, Salt 0.50, Rice 4.00'],
        [-1000, 'food', 'Oil 1.00'],
      ],
    ],
    [
      'five items in two categories: both are grouped, also the one with a single item',
      {
        receipt_tax: 0,
        receipt_total: 9,
        categories: [category('food', ...FOUR), category('home', item('Soap', 2))],
      },
      [
        [-7000, 'food', 'Milk 1.00, Bread 2.50, Eggs 3.00, Salt 0.50'],
        [-2000, 'home', 'Soap 2.00'],
      ],
    ],
    [
      'a category that is given twice is one category',
      {
        receipt_tax: 0.1,
        receipt_total: 11.1,
        categories: [category('food', ...FOUR), category('food', item('Rice', 4))],
      },
      [
        [-11_000, 'food', 'Milk 1.00, Bread 2.50, Eggs 3.00, Salt 0.50, Rice 4.00'],
        [-100, 'food', 'Tax'],
      ],
    ],
    [
      'large items and returns come first and do not count towards the five',
      {
        receipt_tax: 1.2,
        receipt_total: 62.21,
        categories: [
          category('food', ...FOUR, item('Return', -1)),
          category('home', item('Pan', 50.01), item('Cup', 5)),
        ],
      },
      [
        [1000, 'food', 'Return'],
        [-50_010, 'home', 'Pan'],
        [-7000, 'food', 'Milk 1.00, Bread 2.50, Eggs 3.00, Salt 0.50'],
        [-5000, 'home', 'Cup 5.00'],
        [-140, 'food', 'Tax'],
        [-1060, 'home', 'Tax'],
      ],
    ],
    [
      'a unit price of exactly 50 is not large, one above is',
      {
        receipt_tax: 0,
        receipt_total: 266.08,
        categories: [
          category(
            'home',
            item('A', 100, 2),
            item('B', 14.5, 0.29),
            item('E', 1.57, 0.0314),
            item('C', 150.01, 3),
            item('D', 0),
          ),
        ],
      },
      [
        [-150_010, 'home', 'C ×3'],
        [-100_000, 'home', 'A ×2'],
        [-14_500, 'home', 'B ×0.29'],
        [-1570, 'home', 'E ×0.0314'],
        [0, 'home', 'D'],
      ],
    ],
    [
      'the memo of an item is part of its line',
      {
        receipt_tax: 0,
        receipt_total: 3,
        categories: [category('home', { name: 'Socks', amount: 3, quantity: 2, memo: 'blue' })],
      },
      [[-3000, 'home', 'Socks ×2 (blue)']],
    ],
  ];
  test.each(cases)('%s', (_, receipt, lines) => {
    expect(linesOf(receipt)).toEqual(lines);
  });

  test('a memo above 150 characters is cut, but never within a character', () => {
    const long = (name: string): string =>
      linesOf({ receipt_tax: 0, receipt_total: 1, categories: [category('home', item(name, 1))] })[0]?.[2] ??
      '';
    expect(long('x'.repeat(150))).toBe('x'.repeat(150));
    expect(long('x'.repeat(151))).toBe(`${'x'.repeat(149)}…`);
    expect(long(`${'x'.repeat(148)}🧀🧀`)).toBe(`${'x'.repeat(148)}…`);
  });
});

describe('tax of a receipt', () => {
  const cases: [string, Receipt, Line[]][] = [
    [
      'in proportion to the amounts of the categories; what is left goes to the largest remainder',
      {
        receipt_tax: 1,
        receipt_total: 10,
        categories: [category('a', item('A', 3)), category('b', item('B', 4)), category('c', item('C', 2))],
      },
      [
        [-330, 'a', 'Tax'],
        [-450, 'b', 'Tax'],
        [-220, 'c', 'Tax'],
      ],
    ],
    [
      'equal remainders: the first category',
      {
        receipt_tax: 0.01,
        receipt_total: 2.01,
        categories: [category('a', item('A', 1)), category('b', item('B', 1))],
      },
      [[-10, 'a', 'Tax']],
    ],
    [
      'only for what was bought: returns do not reduce the part of their category',
      {
        receipt_tax: 2,
        receipt_total: 11,
        categories: [
          category('a', item('A', 5), item('Return', -4)),
          category('b', item('B', 15)),
          category('c', item('Return', -7)),
        ],
      },
      [
        [-500, 'a', 'Tax'],
        [-1500, 'b', 'Tax'],
      ],
    ],
    [
      'below 0: one line in the category of the largest return',
      {
        receipt_tax: -1.5,
        receipt_total: -9.5,
        categories: [
          category('a', item('A', 3), item('Return', -3), item('Return', -3)),
          category('b', item('Return', -5)),
        ],
      },
      [[1500, 'b', 'Tax']],
    ],
    ['0: no line', { receipt_tax: 0, receipt_total: 1, categories: [category('a', item('A', 1))] }, []],
  ];
  test.each(cases)('%s', (_, receipt, lines) => {
    expect(linesOf(receipt).filter(([, , memo]) => memo === 'Tax')).toEqual(lines);
  });

  test('in a currency without decimal digits, shares are whole units', () => {
    const categories = [category('a', item('A', 30)), category('b', item('B', 40))];
    expect(linesOf({ receipt_tax: 5, receipt_total: 75, categories }, 0)).toEqual([
      [-30_000, 'a', 'A'],
      [-40_000, 'b', 'B'],
      [-2000, 'a', 'Tax'],
      [-3000, 'b', 'Tax'],
    ]);
  });
});

describe('figures of a receipt', () => {
  test('a difference of 0.01 is accepted and becomes part of the largest line', () => {
    const categories = [category('a', item('A', 2), item('B', 3))];
    const receipt = { receipt_subtotal: '5.01', receipt_tax: 0.5, receipt_total: 5.51, categories };
    expect(splitReceipt(receipt, 2)).toEqual({
      ok: true,
      rounding: 10,
      subtransactions: [
        { amount: -2000, category_id: 'a', memo: 'A' },
        { amount: -3010, category_id: 'a', memo: 'B' },
        { amount: -500, category_id: 'a', memo: 'Tax' },
      ],
    });
    expect(linesOf({ ...receipt, receipt_subtotal: 4.99, receipt_total: 5.49 })[1]).toEqual([
      -2990,
      'a',
      'B',
    ]);
  });

  const categories = [category('a', item('A', 2), item('B', 3))];
  const cases: [string, Receipt, { path: (string | number)[]; message: string }[]][] = [
    [
      'subtotal and total that differ by more than 0.01',
      { receipt_subtotal: 5.02, receipt_tax: 0.5, receipt_total: 5.48, categories },
      [
        {
          path: ['receipt_subtotal'],
          message:
            'The subtotal is 5.02, but the items add up to 5.00. Correct the subtotal or the items; a difference of 0.01 is accepted.',
        },
        {
          path: ['receipt_total'],
          message:
            'The total is 5.48, but the items (5.00) and the tax (0.50) add up to 5.50. Correct the total, the tax or the items; a difference of 0.01 is accepted.',
        },
      ],
    ],
    [
      'amounts and quantities that are none, all at once',
      {
        receipt_subtotal: '5,00',
        receipt_tax: 0.005,
        receipt_total: Number.NaN,
        categories: [category('a', item('A', 2)), category('b', item('B', 1.234), item('C', 1, 0))],
      },
      [
        {
          path: ['categories', 1, 'items', 0, 'amount'],
          message: '1.234 has more than 2 decimal digits. Use an amount in units of the currency.',
        },
        {
          path: ['categories', 1, 'items', 1, 'quantity'],
          message: 'Invalid quantity 0: use a number above 0.',
        },
        {
          path: ['receipt_tax'],
          message: '0.005 has more than 2 decimal digits. Use an amount in units of the currency.',
        },
        {
          path: ['receipt_total'],
          message: '"NaN" is not a decimal amount such as 12.34. Use an amount in units of the currency.',
        },
        {
          path: ['receipt_subtotal'],
          message: '"5,00" is not a decimal amount such as 12.34. Use an amount in units of the currency.',
        },
      ],
    ],
    [
      'no items',
      { receipt_tax: 0, receipt_total: 0, categories: [category('a')] },
      [{ path: ['categories'], message: 'There are no items. Give at least one item in a category.' }],
    ],
    [
      'tax without anything bought',
      { receipt_tax: 1, receipt_total: -2, categories: [category('a', item('A', -3))] },
      [
        {
          path: ['receipt_tax'],
          message:
            'The tax is 1.00, but no item has a positive amount. Give the taxed items, or a tax of 0 or below.',
        },
      ],
    ],
    [
      'refunded tax without a return',
      { receipt_tax: -1, receipt_total: 4, categories },
      [
        {
          path: ['receipt_tax'],
          message:
            'The tax is -1.00, but no item is a return. Give the returned items with negative amounts, or a tax of 0 or above.',
        },
      ],
    ],
  ];
  test.each(cases)('rejected: %s', (_, receipt, errors) => {
    expect(splitReceipt(receipt, 2)).toEqual({ ok: false, errors });
  });

  test('in a currency without decimal digits, a difference is not accepted', () => {
    const receipt = { receipt_tax: 0, receipt_total: 6, categories: [category('a', item('A', 5))] };
    expect(splitReceipt(receipt, 0).ok).toBe(false);
    expect(splitReceipt({ ...receipt, receipt_total: 5 }, 0).ok).toBe(true);
  });

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [-1], [1e-9]])(
    'quantity %s is rejected',
    (quantity) => {
      const receipt = {
        receipt_tax: 0,
        receipt_total: 5,
        categories: [category('a', item('A', 5, quantity))],
      };
      expect(splitReceipt(receipt, 2)).toMatchObject({
        ok: false,
        errors: [{ path: ['categories', 0, 'items', 0, 'quantity'] }],
      });
    },
  );
});

/** Receipts whose figures agree, with amounts in steps of the smallest unit. */
const receipts = fc
  .record({
    digits: fc.constantFrom(0, 2, 3),
    tax: fc.integer({ min: -5000, max: 5000 }),
    rounding: fc.constantFrom(-1, 0, 1),
    categories: fc.array(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        items: fc.array(
          fc.record({
            name: fc.string({ maxLength: 60, unit: 'binary' }),
            steps: fc.oneof(
              fc.integer({ min: -300, max: 20_000 }),
              fc.integer({ min: -(10 ** 10), max: 10 ** 10 }),
            ),
            quantity: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ digits, tax, rounding, categories }) => {
    const all = categories.flatMap(({ items }) => items.map(({ steps }) => steps));
    const isTaxable = tax > 0 ? all.some((steps) => steps > 0) : all.some((steps) => steps < 0);
    const paid = isTaxable ? tax : 0;
    const total = all.reduce((one, other) => one + other, 0) + paid + (digits === 2 ? rounding : 0);
    const toText = (steps: number): string => (steps / 10 ** digits).toFixed(digits);
    const receipt: Receipt = {
      receipt_tax: toText(paid),
      receipt_total: toText(total),
      categories: categories.map(({ id, items }) =>
        category(id, ...items.map(({ name, steps, quantity }) => item(name, toText(steps), quantity))),
      ),
    };
    return { receipt, digits, categories, step: 10 ** (3 - digits), tax: paid, total };
  });

describe('all receipts', () => {
  test('the lines add up to the total, no text is longer than 150, and no item is lost', () => {
    fc.assert(
      fc.property(receipts, ({ receipt, digits, categories, step, total }) => {
        const lines = linesOf(receipt, digits);
        expect(lines.reduce((sum, [amount]) => sum + amount, 0)).toBe(0 - total * step);
        expect(lines.every(([, , memo]) => memo.length <= 150 && !/[\uD800-\uDBFF]…$/.test(memo))).toBe(true);
        expect(new Set(lines.map(([, id]) => id))).toEqual(new Set(categories.map(({ id }) => id)));
      }),
      { numRuns: 500 },
    );
  });

  test('tax is distributed exactly, each share within one smallest unit of the exact one', () => {
    fc.assert(
      fc.property(receipts, ({ receipt, digits, categories, step, tax }) => {
        const shares = new Map(
          linesOf(receipt, digits).flatMap(([amount, id, memo]) => (memo === 'Tax' ? [[id, -amount]] : [])),
        );
        expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBe(tax * step);
        if (tax <= 0) return;
        const bought = (ids: readonly string[]): number =>
          categories
            .filter(({ id }) => ids.includes(id))
            .flatMap(({ items }) => items.map(({ steps }) => Math.max(0, steps)))
            .reduce((sum, steps) => sum + steps, 0);
        for (const id of ['a', 'b', 'c', 'd']) {
          const exact = (tax * bought([id])) / bought(['a', 'b', 'c', 'd']);
          expect(Math.abs((shares.get(id) ?? 0) / step - exact)).toBeLessThan(1 + 1e-6);
        }
      }),
      { numRuns: 500 },
    );
  });
});
