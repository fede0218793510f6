import { formatMoney } from '../money/currency-format.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';
import type { ReconciliationFacts } from './analysis.ts';

/** Sentences that tell a person how to go on, in the order of the work. */
export function listNextSteps(facts: ReconciliationFacts, currency: CurrencyFormat): readonly string[] {
  const { summary, balance } = facts;
  const uncleared = facts.matches.filter(({ transaction }) => transaction.cleared === 'uncleared').length;
  const missing = facts.unmatched_ynab.filter(({ cleared }) => cleared === 'cleared').length;
  const steps = [
    [summary.csv_errors, `Fix the rows that could not be read (${summary.csv_errors}), or set csv_format.`],
    [
      uncleared,
      `Mark matched transactions as cleared (${uncleared}); auto_update_cleared_status does it for all.`,
    ],
    [
      summary.unmatched_bank,
      `Create the transactions that only the bank has (${summary.unmatched_bank}); auto_create_transactions does it for all.`,
    ],
    [summary.suggested, `Decide on the suggestions (${summary.suggested}).`],
    [
      missing,
      `Check cleared transactions that the statement does not have (${missing}); auto_unclear_missing marks them as uncleared.`,
    ],
  ] as const;
  const open = steps.filter(([count]) => count > 0).map(([, text]) => text);
  if (open.length > 0) return open;
  if (balance.difference === 0) return ['The account agrees with the statement.'];
  return [
    `All rows are matched, but the balances differ by ${formatMoney(balance.difference, currency)}: check the balance of the statement and earlier transactions.`,
  ];
}
