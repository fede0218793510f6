import { toDayNumber } from '../statement/calendar-date.ts';
import type { BankRow } from '../statement/statement.ts';
import { sortTransactions } from './canonical-order.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';

/** Two or three transactions that add up to one row of the statement. */
export interface Combination {
  readonly transactions: readonly LedgerTransaction[];
  /** Days between the row and each transaction, in total. */
  readonly days: number;
}

/** The nearest transactions that are tried for a row; three of them make 34,220 sums. */
const MAX_PARTS = 60;
/** Combinations that are found for a row before the best are chosen. */
const MAX_FOUND = 200;
const MAX_OFFERED = 3;

interface Part {
  readonly transaction: LedgerTransaction;
  readonly days: number;
}

/** Combinations for one row, the ones with the fewest transactions and the nearest dates first. All parts have the sign of the row. */
export function listCombinations(
  row: BankRow,
  transactions: readonly LedgerTransaction[],
  toleranceDays: number,
): readonly Combination[] {
  const day = toDayNumber(row.date);
  const daysTo = ({ date }: LedgerTransaction): number => Math.abs(toDayNumber(date) - day);
  const usable = transactions.filter(
    (each) =>
      each.amount !== 0 &&
      Math.sign(each.amount) === Math.sign(row.amount) &&
      Math.abs(each.amount) < Math.abs(row.amount) &&
      daysTo(each) <= toleranceDays,
  );
  const parts = sortTransactions(usable)
    .map((transaction) => ({ transaction, days: daysTo(transaction) }))
    .toSorted((left, right) => left.days - right.days)
    .slice(0, MAX_PARTS);
  return [...listPairs(parts, row.amount), ...listTriples(parts, row.amount)]
    .toSorted((left, right) => left.transactions.length - right.transactions.length || left.days - right.days)
    .slice(0, MAX_OFFERED);
}

function listPairs(parts: readonly Part[], amount: number): Combination[] {
  const found: Combination[] = [];
  for (const [index, first] of parts.entries()) {
    for (const second of parts.slice(index + 1)) {
      if (first.transaction.amount + second.transaction.amount === amount)
        found.push(combine([first, second]));
      if (found.length === MAX_FOUND) return found;
    }
  }
  return found;
}

function listTriples(parts: readonly Part[], amount: number): Combination[] {
  const found: Combination[] = [];
  for (const [index, first] of parts.entries()) {
    for (const pair of listPairs(parts.slice(index + 1), amount - first.transaction.amount)) {
      found.push({
        transactions: [first.transaction, ...pair.transactions],
        days: first.days + pair.days,
      });
      if (found.length === MAX_FOUND) return found;
    }
  }
  return found;
}

function combine(parts: readonly Part[]): Combination {
  return {
    transactions: parts.map(({ transaction }) => transaction),
    days: parts.reduce((total, { days }) => total + days, 0),
  };
}
