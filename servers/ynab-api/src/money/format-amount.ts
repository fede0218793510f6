/** The format of amounts in a plan, with the names of the API. */
export interface CurrencyFormat {
  readonly iso_code: string;
  readonly example_format: string;
  readonly decimal_digits: number;
  readonly decimal_separator: string;
  readonly symbol_first: boolean;
  readonly group_separator: string;
  readonly currency_symbol: string;
  readonly display_symbol: boolean;
}

/** The amount in the currency, rounded half away from zero to its digits: -12345 milliunits are -12.35 with two digits. */
export function toCurrency(milliunits: number, { decimal_digits }: CurrencyFormat): number {
  const step = 10 ** (3 - Math.min(decimal_digits, 3));
  const steps = Math.sign(milliunits) * Math.floor((Math.abs(milliunits) + step / 2) / step);
  return steps / 10 ** Math.min(decimal_digits, 3) + 0;
}

/** The amount as people read it: `-$1,234.50`, `1.234,50 €`. */
export function formatAmount(milliunits: number, format: CurrencyFormat): string {
  const value = toCurrency(milliunits, format);
  const [units = '', fraction] = Math.abs(value).toFixed(format.decimal_digits).split('.');
  const grouped = units.replaceAll(/\B(?=(?:\d{3})+$)/g, format.group_separator);
  const number = fraction === undefined ? grouped : grouped + format.decimal_separator + fraction;
  const sign = value < 0 ? '-' : '';
  if (!format.display_symbol) return sign + number;
  return format.symbol_first
    ? `${sign}${format.currency_symbol}${number}`
    : `${sign}${number} ${format.currency_symbol}`;
}

/** The entity with `…_formatted` and `…_currency` beside each of its amounts. */
export function withFormats<T extends object>(
  entity: T,
  names: readonly (keyof T & string)[],
  format: CurrencyFormat,
): T {
  const formats = names.flatMap((name): [string, unknown][] => {
    const value = entity[name];
    const amount = typeof value === 'number' ? value : null;
    return [
      [`${name}_formatted`, amount === null ? null : formatAmount(amount, format)],
      [`${name}_currency`, amount === null ? null : toCurrency(amount, format)],
    ];
  });
  return { ...entity, ...Object.fromEntries(formats) };
}
