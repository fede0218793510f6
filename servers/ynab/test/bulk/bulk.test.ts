import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BulkOutcome, SavedTransaction, TransactionFields } from '../../src/bulk/bulk-transaction.ts';
import { correlateCreated, correlateUpdated } from '../../src/bulk/correlate.ts';
import { listKeys } from '../../src/bulk/correlation-keys.ts';
import { fitOutcomes } from '../../src/bulk/fit-outcomes.ts';

function item(more: Partial<TransactionFields> = {}): TransactionFields {
  return { account_id: 'cash', date: '2026-11-01', amount: -5000, ...more };
}

/** A transaction as the API returns it: all fields, with the payee's id and name. */
function saved(id: string, more: Partial<TransactionFields> = {}): SavedTransaction {
  const defaults = { payee_id: null, payee_name: null, category_id: null, memo: null, import_id: null };
  const status = { cleared: 'uncleared', approved: false, flag_color: null };
  return { id, ...item(), ...defaults, ...status, ...more };
}

describe('correlation keys', () => {
  test('the import_id, else a hash of the fields; equal items are numbered', () => {
    expect(
      listKeys([
        item({ import_id: 'YNAB:-5000:2026-11-01:1' }),
        item(),
        item({ memo: 'x' }),
        item({ memo: null, cleared: 'uncleared', approved: false, import_id: null }),
        item(),
      ]),
    ).toEqual([
      'YNAB:-5000:2026-11-01:1',
      'hash:60255c245d9f914d',
      'hash:cff232e890b1715d',
      'hash:60255c245d9f914d#2',
      'hash:60255c245d9f914d#3',
    ]);
  });

  test.each<[keyof TransactionFields, string | number | boolean]>([
    ['account_id', 'bank'],
    ['date', '2026-11-02'],
    ['amount', -5001],
    ['payee_id', 'p'],
    ['payee_name', 'p'],
    ['category_id', 'c'],
    ['memo', 'm'],
    ['cleared', 'cleared'],
    ['approved', true],
    ['flag_color', 'red'],
  ])('%s is part of the hash', (field, value) => {
    const [plain, other] = listKeys([item(), { ...item(), [field]: value }]);
    expect(other).toMatch(/^hash:[0-9a-f]{16}$/);
    expect(other).not.toBe(plain);
  });
});

/** Outcomes as tuples of status and id. */
function outcomesOf(outcomes: readonly BulkOutcome<unknown>[]): unknown[] {
  return outcomes.map(({ index, status, id }) => [index, status, id]);
}

