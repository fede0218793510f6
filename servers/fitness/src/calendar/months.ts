import { DAY_S } from './days.ts';
import type { Day } from './days.ts';

/** Months since the year 0. */
export type Month = number;

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export function monthOf(day: Day): Month {
  const date = new Date(day * DAY_S * 1000);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

export function firstDayOf(month: Month): Day {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / (DAY_S * 1000);
}
