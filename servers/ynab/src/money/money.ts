/**
 * Amounts of money. Inside the server an amount is an integer of milliunits, as in the API: 1,000 milliunits are one unit of the currency,
 * whatever its decimal digits. No sum is ever computed with fractions.
 */

/** The largest amount that the API stores: a signed 64-bit integer does not fit a number, so amounts stop at the safe integers. */
const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

const DECIMAL = /^(?<sign>[+-]?)(?<units>\d{1,15})(?:\.(?<fraction>\d{1,20}))?$/;

/** The amount in milliunits, or the reason why the value is not an amount. */
export type ParsedAmount =
  | { readonly ok: true; readonly milliunits: number }
  | { readonly ok: false; readonly reason: string };

/** Parses a decimal amount such as `12.34`. Digits beyond the currency's are an error unless they are zeros: nothing is rounded on the way in. */
export function parseDecimal(value: number | string, digits: number): ParsedAmount {
  const match = DECIMAL.exec(String(value));
  if (match?.groups === undefined) {
    const isLarge = Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER / 1000;
    const reason = isLarge ? `${value} is too large` : `"${value}" is not a decimal amount such as 12.34`;
    return { ok: false, reason };
  }
  const { sign, units = '0', fraction = '' } = match.groups;
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > Math.min(digits, 3)) {
    return { ok: false, reason: `${value} has more than ${digits} decimal digits` };
  }
  const magnitude = BigInt(units) * 1000n + BigInt(kept.padEnd(3, '0'));
  if (magnitude > LIMIT) return { ok: false, reason: `${value} is too large` };
  return { ok: true, milliunits: Number(sign === '-' && magnitude > 0n ? -magnitude : magnitude) };
}

/** The decimal form with the digits of the currency: `-12340` is `-12.34` with 2 digits. A remainder below them is rounded, half away from zero. */
export function toDecimalString(milliunits: number, digits: number): string {
  const shown = Math.min(Math.max(digits, 0), 3);
  const step = 10 ** (3 - shown);
  const magnitude = Math.abs(milliunits);
  const rest = magnitude % step;
  const steps = (magnitude - rest) / step + (rest * 2 >= step && rest > 0 ? 1 : 0);
  const text = String(steps).padStart(shown + 1, '0');
  const sign = milliunits < 0 && steps > 0 ? '-' : '';
  if (shown === 0) return sign + text;
  return `${sign}${text.slice(0, -shown)}.${text.slice(-shown)}`;
}

/** {@link toDecimalString} as a number, for structured results. */
export function toDecimal(milliunits: number, digits: number): number {
  return Number(toDecimalString(milliunits, digits));
}

/** The sum of amounts. */
export function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}
