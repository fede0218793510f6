import { formatMoney } from '../money/currency-format.ts';
import type { CurrencyFormat } from '../money/currency-format.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A preview has at most this many lines. */
const MAX_LINES = 20;

/** The new value of each changed field, for the preview of a change. */
export function listChanges(fields: Fields, currency: CurrencyFormat): readonly string[] {
  return Object.entries(fields).map(([name, value]) => `${name}: ${describeValue(name, value, currency)}`);
}

/** One line for each transaction of a bulk change; the rest is counted. */
export function listItems(items: readonly Fields[], currency: CurrencyFormat): readonly string[] {
  return shortList(items.map((item) => listChanges(item, currency).join(', ')));
}

/** The first lines; the rest is counted. */
export function shortList(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`];
}

function describeValue(name: string, value: unknown, currency: CurrencyFormat): string {
  if (value === null) return 'none';
  if (name === 'amount' && typeof value === 'number') return formatMoney(value, currency);
  if (name === 'subtransactions' && Array.isArray(value)) {
    return value.map((part: Fields) => listChanges(part, currency).join(', ')).join('; ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
