import { normalizeName } from './clean-text.ts';
import { findColumns, findPresetColumns, isHeader } from './find-columns.ts';
import type { FoundColumns } from './find-columns.ts';
import { guessColumns, isDate } from './guess-columns.ts';
import { BANK_PRESETS } from './presets.ts';
import type { BankPreset, CellKind } from './presets.ts';
import { isAmount } from './read-amount.ts';
import type { TableRecord } from './read-table.ts';
import type { CsvFormat } from './statement.ts';

/** Banks write at most a few lines about the account before the header. */
const MAX_ROWS_BEFORE_HEADER = 20;

/** The header, the rows and the columns of a file. */
export interface Layout {
  readonly preset: BankPreset | undefined;
  readonly header: TableRecord | undefined;
  readonly before: readonly TableRecord[];
  readonly records: readonly TableRecord[];
  readonly columns: FoundColumns & { readonly date: number };
  readonly isAmountUnsure: boolean;
}

export type FoundLayout =
  | { readonly ok: true; readonly layout: Layout }
  | { readonly ok: false; readonly reason: string };

/** Finds each column by hint, else by preset, else by name, else by content. */
export function findLayout(records: readonly TableRecord[], format: CsvFormat): FoundLayout {
  const at = findHeader(records, format);
  const header = records[at];
  const data = records.slice(at + 1);
  const names = header?.cells ?? [];
  const hints = readHints(format, names, data);
  if (!hints.ok) return hints;
  const preset = findPreset(header, data);
  const named = preset === undefined ? findColumns(names) : findPresetColumns(preset, names);
  const needsGuess =
    (hints.columns.date ?? named.date) === undefined ||
    (hints.columns.description ?? named.description) === undefined ||
    !(hasAmount(hints.columns) || hasAmount(named));
  const guessed = needsGuess ? guessColumns(data) : { isAmountUnsure: false };
  const { amounts, isUnsure } = chooseAmounts(hints.columns, named, guessed);
  const date = hints.columns.date ?? named.date ?? guessed.date;
  if (date === undefined) return { ok: false, reason: missing('date', 'date_column', names) };
  if (!hasAmount(amounts)) return { ok: false, reason: missing('amount', 'amount_column', names) };
  const description = hints.columns.description ?? named.description ?? guessed.description;
  return {
    ok: true,
    layout: {
      preset,
      header,
      before: records.slice(0, Math.max(at, 0)),
      records: data,
      columns: { ...amounts, date, description, type: findType(amounts, named.type, data) },
      isAmountUnsure: isUnsure,
    },
  };
}

function chooseAmounts(
  hinted: FoundColumns,
  named: FoundColumns,
  guessed: FoundColumns & { readonly isAmountUnsure: boolean },
): { readonly amounts: FoundColumns; readonly isUnsure: boolean } {
  const chosen = [hinted, named].find(hasAmount);
  const { amount, debit, credit } = chosen ?? guessed;
  return { amounts: { amount, debit, credit }, isUnsure: chosen === undefined && guessed.isAmountUnsure };
}

function hasAmount({ amount, debit, credit }: FoundColumns): boolean {
  return (amount?.length ?? 0) > 0 || debit !== undefined || credit !== undefined;
}

/** A column of types tells debits from credits only if it has no other word. */
function findType(
  { amount }: FoundColumns,
  type: number | undefined,
  records: readonly TableRecord[],
): number | undefined {
  if (amount === undefined || type === undefined) return undefined;
  const isSign = ({ cells }: TableRecord): boolean =>
    /^(?:c|cr|credit|d|dr|debit)?$/i.test(cells[type] ?? '');
  return records.every(isSign) ? type : undefined;
}