describe('outcomes of created transactions', () => {
  const cases: [string, TransactionFields[], SavedTransaction[], string[], unknown[]][] = [
    [
      'import_id decides, in any order',
      [item({ import_id: 'x' }), item({ import_id: 'y' })],
      [saved('2', { import_id: 'y' }), saved('1', { import_id: 'x' })],
      [],
      [
        [0, 'created', '1'],
        [1, 'created', '2'],
      ],
    ],
    [
      'a duplicate import_id; an item that is missing in the response',
      [item({ import_id: 'x' }), item({ import_id: 'y' }), item()],
      [],
      ['x'],
      [
        [0, 'duplicate', undefined],
        [1, 'failed', undefined],
        [2, 'failed', undefined],
      ],
    ],
    [
      'an import_id is unique by account: one account has it already, the other not',
      [item({ import_id: 'x' }), item({ import_id: 'x', account_id: 'bank' })],
      [saved('1', { import_id: 'x', account_id: 'bank' })],
      ['x'],
      [
        [0, 'duplicate', undefined],
        [1, 'created', '1'],
      ],
    ],
    [
      'the same import_id twice in a request',
      [item({ import_id: 'x' }), item({ import_id: 'x' })],
      [saved('1', { import_id: 'x' })],
      ['x'],
      [
        [0, 'created', '1'],
        [1, 'duplicate', undefined],
      ],
    ],
    [
      'an imported transaction may get another payee and category',
      [item({ import_id: 'x', payee_name: 'SHOP 123' })],
      [saved('1', { import_id: 'x', payee_id: 'p', payee_name: 'Shop', category_id: 'c' })],
      [],
      [[0, 'created', '1']],
    ],
    [
      'equal items get one transaction each',
      [item(), item(), item()],
      [saved('1'), saved('2')],
      [],
      [
        [0, 'created', '1'],
        [1, 'created', '2'],
        [2, 'failed', undefined],
      ],
    ],
    [
      'payees by name and by id, categories, memos and flags tell similar items apart',
      [
        item(),
        item({ payee_name: 'Cafe' }),
        item({ payee_id: 'p-shop' }),
        item({ category_id: 'c' }),
        item({ memo: 'm' }),
        item({ flag_color: 'red', approved: true }),
      ],
      [
        saved('6', { flag_color: 'red', approved: true }),
        saved('5', { memo: 'm' }),
        saved('4', { category_id: 'c' }),
        saved('3', { payee_id: 'p-shop', payee_name: 'Shop' }),
        saved('2', { payee_id: 'p-cafe', payee_name: 'Cafe' }),
        saved('1'),
      ],
      [],
      [
        [0, 'created', '1'],
        [1, 'created', '2'],
        [2, 'created', '3'],
        [3, 'created', '4'],
        [4, 'created', '5'],
        [5, 'created', '6'],
      ],
    ],
    [
      'payees by id are compared by id, whatever their names',
      [item({ payee_id: 'p-shop' }), item({ payee_id: 'p-cafe' })],
      [
        saved('2', { payee_id: 'p-cafe', payee_name: 'Cafe' }),
        saved('1', { payee_id: 'p-shop', payee_name: 'Shop' }),
      ],
      [],
      [
        [0, 'created', '1'],
        [1, 'created', '2'],
      ],
    ],
    [
      'a category that the API assigned does not confuse memos',
      [item({ memo: 'a' }), item({ memo: 'b' })],
      [saved('2', { memo: 'b', category_id: 'c' }), saved('1', { memo: 'a', category_id: 'c' })],
      [],
      [
        [0, 'created', '1'],
        [1, 'created', '2'],
      ],
    ],
    [
      'another account, date or amount is another transaction',
      [item({ account_id: 'bank' }), item({ date: '2026-11-02' }), item({ amount: 5000 })],
      [saved('1')],
      [],
      [
        [0, 'failed', undefined],
        [1, 'failed', undefined],
        [2, 'failed', undefined],
      ],
    ],
  ];
  test.each(cases)('%s', (_, items, transactions, duplicates, expected) => {
    const transaction_ids = transactions.map(({ id }) => id);
    const { outcomes } = correlateCreated(items, {
      transaction_ids,
      transactions,
      duplicate_import_ids: duplicates,
    });
    expect(outcomesOf(outcomes)).toEqual(expected);
  });

  test('an outcome has key, transaction or reason; a saved transaction without item is not lost', () => {
    const transactions = [saved('1', { import_id: 'x' }), saved('2', { amount: 1 })];
    const items = [item({ import_id: 'x' }), item({ import_id: 'y' })];
    expect(correlateCreated(items, { transaction_ids: ['1', '2'], transactions })).toEqual({
      outcomes: [
        { index: 0, key: 'x', status: 'created', id: '1', transaction: transactions[0] },
        { index: 1, key: 'y', status: 'failed', reason: 'The API did not return this transaction.' },
      ],
      uncorrelated_ids: ['2'],
    });
    expect(correlateCreated([item()], { transaction_ids: ['7'] }).uncorrelated_ids).toEqual(['7']);
  });

  test('whatever the order of the response, each item gets the transaction that it became', () => {
    const fields = fc.record({
      amount: fc.constantFrom(-1, -2),
      memo: fc.constantFrom(null, 'm', 'n'),
      payee_name: fc.constantFrom(null, 'Shop', 'Cafe'),
      import: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (all, order) => {
        const items = all.map(({ import: isImport, ...more }, index) =>
          item({ ...more, import_id: isImport ? `i${index}` : null }),
        );
        const transactions = items
          .map((each, index) => saved(String(index), each))
          .map((transaction) => ({ transaction, at: order.next().value }))
          .toSorted((one, other) => one.at - other.at)
          .map(({ transaction }) => transaction);
        const response = { transaction_ids: transactions.map(({ id }) => id), transactions };
        const { outcomes, uncorrelated_ids } = correlateCreated(items, response);
        expect(uncorrelated_ids).toEqual([]);
        expect(new Set(outcomes.map(({ key }) => key)).size).toBe(items.length);
        expect(outcomes.map(({ status }) => status)).toEqual(items.map(() => 'created'));
        for (const [index, { transaction }] of outcomes.entries())
          expect(transaction).toMatchObject(items[index] ?? {});
      }),
    );
  });
});

