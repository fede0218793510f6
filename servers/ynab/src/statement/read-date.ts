import { toDayNumber, toIsoDate } from './calendar-date.ts';
import type { DateOrder } from './statement.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A time behind the date, with seconds, half of the day and zone. Nothing else may follow: `2026-11-13 10:11;Shop;-12` is a line with other delimiters. */
const TIME =
  /[T, ]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)? ?(?:[ap]\.?m\.?)? ?(?:[a-z]{1,5}|[-+]\d{2}:?\d{2})?$/i;
/** A cell with more characters is no date. The time to search one for a time grows with the square of its length. */
const MAX_LENGTH = 64;
const YEAR_FIRST = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$|^(\d{4})(\d{2})(\d{2})$/;
const NUMBERS = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{2}|\d{4})$/;
const DOTTED = /^\s*\d{1,2}\.\d{1,2}\.\d/;
const DAY_NAME = /^(\d{1,2})[-/. ]*(\p{L}{3,9})[-/., ]*(\d{2}|\d{4})$/u;
const NAME_DAY = /^(\p{L}{3,9})[. ]*(\d{1,2})[, ]+(\d{4})$/u;

/** The date that a cell shows, as `YYYY-MM-DD`. The order settles dates of three short numbers; names of months and years in front settle themselves. */
export function findDate(cell: string, order: DateOrder): string | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  const text = cell.replace(TIME, '').trim();
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) {
    const [, year, month, day, compactYear, compactMonth, compactDay] = yearFirst;
    return toDate(year ?? compactYear, month ?? compactMonth, day ?? compactDay);
  }
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) return fromNumbers(numbers, order);
  const dayName = DAY_NAME.exec(text);
  if (dayName !== null) return toDate(dayName[3], monthOf(dayName[2]), dayName[1]);
  const nameDay = NAME_DAY.exec(text);
  return nameDay === null ? undefined : toDate(nameDay[3], monthOf(nameDay[1]), nameDay[2]);
}

/** The order of a `date_format` such as `MDY` or `DD.MM.YYYY`, or undefined if it is not one of the three orders. */
export function findOrder(format: string): DateOrder | undefined {
  const order = [...new Set(format.toUpperCase().replaceAll(/[^DMY]/g, ''))].join('');
  return order === 'DMY' || order === 'MDY' || order === 'YMD' ? order : undefined;
}

interface DetectedOrder {
  readonly order: DateOrder;
  /** Positions of the dates that another order reads as another day, if that order fits as many rows. */
  readonly ambiguous: readonly number[];
}

/**
 * The order that fits the most dates. If two fit equally, the one with the shorter period: the months of a statement are seldom spread over a year
 * on the same few days.
 */
export function detectOrder(cells: readonly string[], preferred: DateOrder | undefined): DetectedOrder {
  const readings = (['MDY', 'DMY', 'YMD'] as const)
    .map((order) => {
      // Dots separate the day from the month, unless a bank is known to write the month first: 05.11.2026 is in November.
      const isPossible = (cell: string): boolean =>
        order !== 'MDY' || preferred === 'MDY' || !DOTTED.test(cell);
      const dates = cells.map((cell) => (isPossible(cell) ? findDate(cell, order) : undefined));
      return { order, dates, fits: dates.filter((date) => date !== undefined).length };
    })
    .toSorted((left, right) => right.fits - left.fits || spanOf(left.dates) - spanOf(right.dates));
  const asPreferred = readings.find(({ order }) => order === preferred);
  const [best] = readings;
  if (best === undefined || asPreferred?.fits === cells.length)
    return { order: preferred ?? 'YMD', ambiguous: [] };
  const rivals = readings.filter((reading) => reading !== best && reading.fits === best.fits);
  const ambiguous = [...cells.keys()].filter((index) =>
    rivals.some((rival) => rival.dates[index] !== best.dates[index]),
  );
  return { order: ambiguous.length === 0 && rivals.length === 2 ? 'YMD' : best.order, ambiguous };
}

function spanOf(dates: readonly (string | undefined)[]): number {
  let [first, last] = [Infinity, -Infinity];
  for (const date of dates) {
    if (date === undefined) continue;
    const day = toDayNumber(date);
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return last - first;
}

function fromNumbers([, a = '', b = '', c = '']: readonly string[], order: DateOrder): string | undefined {
  if (order === 'MDY') return toDate(c, a, b);
  if (order === 'DMY') return toDate(c, b, a);
  return c.length === 2 ? toDate(a, b, c) : undefined;
}

function toDate(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  const short = year?.length === 2 || year?.length === 1;
  return toIsoDate(Number(year) + (short ? 2000 : 0), Number(month), Number(day));
}

function monthOf(name: string | undefined): string {
  return String(MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1);
}
