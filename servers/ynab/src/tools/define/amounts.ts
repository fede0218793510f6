import { ValidationError } from 'toolwright';
import type { CurrencyFormat } from '../../money/currency-format.ts';
import { parseDecimal, toDecimal } from '../../money/money.ts';

/** The two forms of an amount in arguments. */
interface GivenAmount {
  readonly decimal: number | undefined;
  readonly milliunits: number | undefined;
}

/** The names of the two arguments, for errors. */
interface AmountNames {
  readonly decimal: string;
  readonly milliunits: string;
  /** The path of the object that has them. */
  readonly at?: readonly (string | number)[];
}

const AMOUNT: AmountNames = { decimal: 'amount_decimal', milliunits: 'amount_milliunits' };

/** The amount in milliunits. Exactly one of the two arguments must be present. */
export function readAmount(
  { decimal, milliunits }: GivenAmount,
  { decimal_digits: digits }: CurrencyFormat,
  names: AmountNames = AMOUNT,
): number {
  const { at = [] } = names;
  if ((decimal === undefined) === (milliunits === undefined)) {
    const message = `pass exactly one of ${names.decimal} and ${names.milliunits}`;
    throw new ValidationError([{ path: [...at, names.decimal], message }]);
  }
  if (milliunits !== undefined) return milliunits;
  const parsed = parseDecimal(decimal ?? 0, digits);
  if (parsed.ok) return parsed.milliunits;
  throw new ValidationError([{ path: [...at, names.decimal], message: parsed.reason }]);
}

/** {@link readAmount} for a change: undefined if neither argument is present. */
export function readOptionalAmount(
  given: GivenAmount,
  currency: CurrencyFormat,
  names: AmountNames = AMOUNT,
): number | undefined {
  return given.decimal === undefined && given.milliunits === undefined
    ? undefined
    : readAmount(given, currency, names);
}

/** A result with an amount in both forms, such as `{ balance: 12.34, balance_milliunits: 12340 }`. */
export function bothForms<TName extends string>(
  name: TName,
  milliunits: number,
  { decimal_digits: digits }: CurrencyFormat,
): Record<TName | `${TName}_milliunits`, number> {
  return { [name]: toDecimal(milliunits, digits), [`${name}_milliunits`]: milliunits } as Record<
    TName | `${TName}_milliunits`,
    number
  >;
}
