import type { ParsedAmount } from '../money/money.ts';
import type { Layout } from './find-layout.ts';
import { detectSeparator, isAmbiguous, readAmount } from './read-amount.ts';
import type { DecimalSeparator } from './read-amount.ts';
import type { TableRecord } from './read-table.ts';

/** Reads the amounts of one file, with the conventions that its rows share. */
export interface AmountReader {
  readonly separator: DecimalSeparator | undefined;
  /** Rows with an amount that may be a thousand times another one. */
  readonly ambiguous: readonly number[];
  /** Rows with a debit and a credit. */
  readonly both: readonly number[];
  read(record: TableRecord): ParsedAmount;
}

/** Looks at the amounts of all rows once: the decimal separator, and whether debits are written with a minus. */
export function collectAmounts({ columns, records }: Layout, digits: number): AmountReader {
  const used = [...(columns.amount ?? []), columns.debit, columns.credit].filter(
    (index) => index !== undefined,
  );
  const cells = records.flatMap((record) => used.map((index) => record.cells[index] ?? ''));
  const separator = detectSeparator(cells);
  const parse = (cell: string): ParsedAmount => readAmount(cell, separator, digits);
  const [debitSign, creditSign] = [columns.debit, columns.credit].map((column) =>
    signOf(records, column, parse),
  );
  const split = (record: TableRecord): { debit: ParsedAmount; credit: ParsedAmount } => ({
    debit: parseFilled(record, columns.debit, parse),
    credit: parseFilled(record, columns.credit, parse),
  });
  const read = (record: TableRecord): ParsedAmount => {
    if (columns.amount !== undefined) {
      const cell = columns.amount.map((index) => record.cells[index] ?? '').find((each) => each !== '');
      return cell === undefined ? EMPTY : applyType(parse(cell), columns.type, record);
    }
    const { debit, credit } = split(record);
    if (!debit.ok) return debit;
    if (!credit.ok) return credit;
    if (isEmpty(record, columns.debit) && isEmpty(record, columns.credit)) return EMPTY;
    const milliunits = credit.milliunits * (creditSign ?? 1) - debit.milliunits * (debitSign ?? 1);
    return { ok: true, milliunits: milliunits === 0 ? 0 : milliunits };
  };
  const hasBoth = (record: TableRecord): boolean => {
    const { debit, credit } = split(record);
    return debit.ok && credit.ok && debit.milliunits !== 0 && credit.milliunits !== 0;
  };
  const isUnclear = (record: TableRecord): boolean =>
    separator === undefined && digits < 3 && used.some((index) => isAmbiguous(record.cells[index] ?? ''));
  const rowsWhere = (test: (record: TableRecord) => boolean): number[] =>
    records.filter(test).map(({ row }) => row);
  return {
    separator,
    ambiguous: rowsWhere(isUnclear),
    both: columns.amount === undefined ? rowsWhere(hasBoth) : [],
    read,
  };
}

const EMPTY: ParsedAmount = { ok: false, reason: 'the row has no amount' };

function isEmpty({ cells }: TableRecord, column: number | undefined): boolean {
  return column === undefined || (cells[column] ?? '') === '';
}

function parseFilled(
  record: TableRecord,
  column: number | undefined,
  parse: (cell: string) => ParsedAmount,
): ParsedAmount {
  if (column === undefined || isEmpty(record, column)) return { ok: true, milliunits: 0 };
  return parse(record.cells[column] ?? '');
}

/** -1 for a column whose amounts all have a minus: then the minus is no reversal. */
function signOf(
  records: readonly TableRecord[],
  column: number | undefined,
  parse: (cell: string) => ParsedAmount,
): -1 | 1 {
  let hasNegative = false;
  for (const record of records) {
    const parsed = parseFilled(record, column, parse);
    if (!parsed.ok || parsed.milliunits === 0) continue;
    if (parsed.milliunits > 0) return 1;
    hasNegative = true;
  }
  return hasNegative ? -1 : 1;
}

/** A debit leaves the account whether or not the amount has a minus. */
function applyType(amount: ParsedAmount, type: number | undefined, { cells }: TableRecord): ParsedAmount {
  const word = type === undefined ? '' : (cells[type] ?? '').toLowerCase();
  if (!amount.ok || word === '') return amount;
  const magnitude = Math.abs(amount.milliunits);
  return { ok: true, milliunits: word.startsWith('d') && magnitude > 0 ? -magnitude : magnitude };
}
