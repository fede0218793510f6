import { formatMoney } from '../../money/currency-format.ts';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import type { Names } from './references.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The values that a preview shows are those of one budget. */
interface Shown {
  readonly currency: CurrencyFormat;
  readonly names: Names;
}

/** A preview has at most this many lines. */
const MAX_LINES = 20;

/** The fields of the API in the order of a preview. A user knows names, not ids. */
const LABELS: Readonly<Record<string, string>> = {
  account_id: 'account',
  date: 'date',
  frequency: 'frequency',
  amount: 'amount',
  payee_id: 'payee',
  payee_name: 'payee',
  category_id: 'category',
  memo: 'memo',
  cleared: 'cleared',
  approved: 'approved',
  flag_color: 'flag_color',
  import_id: 'import_id',
  subtransactions: 'parts',
};

/** The labels of the changed fields, each once. */
export function listLabels(changes: readonly Fields[]): readonly string[] {
  const changed = new Set(changes.flatMap((fields) => Object.keys(fields)));
  const labels = Object.entries(LABELS).filter(([name]) => changed.has(name));
  return [...new Set(labels.map(([, label]) => label))];
}

/** A line for each field, and for each part of a split. */
export function listChanges(fields: Fields, shown: Shown): readonly string[] {
  const { subtransactions: parts, ...others } = fields;
  return shortList([
    ...listFields(others, shown),
    ...((parts ?? []) as readonly Fields[]).map((part) => `part: ${describeChanges(part, shown)}`),
  ]);
}

/** The fields of one transaction in one line. */
export function describeChanges(fields: Fields, shown: Shown): string {
  return listFields(fields, shown).join(', ');
}

/** The first lines; the rest is counted. */
export function shortList(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`];
}

function listFields(fields: Fields, shown: Shown): readonly string[] {
  return Object.entries(LABELS).flatMap(([name, label]) =>
    fields[name] === undefined ? [] : [`${label}: ${describeValue(name, fields[name], shown)}`],
  );
}

function describeValue(name: string, value: unknown, { currency, names }: Shown): string {
  if (value === null) return 'none';
  if (name === 'amount' && typeof value === 'number') return formatMoney(value, currency);
  return typeof value === 'string' ? (names.get(value) ?? value) : JSON.stringify(value);
}
