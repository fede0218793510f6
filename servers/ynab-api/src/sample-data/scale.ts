import type { CurrencyFormat } from '../money/format-amount.ts';

/** A plan of the sample data: its currency, and how an amount in dollars is written in it. */
export interface SamplePlan {
  readonly name: string;
  readonly dateFormat: string;
  readonly currency: CurrencyFormat;
  /** Units of the currency for one dollar. */
  readonly rate: number;
  /** Only the habits that are marked as `small`. */
  readonly small: boolean;
}

export const SAMPLE_PLANS: readonly SamplePlan[] = [
  {
    name: 'Household',
    dateFormat: 'MM/DD/YYYY',
    rate: 1,
    small: false,
    currency: {
      iso_code: 'USD',
      example_format: '123,456.78',
      decimal_digits: 2,
      decimal_separator: '.',
      symbol_first: true,
      group_separator: ',',
      currency_symbol: '$',
      display_symbol: true,
    },
  },
  {
    name: 'Tokyo Flat',
    dateFormat: 'YYYY/MM/DD',
    rate: 150,
    small: true,
    currency: {
      iso_code: 'JPY',
      example_format: '123,456',
      decimal_digits: 0,
      decimal_separator: '.',
      symbol_first: true,
      group_separator: ',',
      currency_symbol: '¥',
      display_symbol: true,
    },
  },
];

/** Cents of a dollar in milliunits of the plan, without more digits than its currency has. */
export function toMilliunits(cents: number, { rate, currency }: SamplePlan): number {
  const step = 10 ** (3 - currency.decimal_digits);
  return Math.round((cents * 10 * rate) / step) * step + 0;
}
