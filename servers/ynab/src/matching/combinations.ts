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

/** The nearest transactions that are tried for a row. */
const MAX_PARTS = 60;
/** Combinations that are found for a row before the best are chosen. */
const MAX_FOUND = 200;
const MAX_OFFERED = 3;

/** A transaction that may be part of a combination, with the number of its day. */
export interface IndexedPart {
  readonly transaction: LedgerTransaction;
  readonly amount: number;
  readonly day: number;
}

interface Part extends IndexedPart {
  /** Days from the row. */
  readonly days: number;
}

/** The transactions by date, for {@link listCombinations} of many rows. */
export function indexParts(transactions: readonly LedgerTransaction[]): readonly IndexedPart[] {
  return sortTransactions(transactions).map((transaction) => {
    const { amount, date } = transaction;
    return { transaction, amount, day: toDayNumber(date) };
  });
}

/** Combinations for one row, the ones with the fewest transactions and the nearest dates first. All parts have the sign of the row. */
export function listCombinations(
  row: BankRow,
  indexed: readonly IndexedPart[],
  toleranceDays: number,
): readonly Combination[] {
  const day = toDayNumber(row.date);
  const parts: Part[] = [];
  for (let at = findFirst(indexed, day - toleranceDays); at < indexed.length; at += 1) {
    const part = indexed[at];
    if (part === undefined || part.day > day + toleranceDays) break;
    const isPart =
      Math.sign(part.amount) === Math.sign(row.amount) && Math.abs(part.amount) < Math.abs(row.amount);
    if (part.amount !== 0 && isPart) parts.push({ ...part, days: Math.abs(part.day - day) });
  }
  const nearest = parts.toSorted((left, right) => left.days - right.days).slice(0, MAX_PARTS);
  const places = placesByAmount(nearest);
  return [
    ...listPairs({ parts: nearest, places }, row.amount),
    ...listTriples({ parts: nearest, places }, row.amount),
  ]
    .toSorted((left, right) => left.transactions.length - right.transactions.length || left.days - right.days)
    .slice(0, MAX_OFFERED);
}

/** The index of the first part on a day or later, by bisection. */
function findFirst(indexed: readonly IndexedPart[], day: number): number {
  let [low, high] = [0, indexed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((indexed[middle]?.day ?? Infinity) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Pool {
  readonly parts: readonly Part[];
  /** Indexes of the parts by amount, ascending. */
  readonly places: ReadonlyMap<number, readonly number[]>;
}

function placesByAmount(parts: readonly Part[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [index, { amount }] of parts.entries()) {
    const known = places.get(amount);
    if (known === undefined) places.set(amount, [index]);
    else known.push(index);
  }
  return places;
}

/** Pairs of parts behind `after` with the sum. The amount of the first part tells that of the second. */
function listPairs({ parts, places }: Pool, amount: number, after = -1): Combination[] {
  const found: Combination[] = [];
  for (let index = after + 1; index < parts.length; index += 1) {
    const first = parts[index];
    if (first === undefined) break;
    for (const place of places.get(amount - first.amount) ?? []) {
      const second = parts[place];
      if (place > index && second !== undefined) found.push(combine([first, second]));
      if (found.length === MAX_FOUND) return found;
    }
  }
  return found;
}

function listTriples(pool: Pool, amount: number): Combination[] {
  const found: Combination[] = [];
  for (const [index, first] of pool.parts.entries()) {
    for (const pair of listPairs(pool, amount - first.amount, index)) {
      found.push({ transactions: [first.transaction, ...pair.transactions], days: first.days + pair.days });
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
