import type { FoundColumns } from './find-columns.ts';
import { isAmount, readAmount } from './read-amount.ts';
import { findDate } from './read-date.ts';
import type { TableRecord } from './read-table.ts';

/** Rows that are enough to tell the columns apart. */
const SAMPLE = 50;
/** Columns that are compared with each other. Statements have fewer; columns behind them can still be named. */
const MAX_COLUMNS = 100;

interface Column {
  readonly index: number;
  readonly cells: readonly string[];
}

export interface GuessedColumns extends FoundColumns {
  /** True if several columns could be the amount, and nothing tells which. */
  readonly isAmountUnsure: boolean;
}

/** True if the cell is a date in some order. */
export function isDate(cell: string): boolean {
  return (findDate(cell, 'MDY') ?? findDate(cell, 'DMY') ?? findDate(cell, 'YMD')) !== undefined;
}

/** Columns by their content, for files whose header does not name them. */
export function guessColumns(records: readonly TableRecord[]): GuessedColumns {
  const sample = records.slice(0, SAMPLE);
  const most = sample.reduce((width, { cells }) => Math.max(width, cells.length), 0);
  const columns = Array.from({ length: Math.min(most, MAX_COLUMNS) }, (_, index) => ({
    index,
    cells: sample.map(({ cells }) => cells[index] ?? ''),
  }));
  const date = columns.find((column) => isMostly(column, isDate));
  const numbers = columns.filter((column) => column !== date && isMostly(column, isAmount));
  const money = numbers.filter(({ cells }) => cells.some((cell) => /[.,]\d{1,3}\D*$/.test(cell)));
  const texts = columns.filter((column) => column !== date && !numbers.includes(column));
  const [description] = texts.toSorted((left, right) => lengthOf(right) - lengthOf(left));
  return {
    date: date?.index,
    description: description === undefined || lengthOf(description) === 0 ? undefined : [description.index],
    ...guessAmounts(money.length > 0 ? money : numbers),
  };
}

function guessAmounts(columns: readonly Column[]): GuessedColumns {
  const full = columns.filter(({ cells }) => cells.every((cell) => cell !== ''));
  const sparse = columns.filter((column) => !full.includes(column));
  const [debit, credit] = sparse;
  if (debit !== undefined && credit !== undefined && isEitherOr(debit, credit))
    return { debit: debit.index, credit: credit.index, isAmountUnsure: false };
  const [first] = full.length > 0 ? full : sparse;
  if (first === undefined) return { isAmountUnsure: false };
  const withBalance = full.find((amount) =>
    full.some((balance) => balance !== amount && isBalanceOf(balance, amount)),
  );
  const found = withBalance ?? first;
  return { amount: [found.index], isAmountUnsure: full.length > 1 && withBalance === undefined };
}

function isMostly({ cells }: Column, test: (cell: string) => boolean): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.filter(test).length >= filled.length / 2;
}

function isEitherOr(left: Column, right: Column): boolean {
  return left.cells.every((cell, index) => (cell === '') !== (right.cells[index] === ''));
}

/** True if one column is the running balance of the other, from the top or from the bottom. */
function isBalanceOf(balance: Column, amount: Column): boolean {
  const numbersOf = ({ cells }: Column): number[] =>
    cells.map((cell) => {
      const parsed = readAmount(cell, undefined, 2);
      return parsed.ok ? parsed.milliunits : Number.NaN;
    });
  const [balances, amounts] = [numbersOf(balance), numbersOf(amount)];
  const steps = balances.slice(1).map((value, index) => Math.abs(value - (balances[index] ?? 0)));
  const follows = (offset: number): boolean =>
    steps.every((step, index) => step === Math.abs(amounts[index + offset] ?? Number.NaN));
  return steps.length > 0 && (follows(1) || follows(0));
}

function lengthOf({ cells }: Column): number {
  return cells.reduce((total, cell) => total + cell.length, 0);
}