/** The index of the header, or -1. */
function findHeader(records: readonly TableRecord[], format: CsvFormat): number {
  if (format.has_header === false) return -1;
  const hinted = hintsOf(format)
    .map(([, hint]) => (typeof hint === 'string' ? normalizeName(hint) : ''))
    .filter((name) => name !== '' && !/^\d+$/.test(name));
  const at = records.slice(0, MAX_ROWS_BEFORE_HEADER).findIndex(({ cells }) => {
    const names = new Set(cells.map(normalizeName));
    return hinted.length > 0 ? hinted.every((name) => names.has(name)) : isHeader(cells);
  });
  if (at !== -1) return at;
  const first = records[0]?.cells ?? [];
  return format.has_header === true || (records.length > 1 && !first.some((cell) => /\d/.test(cell)))
    ? 0
    : -1;
}

function findPreset(
  header: TableRecord | undefined,
  records: readonly TableRecord[],
): BankPreset | undefined {
  if (header !== undefined) {
    const names = new Set(header.cells.map(normalizeName));
    return BANK_PRESETS.find((preset) => preset.header?.every((name) => names.has(name)));
  }
  const sample = records.slice(0, MAX_ROWS_BEFORE_HEADER);
  return BANK_PRESETS.find(({ cells: kinds }) => {
    if (kinds === undefined) return false;
    const fitting = sample.filter(({ cells }) => hasKinds(cells, kinds)).length;
    return fitting > 0 && fitting >= sample.length * 0.8;
  });
}

function hasKinds(cells: readonly string[], kinds: readonly CellKind[]): boolean {
  return cells.length === kinds.length && kinds.every((kind, index) => hasKind(cells[index] ?? '', kind));
}

function hasKind(cell: string, kind: CellKind): boolean {
  switch (kind) {
    case 'amount':
      return isAmount(cell);
    case 'amount?':
      return cell === '' || isAmount(cell);
    case 'dash':
      return cell === '-' || cell === '';
    case 'date':
      return isDate(cell);
    case 'text':
      return !isAmount(cell);
  }
}

type Role = 'amount' | 'credit' | 'date' | 'debit' | 'description';

function hintsOf(format: CsvFormat): readonly (readonly [Role, number | string])[] {
  const roles = ['date', 'amount', 'debit', 'credit', 'description'] as const;
  return roles.flatMap((role) => {
    const hint = format[`${role}_column`];
    return hint === undefined ? [] : [[role, hint] as const];
  });
}

function readHints(
  format: CsvFormat,
  header: readonly string[],
  records: readonly TableRecord[],
): { readonly ok: true; readonly columns: FoundColumns } | { readonly ok: false; readonly reason: string } {
  const names = header.map(normalizeName);
  const width = records.reduce((most, { cells }) => Math.max(most, cells.length), header.length);
  const found = new Map<Role, number>();
  for (const [role, hint] of hintsOf(format)) {
    const named = names.indexOf(normalizeName(String(hint)));
    const isIndex = typeof hint === 'number' || (named === -1 && /^\d+$/.test(hint));
    const index = isIndex ? Number(hint) : named;
    if (!Number.isInteger(index) || index < 0 || index >= width)
      return { ok: false, reason: unknownColumn(`${role}_column`, hint, header) };
    found.set(role, index);
  }
  const amount = found.get('amount');
  const [debit, credit] = [found.get('debit'), found.get('credit')];
  if (amount !== undefined && (debit ?? credit) !== undefined)
    return {
      ok: false,
      reason: 'csv_format: use either amount_column, or debit_column and credit_column, not both.',
    };
  const description = found.get('description');
  return {
    ok: true,
    columns: {
      date: found.get('date'),
      ...(amount === undefined ? { debit, credit } : { amount: [amount] }),
      ...(description === undefined ? {} : { description: [description] }),
    },
  };
}

function unknownColumn(member: string, hint: number | string, header: readonly string[]): string {
  return `csv_format.${member}: the file has no column ${JSON.stringify(hint)}${listed(header)}. Use the name of a column or its index from 0.`;
}

function missing(role: string, member: string, header: readonly string[]): string {
  return `The file has no column that can be recognized as the ${role}${listed(header)}. Name it in csv_format.${member}.`;
}

function listed(header: readonly string[]): string {
  return header.length === 0 ? '' : ` (columns: ${header.slice(0, 30).join(', ').slice(0, 500)})`;
}
