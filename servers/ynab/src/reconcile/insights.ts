import type { LedgerTransaction } from '../matching/ledger-transaction.ts';
import { formatMoney } from '../money/currency-format.ts';
import { toDayNumber } from '../statement/calendar-date.ts';
import type { BankRow } from '../statement/statement.ts';
import type { Insight, ReconciliationFacts, ReconciliationInput } from './analysis.ts';

/** Near matches: an equal amount within a month, or within the tolerance an amount that differs by at most one unit of the currency. */
const NEAR_DAYS = 31;
const NEAR_AMOUNT = 1000;
const MAX_NEAR_MATCHES = 20;
const MAX_LISTED = 20;
/** In a sentence. */
const MAX_NAMED = 5;
/** A shorter statement says little about the file as a whole. */
const MIN_ROWS_FOR_ANOMALY = 5;

/** Observations about the statement as a whole, the most important first. */
export function listInsights(facts: ReconciliationFacts, input: ReconciliationInput): readonly Insight[] {
  return [
    ...findCsvErrors(input),
    ...findBalanceGap(facts, input),
    ...findAnomalies(facts),
    ...findNearMatches(facts, input),
    ...findRepeatedAmounts(facts, input),
  ];
}

function findCsvErrors({ csvErrors }: ReconciliationInput): Insight[] {
  const [first] = csvErrors;
  if (first === undefined) return [];
  return [
    {
      type: 'csv_errors',
      severity: 'warning',
      message: `Rows that could not be read: ${csvErrors.length}. They are missing here. The first is row ${first.row}: ${first.message}`,
      rows: csvErrors.slice(0, MAX_LISTED).map(({ row }) => row),
      transaction_ids: [],
    },
  ];
}

function findBalanceGap(facts: ReconciliationFacts, { currency }: ReconciliationInput): Insight[] {
  const { bank, cleared, difference } = facts.balance;
  if (difference === 0) return [];
  const rows = facts.unmatched_bank.filter(({ bank: { amount } }) => amount === difference);
  const wronglyCleared = facts.unmatched_ynab.filter(
    (each) => each.cleared === 'cleared' && each.amount === -difference,
  );
  const uncleared = facts.matches.filter(
    ({ transaction }) => transaction.cleared === 'uncleared' && transaction.amount === difference,
  );
  const transactions = [...wronglyCleared, ...uncleared.map(({ transaction }) => transaction)];
  const found = [
    ...rows.map(({ bank: { row } }) => `row ${row}`),
    ...transactions.map(({ date }) => `the transaction of ${date}`),
  ];
  const named = found.slice(0, MAX_NAMED).join(', ');
  const explanation = found.length === 0 ? '' : ` Each of these alone would explain it: ${named}.`;
  return [
    {
      type: 'balance_gap',
      severity: 'critical',
      message: `The bank has ${formatMoney(bank, currency)}, the cleared balance is ${formatMoney(cleared, currency)}: the difference is ${formatMoney(difference, currency)}.${explanation}`,
      rows: rows.slice(0, MAX_LISTED).map(({ bank: { row } }) => row),
      transaction_ids: transactions.slice(0, MAX_LISTED).map(({ id }) => id),
    },
  ];
}

function findAnomalies({ summary, unmatched_bank }: ReconciliationFacts): Insight[] {
  const anomalies: Insight[] = [];
  if (summary.bank_rows >= MIN_ROWS_FOR_ANOMALY && summary.unmatched_bank * 2 > summary.bank_rows) {
    anomalies.push({
      type: 'anomaly',
      severity: 'warning',
      message: `${summary.unmatched_bank} of ${summary.bank_rows} rows have no transaction. Check the account, the order of day and month, and the signs.`,
      rows: unmatched_bank.slice(0, MAX_LISTED).map(({ bank }) => bank.row),
      transaction_ids: [],
    });
  }
  if (summary.rows_after_end > 0) {
    anomalies.push({
      type: 'anomaly',
      severity: 'info',
      message: `Rows later than the end of the statement (${summary.statement_end}): ${summary.rows_after_end}. They were left out.`,
      rows: [],
      transaction_ids: [],
    });
  }
  return anomalies;
}

/** Rows without a match that nearly have one: another day, a slightly other amount, or the other sign. */
function findNearMatches(facts: ReconciliationFacts, input: ReconciliationInput): Insight[] {
  const used = new Set(
    [...facts.matches, ...facts.suggestions.filter((each) => each.kind === 'transaction')].map(
      ({ transaction }) => transaction.id,
    ),
  );
  const free = input.transactions.filter(({ id }) => !used.has(id));
  return facts.unmatched_bank
    .flatMap(({ bank }) => {
      const near = findNear(bank, free, input.toleranceDays);
      if (near === undefined) return [];
      const amountOf = ({ amount }: { readonly amount: number }): string =>
        formatMoney(amount, input.currency);
      return [
        {
          type: 'near_match' as const,
          severity: 'info' as const,
          message: `Row ${bank.row} (${bank.date}, ${amountOf(bank)}) nearly matches a transaction of ${near.date} with ${amountOf(near)}.`,
          rows: [bank.row],
          transaction_ids: [near.id],
        },
      ];
    })
    .slice(0, MAX_NEAR_MATCHES);
}

function findNear(
  bank: BankRow,
  transactions: readonly LedgerTransaction[],
  toleranceDays: number,
): LedgerTransaction | undefined {
  const day = toDayNumber(bank.date);
  let best: { readonly transaction: LedgerTransaction; readonly distance: number } | undefined;
  for (const transaction of transactions) {
    const difference = Math.abs(transaction.amount - bank.amount);
    const isOpposite = bank.amount !== 0 && transaction.amount === -bank.amount;
    if (difference > NEAR_AMOUNT && !isOpposite) continue;
    const days = Math.abs(toDayNumber(transaction.date) - day);
    if (days > (difference === 0 ? NEAR_DAYS : toleranceDays)) continue;
    const distance = (isOpposite ? NEAR_AMOUNT : difference) * NEAR_DAYS + days;
    const isNearer =
      best === undefined ||
      distance < best.distance ||
      (distance === best.distance && transaction.id < best.transaction.id);
    if (isNearer) best = { transaction, distance };
  }
  return best?.transaction;
}

function findRepeatedAmounts(
  { unmatched_bank }: ReconciliationFacts,
  { currency }: ReconciliationInput,
): Insight[] {
  const byAmount = new Map<number, number[]>();
  for (const { bank } of unmatched_bank) {
    const rows = byAmount.get(bank.amount);
    if (rows === undefined) byAmount.set(bank.amount, [bank.row]);
    else rows.push(bank.row);
  }
  return [...byAmount]
    .filter(([, rows]) => rows.length > 1)
    .toSorted(([left, leftRows], [right, rightRows]) => rightRows.length - leftRows.length || left - right)
    .map(([amount, rows]) => ({
      type: 'repeat_amount',
      severity: 'info',
      message: `${rows.length} rows without a transaction have the amount ${formatMoney(amount, currency)}.`,
      rows: rows.slice(0, MAX_LISTED),
      transaction_ids: [],
    }));
}
