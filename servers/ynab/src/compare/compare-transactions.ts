import { assign } from '../matching/assign.ts';
import { sortRows, sortTransactions } from '../matching/canonical-order.ts';
import type { LedgerTransaction } from '../matching/ledger-transaction.ts';
import { createPairLimit } from '../matching/pair-limit.ts';
import { createPayeeSimilarity } from '../matching/payee-similarity.ts';
import { applySign, decideSign } from '../matching/sign-convention.ts';
import type { SignConvention, SignDecision } from '../matching/sign-convention.ts';
import { toDayNumber } from '../statement/calendar-date.ts';
import type { BankRow } from '../statement/statement.ts';
import { listRanks, MIN_SCORE, scoreComparison } from './score-comparison.ts';

export interface ComparisonInput {
  readonly rows: readonly BankRow[];
  /** Transactions of one account. */
  readonly transactions: readonly LedgerTransaction[];
  /** Milliunits. */
  readonly amountTolerance: number;
  readonly dateToleranceDays: number;
  /** The period of the statement; the dates of the first and of the last row if they are undefined. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  /** Prefers pairs with the same place among the rows and among the transactions with their amount. */
  readonly hasChronologyBonus?: boolean | undefined;
  readonly sign: SignConvention;
  readonly accountType: string;
  /** From the detected format of the statement. */
  readonly hasExplicitSigns?: boolean | undefined;
}

export interface ComparedPair {
  readonly bank: BankRow;
  readonly transaction: LedgerTransaction;
  /** 30 to 100, with the bonus 105. */
  readonly score: number;
  /** Amount of the bank minus amount of the transaction, in milliunits. */
  readonly amount_difference: number;
  readonly days_apart: number;
  readonly description_similarity: number;
}

export interface Comparison {
  readonly summary: {
    readonly start_date: string | null;
    readonly end_date: string | null;
    readonly bank_rows: number;
    readonly matched: number;
    readonly missing_in_ynab: number;
    readonly missing_in_bank: number;
    readonly sign: SignDecision;
  };
  readonly matched: readonly ComparedPair[];
  readonly missing_in_ynab: readonly BankRow[];
  readonly missing_in_bank: readonly LedgerTransaction[];
}

/** Pairs the rows of a statement with transactions by the best total score, each at most once. It changes nothing. */
export function compareTransactions(input: ComparisonInput): Comparison {
  const transactions = sortTransactions(input.transactions.filter(({ deleted }) => deleted !== true));
  const sorted = sortRows(input.rows);
  const start = input.startDate ?? sorted[0]?.date;
  const end = input.endDate ?? sorted.at(-1)?.date;
  const isInPeriod = ({ date }: { readonly date: string }): boolean =>
    start !== undefined && end !== undefined && start <= date && date <= end;
  const inPeriod = sorted.filter(isInPeriod);
  const sign = decideSign({ ...input, convention: input.sign, rows: inPeriod, transactions });
  const rows = sortRows(applySign(inPeriod, sign));
  const matched = pair(rows, transactions, input);
  const pairedRows = new Set(matched.map(({ bank }) => bank.row));
  const pairedIds = new Set(matched.map(({ transaction }) => transaction.id));
  const missingInYnab = rows.filter(({ row }) => !pairedRows.has(row));
  const missingInBank = transactions.filter((each) => isInPeriod(each) && !pairedIds.has(each.id));
  return {
    summary: {
      start_date: start ?? null,
      end_date: end ?? null,
      bank_rows: rows.length,
      matched: matched.length,
      missing_in_ynab: missingInYnab.length,
      missing_in_bank: missingInBank.length,
      sign,
    },
    matched,
    missing_in_ynab: missingInYnab,
    missing_in_bank: missingInBank,
  };
}

/** Rows and transactions in canonical order. */
function pair(
  rows: readonly BankRow[],
  transactions: readonly LedgerTransaction[],
  input: ComparisonInput,
): readonly ComparedPair[] {
  const similarity = createPayeeSimilarity();
  const countPairs = createPairLimit();
  const { amountTolerance, dateToleranceDays, hasChronologyBonus = false } = input;
  const rowRanks = listRanks(rows);
  const transactionRanks = listRanks(transactions);
  const indexed = transactions
    .map((transaction, right) => ({ transaction, right, day: toDayNumber(transaction.date) }))
    .toSorted((left, right) => left.transaction.amount - right.transaction.amount);
  const edges = rows.flatMap((bank, left) => {
    const day = toDayNumber(bank.date);
    const pairs = [];
    for (let at = findFirst(indexed, bank.amount - amountTolerance); at < indexed.length; at += 1) {
      const found = indexed[at];
      if (found === undefined || found.transaction.amount > bank.amount + amountTolerance) break;
      const { transaction, right } = found;
      const days = Math.abs(found.day - day);
      if (days > dateToleranceDays) continue;
      countPairs(1);
      const description = similarity(bank.description, transaction);
      const difference = bank.amount - transaction.amount;
      const weight = scoreComparison(
        { days, difference, description },
        { amountTolerance, dateToleranceDays },
        hasChronologyBonus && difference === 0 && rowRanks[left] === transactionRanks[right],
      );
      const details = {
        amount_difference: difference,
        days_apart: days,
        description_similarity: description,
      };
      if (weight >= MIN_SCORE)
        pairs.push({
          left,
          right,
          weight,
          // Squares keep equal amounts in their order: twice two days are nearer than one and three.
          preference: dateToleranceDays ** 2 - days ** 2,
          pair: { bank, transaction, score: weight / 100, ...details },
        });
    }
    return pairs;
  });
  return assign(edges)
    .toSorted((a, b) => a.left - b.left)
    .map((edge) => edge.pair);
}

/** The index of the first transaction with at least the amount, by bisection. */
function findFirst(indexed: readonly { readonly transaction: LedgerTransaction }[], amount: number): number {
  let [low, high] = [0, indexed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((indexed[middle]?.transaction.amount ?? Infinity) < amount) low = middle + 1;
    else high = middle;
  }
  return low;
}
