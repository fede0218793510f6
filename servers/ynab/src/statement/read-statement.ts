import { findLayout } from './find-layout.ts';
import type { Layout } from './find-layout.ts';
import { detectOrder, findDate, findOrder } from './read-date.ts';
import { collectAmounts } from './read-row-amount.ts';
import type { AmountReader } from './read-row-amount.ts';
import { readTable } from './read-table.ts';
import type { TableRecord } from './read-table.ts';
import type {
  BankRow,
  CsvFormat,
  DateOrder,
  DetectedFormat,
  RowError,
  Statement,
  StatementWarning,
} from './statement.ts';

const MAX_BYTES = 10 * 1024 * 1024;
/** The maximum length of a payee name in the API; it also bounds the work of comparing texts. */
const MAX_DESCRIPTION = 200;
const MAX_LISTED_ROWS = 20;

export interface StatementOptions {
  readonly format?: CsvFormat | undefined;
  /** Decimal digits of the budget's currency. */
  readonly decimalDigits: number;
}

export type ReadStatement =
  | { readonly ok: true; readonly statement: Statement }
  | { readonly ok: false; readonly reason: string };

/** Reads a CSV file. A row that cannot be read is an error of that row; a reason is given only if no row can be read. */
export function readStatement(csv: string, options: StatementOptions): ReadStatement {
  const { format = {}, decimalDigits } = options;
  const bytes = Buffer.byteLength(csv);
  if (bytes > MAX_BYTES)
    return {
      ok: false,
      reason: `The CSV file has ${bytes} bytes; the limit is ${MAX_BYTES}. Split the statement.`,
    };
  const hintedOrder = format.date_format === undefined ? undefined : findOrder(format.date_format);
  if (format.date_format !== undefined && hintedOrder === undefined)
    return {
      ok: false,
      reason: `Invalid csv_format.date_format ${JSON.stringify(format.date_format)}: use MDY, DMY, YMD or a pattern such as DD.MM.YYYY.`,
    };
  const table = readTable(csv, format.delimiter);
  if (table.records.length === 0) return { ok: false, reason: 'The CSV file has no rows.' };
  const found = findLayout(table.records, format);
  if (!found.ok) return found;
  const { layout } = found;
  const dates = layout.records.map(({ cells }) => cells[layout.columns.date] ?? '');
  const detected = detectOrder(
    dates.filter((cell) => cell !== ''),
    layout.preset?.date_format,
  );
  const order = hintedOrder ?? detected.order;
  const amounts = collectAmounts(layout, decimalDigits);
  const { rows, errors } = readRows(layout, order, amounts);
  const ambiguousDates = hintedOrder === undefined ? detected.ambiguous : [];
  const filled = layout.records.filter((_, index) => dates[index] !== '');
  return {
    ok: true,
    statement: {
      rows,
      errors,
      warnings: warningsOf(layout, amounts, {
        order,
        rows: ambiguousDates.map((index) => filled[index]?.row ?? 0),
      }),
      detected: describe(layout, { order, delimiter: table.delimiter, amounts }),
    },
  };
}

function readRows(
  layout: Layout,
  order: DateOrder,
  amounts: AmountReader,
): { readonly rows: BankRow[]; readonly errors: RowError[] } {
  const rows: BankRow[] = [];
  const errors: RowError[] = [];
  for (const record of layout.records) {
    const { row, cells } = record;
    const cell = cells[layout.columns.date] ?? '';
    const date = findDate(cell, order);
    const amount = amounts.read(record);
    if (date === undefined) errors.push({ row, field: 'date', message: invalidDate(cell, order) });
    else if (!amount.ok)
      errors.push({ row, field: 'amount', message: `Invalid amount: ${amount.reason.slice(0, 200)}.` });
    else rows.push({ row, date, amount: amount.milliunits, description: describeRow(record, layout) });
  }
  return { rows, errors };
}

function invalidDate(cell: string, order: DateOrder): string {
  return cell === '' ? 'The row has no date.' : `Invalid date "${cell.slice(0, 50)}": expected ${order}.`;
}

function describeRow({ cells }: TableRecord, { columns }: Layout): string {
  const texts = (columns.description ?? []).map((index) => cells[index] ?? '');
  return texts
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, MAX_DESCRIPTION)
    .trim();
}

function warningsOf(
  layout: Layout,
  amounts: AmountReader,
  dates: { readonly order: DateOrder; readonly rows: readonly number[] },
): StatementWarning[] {
  const warnings: StatementWarning[] = [];
  const warn = (code: StatementWarning['code'], rows: readonly number[], message: string): void => {
    if (rows.length > 0) warnings.push({ code, message, rows: rows.slice(0, MAX_LISTED_ROWS) });
  };
  warn(
    'ambiguous_dates',
    dates.rows,
    `Dates that fit more than one order: ${dates.rows.length}. They were read as ${dates.order}. Set csv_format.date_format if that is wrong.`,
  );
  warn(
    'ambiguous_amounts',
    amounts.ambiguous,
    `Amounts with one separator before three digits: ${amounts.ambiguous.length}. It was read as a separator of thousands.`,
  );
  warn(
    'debit_and_credit',
    amounts.both,
    `Rows with both a debit and a credit: ${amounts.both.length}. Their amount is the credit minus the debit.`,
  );
  warn(
    'ambiguous_columns',
    layout.isAmountUnsure ? layout.records.map(({ row }) => row) : [],
    `Several columns could be the amount; column ${layout.columns.amount?.join()} was used. Set csv_format.amount_column if that is wrong.`,
  );
  warn(
    'rows_before_header',
    layout.before.map(({ row }) => row),
    `Rows before the header: ${layout.before.length}. They were skipped.`,
  );
  return warnings;
}

interface Detected {
  readonly order: DateOrder;
  readonly delimiter: string;
  readonly amounts: AmountReader;
}

function describe(layout: Layout, { order, delimiter, amounts }: Detected): DetectedFormat {
  const { columns, header, preset } = layout;
  const nameOf = (index: number): number | string => {
    const name = header?.cells[index] ?? '';
    return name === '' ? index : name;
  };
  const orNull = (index: number | undefined): number | string | null =>
    index === undefined ? null : nameOf(index);
  return {
    preset: preset?.name ?? null,
    delimiter,
    has_header: header !== undefined,
    date_column: nameOf(columns.date),
    amount_columns: (columns.amount ?? []).map(nameOf),
    debit_column: orNull(columns.debit),
    credit_column: orNull(columns.credit),
    description_columns: (columns.description ?? []).map(nameOf),
    date_format: order,
    decimal_separator: amounts.separator ?? null,
    has_explicit_signs: columns.amount === undefined || columns.type !== undefined,
  };
}
