import { toDayNumber } from '../statement/calendar-date.ts';
import type { BankRow } from '../statement/statement.ts';
import { assign } from './assign.ts';
import { sortRows, sortTransactions } from './canonical-order.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { createPairLimit } from './pair-limit.ts';
import { createPayeeSimilarity } from './payee-similarity.ts';
import { HUNDREDTHS, LEVELS, MAX_SCORE, ONLY_ON_DAY, scorePair } from './score.ts';
import type { Strictness } from './score.ts';

/** A transaction that may be the row of the statement: the amounts are equal and the dates within the tolerance. */
export interface Candidate {
  readonly row: BankRow;
  readonly transaction: LedgerTransaction;
  /** 57.5 to 115. */
  readonly score: number;
  readonly days: number;
  /** Similarity of the payee, 0 to 100. */
  readonly payee: number;
  /** Below both levels it is only a candidate. */
  readonly level: 'automatic' | 'candidate' | 'suggested';
}

export interface MatchOptions {
  readonly toleranceDays: number;
  readonly strictness: Strictness;
}

export interface MatchedRows {
  readonly automatic: readonly Candidate[];
  readonly suggested: readonly Candidate[];
  /** All candidates of each row by its number, best first. */
  readonly candidates: ReadonlyMap<number, readonly Candidate[]>;
}

/**
 * Matches the rows of a statement with transactions, each at most once: as many automatic pairs as possible, then the best total score, then uncleared
 * transactions, then the nearest dates. The order of rows and transactions does not matter.
 */
export function matchRows(
  rows: readonly BankRow[],
  transactions: readonly LedgerTransaction[],
  options: MatchOptions,
): MatchedRows {
  const sortedRows = sortRows(rows);
  const byAmount = groupByAmount(sortTransactions(transactions));
  const similarity = createPayeeSimilarity();
  const countPairs = createPairLimit();
  const candidates = new Map<number, readonly Candidate[]>();
  // No total of scores outweighs one more automatic pair, and no total of days one more uncleared transaction.
  const automaticWeight = sortedRows.length * MAX_SCORE + 1;
  const unclearedPreference = sortedRows.length * options.toleranceDays ** 2 + 1;
  const edges = sortedRows.flatMap((row, left) => {
    const day = toDayNumber(row.date);
    const near = (byAmount.get(row.amount) ?? []).filter(
      (each) => Math.abs(each.day - day) <= options.toleranceDays,
    );
    countPairs(near.length);
    const isOnlyOnDay = near.filter((each) => each.day === day).length === 1;
    const pairs = near.map(({ transaction, right, day: other }) => {
      const days = Math.abs(other - day);
      const payee = similarity(row.description, transaction);
      const score = scorePair(days, payee, options.toleranceDays);
      const level = levelOf(score, options.strictness, isOnlyOnDay && days === 0);
      const candidate = { row, transaction, score: score / HUNDREDTHS, days, payee, level };
      return {
        left,
        right,
        weight: (level === 'automatic' ? automaticWeight : 0) + score,
        // Squares keep equal rows in their order: twice two days are nearer than one and three.
        preference:
          (transaction.cleared === 'uncleared' ? unclearedPreference : 0) +
          options.toleranceDays ** 2 -
          days ** 2,
        candidate,
      };
    });
    const best = pairs.toSorted((a, b) => b.weight - a.weight || b.preference - a.preference);
    candidates.set(
      row.row,
      best.map(({ candidate }) => candidate),
    );
    // A pair that is not even suggested must not take the transaction from another row.
    return pairs.filter(({ candidate }) => candidate.level !== 'candidate');
  });
  const chosen = assign(edges)
    .toSorted((a, b) => a.left - b.left)
    .map(({ candidate }) => candidate);
  return {
    automatic: chosen.filter(({ level }) => level === 'automatic'),
    suggested: chosen.filter(({ level }) => level === 'suggested'),
    candidates,
  };
}

function levelOf(score: number, strictness: Strictness, isOnlyOnDay: boolean): Candidate['level'] {
  const { automatic, suggested } = LEVELS[strictness];
  if (score >= (isOnlyOnDay ? ONLY_ON_DAY : automatic)) return 'automatic';
  return score >= suggested ? 'suggested' : 'candidate';
}

interface Indexed {
  readonly transaction: LedgerTransaction;
  readonly right: number;
  readonly day: number;
}

function groupByAmount(transactions: readonly LedgerTransaction[]): Map<number, Indexed[]> {
  const groups = new Map<number, Indexed[]>();
  for (const [right, transaction] of transactions.entries()) {
    const indexed = { transaction, right, day: toDayNumber(transaction.date) };
    const group = groups.get(transaction.amount);
    if (group === undefined) groups.set(transaction.amount, [indexed]);
    else group.push(indexed);
  }
  return groups;
}
