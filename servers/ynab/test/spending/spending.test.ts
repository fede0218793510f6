import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyzeSpending } from '../../src/spending/analyze-spending.ts';
import type { SpendingGroupBy, SpendingOptions } from '../../src/spending/analyze-spending.ts';
import { comparePeriods } from '../../src/spending/compare-periods.ts';
import type { SpendingPart, SpendingTransaction } from '../../src/spending/spending-transaction.ts';

const NOVEMBER = { since: '2026-11-01', until: '2026-11-30', includeTransfers: false } as const;

function transaction(
  date: string,
  amount: number,
  more: Partial<SpendingTransaction> = {},
): SpendingTransaction {
  const category = { category_id: 'c-food', category_name: 'Food' };
  const account = { account_id: 'a-cash', account_name: 'Cash' };
  const payee = { payee_id: 'p-shop', payee_name: 'Shop' };
  return { date, amount, deleted: false, subtransactions: [], ...category, ...account, ...payee, ...more };
}

function part(amount: number, category: string | null, more: Partial<SpendingPart> = {}): SpendingPart {
  return { amount, deleted: false, category_id: category, category_name: category, ...more };
}

/** The groups as tuples of key, name, income, spending, net and count. */
function groupsOf(transactions: readonly SpendingTransaction[], options: SpendingOptions): unknown[][] {
  return analyzeSpending(transactions, options).groups.map((group) => [
    group.key,
    group.name,
    group.income,
    group.spending,
    group.net,
    group.count,
  ]);
}

const SPLIT = transaction('2026-11-10', -10_000, {
  category_id: 'c-split',
  category_name: 'Split',
  subtransactions: [
    part(-9000, 'c-home'),
    part(2000, 'c-food'),
    part(-3000, null),
    part(-7777, 'c-home', { deleted: true }),
  ],
});

const HALF_TRANSFER = transaction('2026-11-11', -5000, {
  payee_id: null,
  payee_name: null,
  subtransactions: [part(-4000, null, { transfer_account_id: 'a-bank' }), part(-1000, 'c-home')],
});