test('outcomes of updated transactions are found by id', () => {
  const transactions = [saved('b'), saved('a')];
  const response = { transaction_ids: ['b', 'a', 'd', 'e'], transactions };
  expect(correlateUpdated([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }], response)).toEqual({
    outcomes: [
      { index: 0, key: 'a', status: 'updated', id: 'a', transaction: transactions[1] },
      { index: 1, key: 'b', status: 'updated', id: 'b', transaction: transactions[0] },
      { index: 2, key: 'c', status: 'failed', id: 'c', reason: 'The API did not return this transaction.' },
      { index: 3, key: 'd', status: 'updated', id: 'd' },
    ],
    uncorrelated_ids: ['e'],
  });
});

describe('size of the outcomes', () => {
  /** One created transaction with texts of these lengths, in bytes. */
  const outcomesWith = (memo: number, payee = 0, key = 1) => ({
    outcomes: [
      {
        index: 0,
        key: 'k'.repeat(key),
        status: 'created' as const,
        id: '1',
        transaction: {
          ...saved('1', { memo: 'é'.repeat(memo / 2), payee_name: 'p'.repeat(payee) }),
          amount: -5,
          amount_milliunits: -5000,
        },
      },
    ],
    uncorrelated_ids: ['9'],
  });
  const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

  test('each form has all outcomes', () => {
    expect(fitOutcomes(outcomesWith(0))).toEqual({
      detail: 'full',
      counts: { created: 1 },
      results: outcomesWith(0).outcomes,
      uncorrelated_ids: ['9'],
    });
    expect(fitOutcomes(outcomesWith(70_000))).toEqual({
      detail: 'summary',
      counts: { created: 1 },
      results: [
        {
          index: 0,
          key: 'k',
          status: 'created',
          id: '1',
          account_id: 'cash',
          date: '2026-11-01',
          amount: -5,
          amount_milliunits: -5000,
          payee_name: '',
        },
      ],
      uncorrelated_ids: ['9'],
    });
    expect(fitOutcomes(outcomesWith(0, 100_000))).toEqual({
      detail: 'ids',
      counts: { created: 1 },
      results: [{ index: 0, key: 'k', status: 'created', id: '1' }],
      uncorrelated_ids: ['9'],
    });
  });

  test('outcomes that do not fit even as ids become a message instead of a cut list', () => {
    expect(fitOutcomes(outcomesWith(0, 0, 110_000))).toEqual({
      detail: 'none',
      counts: { created: 1 },
      message:
        'The outcomes have 110125 bytes even as ids, above the limit of 102400. The request was processed; list the transactions to see them, and send fewer at once.',
    });
  });

  test.each([
    ['full', 65_536, 'summary', (length: number) => outcomesWith(length * 2)],
    ['summary', 98_304, 'ids', (length: number) => outcomesWith(0, length)],
    ['ids', 102_400, 'none', (length: number) => outcomesWith(0, 0, length)],
  ] as const)('%s holds up to %i bytes in UTF-8, above comes %s', (detail, limit, next, grow) => {
    let [low, high] = [0, 200_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (order(fitOutcomes(grow(middle)).detail) <= order(detail)) low = middle;
      else high = middle;
    }
    const largest = fitOutcomes(grow(low));
    expect(largest.detail).toBe(detail);
    expect(limit - bytesOf(largest)).toBeGreaterThanOrEqual(0);
    expect(limit - bytesOf(largest)).toBeLessThan(2);
    expect(fitOutcomes(grow(high)).detail).toBe(next);
  });

  const order = (detail: string): number => ['full', 'summary', 'ids', 'none'].indexOf(detail);

  test('failed items keep their reason in the summary', () => {
    const failed = { index: 1, key: 'x', status: 'failed' as const, reason: 'No.' };
    const { outcomes, uncorrelated_ids } = outcomesWith(70_000);
    const fitted = fitOutcomes({ outcomes: [...outcomes, failed], uncorrelated_ids });
    expect(fitted.counts).toEqual({ created: 1, failed: 1 });
    expect(fitted.results?.[1]).toEqual(failed);
  });
});
