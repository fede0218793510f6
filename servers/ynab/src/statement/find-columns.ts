import { normalizeName } from './clean-text.ts';
import { COLUMN_NAMES, COLUMN_WORDS } from './column-names.ts';
import type { ColumnRole } from './column-names.ts';
import type { BankPreset } from './presets.ts';

/** Columns of a file by index; a role without a column is undefined. */
export interface FoundColumns {
  readonly date?: number | undefined;
  readonly description?: readonly number[] | undefined;
  readonly amount?: readonly number[] | undefined;
  readonly debit?: number | undefined;
  readonly credit?: number | undefined;
  readonly type?: number | undefined;
}

/** The column with one of the names of the role, or with a word that stands for it. */
function findColumn(names: readonly string[], role: ColumnRole): number | undefined {
  for (const known of COLUMN_NAMES[role]) {
    const index = names.indexOf(known);
    if (index !== -1) return index;
  }
  const index = names.findIndex((name) => {
    const words = name.split(' ');
    return !words.includes('balance') && COLUMN_WORDS[role].some((word) => words.includes(word));
  });
  return index === -1 ? undefined : index;
}

/** A unit behind the name, such as `Amount (EUR)` or `Date [UTC]`. */
const UNIT = /\s*[([][^()[\]]*[)\]]$/;

/** Columns by the names in a header. */
export function findColumns(header: readonly string[]): FoundColumns {
  const names = header.map((cell) => normalizeName(cell.replace(UNIT, '')));
  const type = findColumn(names, 'type');
  const rest = names.map((name, index) => (index === type ? '' : name));
  const amount = names.indexOf('amount') === -1 ? undefined : names.indexOf('amount');
  const debit = findColumn(rest, 'debit');
  const credit = findColumn(rest, 'credit');
  const without = (...taken: readonly (number | undefined)[]): string[] =>
    rest.map((name, index) => (taken.includes(index) ? '' : name));
  const isPair = debit !== undefined && credit !== undefined && debit !== credit;
  const other = isPair ? undefined : findColumn(without(debit, credit), 'amount');
  const single = amount ?? other;
  const isSplit = single === undefined;
  const date = findColumn(rest, 'date');
  const taken = isSplit ? [date, debit, credit] : [date, single];
  const description = findColumn(without(...taken), 'description');
  return {
    date,
    description: description === undefined ? undefined : [description],
    ...(isSplit ? { debit, credit } : { amount: [single] }),
    type,
  };
}

/** True if the cells name at least a date and an amount. */
export function isHeader(cells: readonly string[]): boolean {
  const { date, amount, debit, credit } = findColumns(cells);
  return (
    date !== undefined &&
    (amount ?? debit ?? credit) !== undefined &&
    !cells.some((cell) => /\d{3}/.test(cell))
  );
}

/** Columns of a preset in a file with this header. */
export function findPresetColumns({ columns }: BankPreset, header: readonly string[]): FoundColumns {
  const names = header.map(normalizeName);
  const find = (column: number | string | undefined): number | undefined => {
    const index = typeof column === 'string' ? names.indexOf(column) : (column ?? -1);
    return index === -1 ? undefined : index;
  };
  const list = (found: readonly (number | string)[] | undefined): readonly number[] | undefined =>
    found?.map(find).filter((index) => index !== undefined);
  return {
    date: find(columns.date),
    description: list(columns.description),
    amount: list(columns.amount),
    debit: find(columns.debit),
    credit: find(columns.credit),
    type: find(columns.type),
  };
}
