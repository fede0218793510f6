import { describe, expect, test } from 'vitest';
import { applySign, decideSign } from '../../src/matching/sign-convention.ts';
import { bankRow, transaction } from './ledger.ts';

const auto = { convention: 'auto', accountType: 'checking' } as const;
const near = (amount: number, date = '2024-01-05') => transaction(`t${amount}${date}`, { amount, date });

describe('sign convention', () => {
  test.each([
    ['as_is', 'creditCard', false],
    ['invert', 'checking', true],
  ] as const)('%s is a request', (convention, accountType, is_inverted) => {
    const rows = [bankRow(1, '2024-01-05', 4500)];
    expect(decideSign({ convention, accountType, rows, transactions: [near(-4500)] })).toEqual({
      is_inverted,
      decided_by: 'request',
      compared: 0,
      opposite: 0,
    });
  });

  test.each([
    ['one of one is opposite', [4500], [-4500], true, 1, 1],
    ['half is not more than half', [4500, 700], [-4500, 700], false, 2, 1],
    ['two of three', [4500, 700, 900], [-4500, -700, 900], true, 3, 2],
    ['a difference of 0.10', [4500], [-4600], true, 1, 1],
    ['the nearest amount decides', [4500], [-4500, 4510], true, 1, 1],
  ])('%s', (_, amounts, others, is_inverted, compared, opposite) => {
    const rows = amounts.map((amount, index) => bankRow(index + 1, '2024-01-06', amount));
    const transactions = others.map((amount) => near(amount));
    expect(decideSign({ ...auto, rows, transactions })).toEqual({
      is_inverted,
      decided_by: 'comparison',
      compared,
      opposite,
    });
  });

  test('of equal amounts the nearest date decides, and none if both signs are equally near', () => {
    const rows = [bankRow(1, '2024-01-05', 4500)];
    const decide = (dates: readonly [string, string]) =>
      decideSign({ ...auto, rows, transactions: [near(-4500, dates[0]), near(4500, dates[1])] });
    expect(decide(['2024-01-06', '2024-01-07']).is_inverted).toBe(true);
    expect(decide(['2024-01-07', '2024-01-06']).is_inverted).toBe(false);
    expect(decide(['2024-01-06', '2024-01-04']).decided_by).toBe('account_type');
  });

  test.each([
    ['checking', false, false],
    ['savings', false, false],
    ['creditCard', false, true],
    ['lineOfCredit', false, true],
    ['otherLiability', false, true],
    ['mortgage', false, true],
    ['creditCard', true, false],
  ])(
    'without a near transaction, %s with explicit signs %s is inverted: %s',
    (accountType, hasExplicitSigns, is_inverted) => {
      const rows = [bankRow(1, '2024-01-05', 4500), bankRow(2, '2024-01-05', 0)];
      const transactions = [near(-4601), near(-4500, '2024-01-13'), near(0)];
      expect(decideSign({ ...auto, accountType, hasExplicitSigns, rows, transactions })).toEqual({
        is_inverted,
        decided_by: 'account_type',
        compared: 0,
        opposite: 0,
      });
    },
  );

  test('at most 50 rows are compared, spread over the statement in any order', () => {
    const rows = Array.from({ length: 200 }, (_, index) =>
      bankRow(index + 1, '2024-01-05', (index < 120 ? 1 : -1) * 1000 * (index + 1)),
    );
    const transactions = rows.map(({ row }) => near(-1000 * row));
    const decision = { is_inverted: true, decided_by: 'comparison', compared: 50, opposite: 30 };
    expect(decideSign({ ...auto, rows, transactions })).toEqual(decision);
    expect(decideSign({ ...auto, rows: rows.toReversed(), transactions })).toEqual(decision);
  });

  test('inverted amounts change their sign, and zero has none', () => {
    const decision = { is_inverted: true, decided_by: 'request', compared: 0, opposite: 0 } as const;
    const rows = [bankRow(1, '2024-01-05', 4500), bankRow(2, '2024-01-05', 0)];
    expect(applySign(rows, decision).map(({ amount }) => amount)).toEqual([-4500, 0]);
    expect(applySign(rows, { ...decision, is_inverted: false })).toEqual(rows);
  });
});