describe('analysis of spending', () => {
  const cases: [string, SpendingTransaction[], Partial<SpendingOptions>, unknown[][]][] = [
    [
      'dates are inclusive, deleted transactions are ignored',
      [
        transaction('2026-10-31', -1),
        transaction('2026-11-01', -20),
        transaction('2026-11-30', -300),
        transaction('2026-12-01', -4000),
        transaction('2026-11-15', -50_000, { deleted: true }),
      ],
      { groupBy: 'category' },
      [['c-food', 'Food', 0, 320, -320, 2]],
    ],
    [
      'income and spending are counted apart; the largest spending comes first',
      [
        transaction('2026-11-02', -100),
        transaction('2026-11-03', 40),
        transaction('2026-11-04', -90, { category_id: 'c-home', category_name: 'Home' }),
        transaction('2026-11-05', 5000, { category_id: null, category_name: null }),
        transaction('2026-11-06', -200, { category_id: 'c-rent', category_name: null }),
      ],
      { groupBy: 'category' },
      [
        ['c-rent', 'c-rent', 0, 200, -200, 1],
        ['c-food', 'Food', 40, 100, -60, 2],
        ['c-home', 'Home', 0, 90, -90, 1],
        [null, 'Uncategorized', 5000, 0, 5000, 1],
      ],
    ],
    [
      'a split counts by its parts when grouped by category',
      [SPLIT],
      { groupBy: 'category' },
      [
        ['c-home', 'c-home', 0, 9000, -9000, 1],
        [null, 'Uncategorized', 0, 3000, -3000, 1],
        ['c-food', 'c-food', 2000, 0, 2000, 1],
      ],
    ],
    [
      'a split counts once otherwise',
      [SPLIT],
      { groupBy: 'payee' },
      [['p-shop', 'Shop', 0, 10_000, -10_000, 1]],
    ],
    [
      'transfers are left out, also those of parts',
      [HALF_TRANSFER, transaction('2026-11-12', -700, { transfer_account_id: 'a-bank' })],
      { groupBy: 'category' },
      [['c-home', 'c-home', 0, 1000, -1000, 1]],
    ],
    [
      'transfers of parts are left out of the whole too',
      [HALF_TRANSFER, transaction('2026-11-12', -700, { transfer_account_id: 'a-bank' })],
      { groupBy: 'payee' },
      [[null, 'No payee', 0, 1000, -1000, 1]],
    ],
    [
      'a split of transfers alone does not count',
      [
        transaction('2026-11-12', -1, {
          subtransactions: [part(-1, null, { transfer_account_id: 'a-bank' })],
        }),
      ],
      { groupBy: 'account' },
      [],
    ],
    [
      'transfers are included on request',
      [HALF_TRANSFER, transaction('2026-11-12', -700, { transfer_account_id: 'a-bank' })],
      { groupBy: 'account', includeTransfers: true },
      [['a-cash', 'Cash', 0, 5700, -5700, 2]],
    ],
    [
      'weeks begin on Monday, across months and years',
      [
        transaction('2026-12-28', -1),
        transaction('2027-01-03', -2),
        transaction('2027-01-04', -4),
        transaction('2026-12-27', -8),
      ],
      { groupBy: 'week', since: '2026-12-01', until: '2027-01-31' },
      [
        ['2026-12-21', 'Week of 2026-12-21', 0, 8, -8, 1],
        ['2027-01-04', 'Week of 2027-01-04', 0, 4, -4, 1],
        ['2026-12-28', 'Week of 2026-12-28', 0, 3, -3, 2],
      ],
    ],
    [
      'months; of equal spending the first name comes first',
      [transaction('2026-12-31', -5), transaction('2027-01-01', -5)],
      { groupBy: 'month', since: '2026-12-01', until: '2027-01-31' },
      [
        ['2026-12-01', '2026-12', 0, 5, -5, 1],
        ['2027-01-01', '2027-01', 0, 5, -5, 1],
      ],
    ],
  ];
  test.each(cases)('%s', (_, transactions, options, groups) => {
    expect(groupsOf(transactions, { groupBy: 'category', ...NOVEMBER, ...options })).toEqual(groups);
  });

  test('the totals are those of the period', () => {
    const options = { ...NOVEMBER, groupBy: 'account' } as const;
    expect(analyzeSpending([SPLIT, transaction('2026-11-03', 30_000)], options)).toEqual({
      options,
      income: 30_000,
      spending: 10_000,
      net: 20_000,
      count: 2,
      groups: [{ key: 'a-cash', name: 'Cash', income: 30_000, spending: 10_000, net: 20_000, count: 2 }],
    });
  });

  test('a period that ends before it begins is rejected', () => {
    const options = { ...NOVEMBER, groupBy: 'week', until: '2026-10-31' } as const;
    expect(() => analyzeSpending([], options)).toThrow(
      new RangeError('The period ends (2026-10-31) before it begins (2026-11-01). Swap the dates.'),
    );
  });
});

describe('comparison of periods', () => {
  const october = { ...NOVEMBER, since: '2026-10-01', until: '2026-10-31', groupBy: 'category' } as const;
  const november = { ...NOVEMBER, groupBy: 'category' } as const;
  const home = { category_id: 'c-home', category_name: 'Home' };
  const pay = { category_id: 'c-pay', category_name: 'Pay' };

  test('differences are b minus a, with the groups of either period, the largest change first', () => {
    const a = analyzeSpending(
      [transaction('2026-10-02', -100), transaction('2026-10-03', -900, home)],
      october,
    );
    const b = analyzeSpending(
      [transaction('2026-11-02', -150), transaction('2026-11-03', 70, pay)],
      november,
    );
    expect(comparePeriods(a, b)).toEqual({
      a,
      b,
      difference: { income: 70, spending: -850, net: 920, count: 0 },
      groups: [
        {
          key: 'c-home',
          name: 'Home',
          a: { income: 0, spending: 900, net: -900, count: 1 },
          b: { income: 0, spending: 0, net: 0, count: 0 },
          difference: { income: 0, spending: -900, net: 900, count: -1 },
        },
        {
          key: 'c-food',
          name: 'Food',
          a: { income: 0, spending: 100, net: -100, count: 1 },
          b: { income: 0, spending: 150, net: -150, count: 1 },
          difference: { income: 0, spending: 50, net: -50, count: 0 },
        },
        {
          key: 'c-pay',
          name: 'Pay',
          a: { income: 0, spending: 0, net: 0, count: 0 },
          b: { income: 70, spending: 0, net: 70, count: 1 },
          difference: { income: 70, spending: 0, net: 70, count: 1 },
        },
      ],
    });
  });

  test('periods with other options are rejected', () => {
    const a = analyzeSpending([], october);
    expect(() => comparePeriods(a, analyzeSpending([], { ...november, groupBy: 'payee' }))).toThrow(
      new RangeError('The periods differ in groupBy (category and payee). Analyze both with the same value.'),
    );
    expect(() => comparePeriods(a, analyzeSpending([], { ...november, includeTransfers: true }))).toThrow(
      new RangeError(
        'The periods differ in includeTransfers (false and true). Analyze both with the same value.',
      ),
    );
  });
});

