import type { ReconciliationInput } from '../../src/reconcile/analysis.ts';

/** An empty statement of an empty account, in dollars. */
export const defaults: ReconciliationInput = {
  rows: [],
  transactions: [],
  account: { id: 'account-1', type: 'checking', cleared_balance: 0 },
  statementBalance: 0,
  toleranceDays: 7,
  strictness: 'normal',
  sign: 'as_is',
  csvErrors: [],
  currency: {
    iso_code: 'USD',
    decimal_digits: 2,
    decimal_separator: '.',
    group_separator: ',',
    symbol_first: true,
    currency_symbol: '$',
    display_symbol: true,
  },
};
