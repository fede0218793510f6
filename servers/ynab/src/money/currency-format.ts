import { toDecimalString } from './money.ts';

/** The format of amounts in a budget, with the names of the API. */
export interface CurrencyFormat {
  readonly iso_code: string;
  readonly decimal_digits: number;
  readonly decimal_separator: string;
  readonly group_separator: string;
  readonly symbol_first: boolean;
  readonly currency_symbol: string;
  readonly display_symbol: boolean;
}

/** The amount as people read it in this budget: `-$1,234.50`, `1.234,50 €`. */
export function formatMoney(milliunits: number, format: CurrencyFormat): string {
  const text = toDecimalString(milliunits, format.decimal_digits);
  const sign = text.startsWith('-') ? '-' : '';
  const [units = '', fraction] = text.slice(sign.length).split('.');
  const grouped = units.replaceAll(/\B(?=(?:\d{3})+$)/g, format.group_separator);
  const amount = fraction === undefined ? grouped : grouped + format.decimal_separator + fraction;
  if (!format.display_symbol) return sign + amount;
  return format.symbol_first
    ? `${sign}${format.currency_symbol}${amount}`
    : `${sign}${amount} ${format.currency_symbol}`;
}
