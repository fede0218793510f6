import type { DateOrder } from './statement.ts';

/** A kind of cell, in presets of files without a header. */
export type CellKind = 'amount' | 'date' | 'dash' | 'text' | 'amount?';

/** Columns by normalized name, or by index in a file without a header. */
export interface PresetColumns {
  readonly date: number | string;
  readonly description: readonly (number | string)[];
  /** The first of these cells that is not empty is the amount. */
  readonly amount?: readonly (number | string)[];
  readonly debit?: number | string;
  readonly credit?: number | string;
  readonly type?: string;
}

/** The layout of the files of one bank. */
export interface BankPreset {
  readonly name: string;
  /** Names that the header must have. */
  readonly header?: readonly string[];
  /** Kinds of all cells of each row, for files without a header. */
  readonly cells?: readonly CellKind[];
  readonly columns: PresetColumns;
  readonly date_format: DateOrder;
}

export const BANK_PRESETS: readonly BankPreset[] = [
  {
    name: 'TD',
    cells: ['date', 'text', 'amount?', 'amount?', 'amount'],
    columns: { date: 0, description: [1], debit: 2, credit: 3 },
    date_format: 'MDY',
  },
  {
    name: 'RBC',
    header: ['account type', 'transaction date', 'description 1', 'description 2', 'cad'],
    columns: {
      date: 'transaction date',
      description: ['description 1', 'description 2'],
      amount: ['cad', 'usd'],
    },
    date_format: 'MDY',
  },
  {
    name: 'Scotiabank',
    header: ['date', 'description', 'sub description', 'type of transaction', 'amount'],
    columns: {
      date: 'date',
      description: ['description', 'sub description'],
      amount: ['amount'],
      type: 'type of transaction',
    },
    date_format: 'YMD',
  },
  {
    name: 'Scotiabank',
    cells: ['date', 'amount', 'dash', 'text', 'text'],
    columns: { date: 0, description: [3, 4], amount: [1] },
    date_format: 'MDY',
  },
  {
    name: 'Wealthsimple',
    header: ['date', 'transaction', 'description', 'amount', 'balance', 'currency'],
    columns: { date: 'date', description: ['description'], amount: ['amount'] },
    date_format: 'YMD',
  },
  {
    name: 'Wealthsimple',
    header: ['transaction date', 'post date', 'type', 'details', 'amount', 'currency'],
    columns: { date: 'transaction date', description: ['details'], amount: ['amount'] },
    date_format: 'YMD',
  },
  {
    name: 'Tangerine',
    header: ['date', 'transaction', 'name', 'memo', 'amount'],
    columns: { date: 'date', description: ['name'], amount: ['amount'] },
    date_format: 'MDY',
  },
  {
    name: 'Tangerine',
    header: ['transaction date', 'transaction', 'name', 'memo', 'amount'],
    columns: { date: 'transaction date', description: ['name'], amount: ['amount'] },
    date_format: 'MDY',
  },
];