const transfer = fc.constantFrom(null, null, 'a-bank');
const parts = fc.array(
  fc.record({
    amount: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    category: fc.constantFrom(null, 'c-food', 'c-home', 'c-pay'),
    transfer,
    deleted: fc.boolean(),
  }),
  { maxLength: 4 },
);
const transactions = fc.array(
  fc
    .record({
      date: fc.date({ min: new Date('2026-10-25'), max: new Date('2026-12-05'), noInvalidDate: true }),
      amount: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      payee: fc.constantFrom(null, 'p-shop', 'p-work', 'p-cafe'),
      transfer,
      deleted: fc.boolean(),
      parts,
    })
    .map(({ date, amount, payee, transfer, deleted, parts }) => {
      const subtransactions = parts.map((each) =>
        part(each.amount, each.category, { transfer_account_id: each.transfer, deleted: each.deleted }),
      );
      const live = parts.filter((each) => !each.deleted);
      const whole = live.reduce((sum, each) => sum + each.amount, 0);
      return transaction(date.toISOString().slice(0, 10), live.length > 0 ? whole : amount, {
        category_name: 'c-food',
        payee_id: payee,
        payee_name: payee,
        deleted,
        subtransactions,
        transfer_account_id: live.length > 0 ? null : transfer,
      });
    }),
  { maxLength: 30 },
);
const groupBys = fc.constantFrom<SpendingGroupBy>('category', 'payee', 'account', 'week', 'month');

describe('all periods', () => {
  test('the groups add up to the totals, and net does not depend on the grouping', () => {
    fc.assert(
      fc.property(transactions, groupBys, fc.boolean(), (all, groupBy, includeTransfers) => {
        const options = { ...NOVEMBER, includeTransfers };
        const analysis = analyzeSpending(all, { ...options, groupBy });
        for (const figure of ['income', 'spending', 'net', 'count'] as const)
          expect(analysis.groups.reduce((sum, group) => sum + group[figure], 0)).toBe(analysis[figure]);
        expect(analysis.net).toBe(analysis.income - analysis.spending);
        expect(analysis.net).toBe(analyzeSpending(all, { ...options, groupBy: 'account' }).net);
      }),
    );
  });

  test('the order of the transactions does not matter', () => {
    fc.assert(
      fc.property(transactions, groupBys, fc.integer(), (all, groupBy, turn) => {
        const options = { ...NOVEMBER, groupBy };
        const at = all.length === 0 ? 0 : Math.abs(turn) % all.length;
        const turned = [...all.slice(at), ...all.slice(0, at)].toReversed();
        expect(analyzeSpending(turned, options)).toEqual(analyzeSpending(all, options));
      }),
    );
  });

  test('the differences of the groups add up to those of the totals', () => {
    fc.assert(
      fc.property(transactions, groupBys, (all, groupBy) => {
        const a = analyzeSpending(all, { ...NOVEMBER, groupBy, until: '2026-11-14' });
        const b = analyzeSpending(all, { ...NOVEMBER, groupBy, since: '2026-11-15' });
        const { difference, groups } = comparePeriods(a, b);
        for (const figure of ['income', 'spending', 'net', 'count'] as const)
          expect(groups.reduce((sum, group) => sum + group.difference[figure], 0)).toBe(difference[figure]);
      }),
    );
  });
});
