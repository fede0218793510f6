import { parseDecimal } from '../money/money.ts';
import type { ParsedAmount } from '../money/money.ts';

export type DecimalSeparator = ',' | '.';

/** Characters around the digits: signs, brackets, currency signs, and at most one short word, such as `CAD`, `kr.` or `DR`. */
const AROUND = /^[-+()\s\p{Sc}]*(?<word>\p{L}{0,4})\.?[-+()\s\p{Sc}]*$/u;
const AMOUNT = /^(?<before>\D*?)(?<number>\d(?:[\d.,'’\s]*\d)?|(?<![\p{L}\d])[.,]\d+)(?<after>\D*)$/u;
/** A cell with more characters is no amount. The time to match the characters around the digits grows with the square of their number. */
const MAX_LENGTH = 64;
const DASHES = /[\u2010-\u2015\u2212\uFE63\uFF0D]/g;

interface AmountText {
  readonly isNegative: boolean;
  /** Digits with separators of groups and of decimals. */
  readonly number: string;
}

/** True if the cell shows an amount. */
export function isAmount(cell: string): boolean {
  return readAmount(cell, undefined, 3).ok;
}

/** The amount that a cell shows, in milliunits. The separator is the one of the file, and `digits` are the decimal digits of the currency. */
export function readAmount(
  cell: string,
  separator: DecimalSeparator | undefined,
  digits: number,
): ParsedAmount {
  const reason = `"${cell}" is not an amount such as 12.34`;
  const text = findAmountText(cell);
  if (text === undefined) return { ok: false, reason };
  const decimal = findSeparator(text.number, separator, digits);
  const at = decimal === undefined ? -1 : text.number.lastIndexOf(decimal);
  const units = at === -1 ? text.number : text.number.slice(0, at);
  const fraction = at === -1 ? '' : text.number.slice(at + 1);
  const isGrouped = /^\d*$|^\d{1,3}([.,'’\s])(?:\d{2,3}\1)*\d{3}$/.test(units);
  // In 1.234.56 no separator can be both.
  if (!isGrouped || !/^\d*$/.test(fraction) || (decimal !== undefined && units.includes(decimal)))
    return { ok: false, reason };
  const plain = (units.replaceAll(/\D/g, '') || '0').replace(/^0+(?=\d)/, '');
  return parseDecimal(
    `${text.isNegative ? '-' : ''}${plain}${fraction === '' ? '' : `.${fraction}`}`,
    digits,
  );
}

/** The decimal separator of a file, if its amounts agree on one. */
export function detectSeparator(cells: Iterable<string>): DecimalSeparator | undefined {
  const found = new Set<DecimalSeparator>();
  for (const cell of cells) {
    const number = findAmountText(cell)?.number;
    if (number === undefined) continue;
    const separators = new Set(number.replaceAll(/[^.,]/g, ''));
    if (separators.size === 1 && isGroup(number)) {
      // A separator that occurs twice separates groups, so the other one separates decimals.
      if (/[.,].*[.,]/.test(number)) found.add(separators.has('.') ? ',' : '.');
    } else if (separators.size > 0) {
      found.add(number.lastIndexOf(',') > number.lastIndexOf('.') ? ',' : '.');
    }
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** True if the amount may be a thousand times another one, as `1,234` may. */
export function isAmbiguous(cell: string): boolean {
  const number = findAmountText(cell)?.number ?? '';
  return isGroup(number) && !/[.,].*[.,]/.test(number);
}

function findAmountText(cell: string): AmountText | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  const match = AMOUNT.exec(cell.replaceAll(DASHES, '-').trim());
  const { before = '', number = '', after = '' } = match?.groups ?? {};
  const words = [before, after].map((side) => AROUND.exec(side)?.groups?.['word']);
  if (match === null || words.includes(undefined)) return undefined;
  const opens = before.includes('(');
  if (opens !== after.includes(')') || before.includes(')') || after.includes('(')) return undefined;
  const minuses = (before + after).replaceAll(/[^-]/g, '').length;
  if (minuses > 1) return undefined;
  return { isNegative: opens || minuses === 1 || words[1]?.toUpperCase() === 'DR', number };
}

function findSeparator(
  number: string,
  separator: DecimalSeparator | undefined,
  digits: number,
): DecimalSeparator | undefined {
  const dot = number.lastIndexOf('.');
  const comma = number.lastIndexOf(',');
  if (dot === -1 && comma === -1) return undefined;
  const last = dot > comma ? '.' : ',';
  if (dot !== -1 && comma !== -1) return last;
  if (!isGroup(number)) return last;
  const isSingle = number.indexOf(last) === number.lastIndexOf(last);
  const isDecimal = separator === undefined ? digits === 3 : separator === last;
  return isSingle && isDecimal ? last : undefined;
}

/** True if each separator, all of one kind, precedes exactly three digits, or two in Indian groups. */
function isGroup(number: string): boolean {
  return /^[1-9]\d{0,2}([.,])(?:\d{2,3}\1)*\d{3}$/.test(number);
}
