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
  const lines = items.slice(0, MAX_LINES).map((item) => listChanges(item, currency).join(', '));
  return items.length > MAX_LINES ? [...lines, `and ${items.length - MAX_LINES} more`] : lines;
}

function describeValue(name: string, value: unknown, currency: CurrencyFormat): string {
  if (value === null) return 'none';
  if (name === 'amount' && typeof value === 'number') return formatMoney(value, currency);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
