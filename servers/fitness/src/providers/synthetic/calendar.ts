/** Days are counted from 1970-01-01. */
export type Day = number;

export const DAY_S = 86_400;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY: Day = 4;

export function dayOf(unixSeconds: number): Day {
  return Math.floor(unixSeconds / DAY_S);
}

export function toDate(day: Day): string {
  return new Date(day * DAY_S * 1000).toISOString().slice(0, 10);
}

/** Undefined unless the text is a date of the calendar, as `YYYY-MM-DD`. */
export function findDay(date: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const day = Date.parse(`${date}T00:00:00Z`) / (DAY_S * 1000);
  return Number.isNaN(day) || toDate(day) !== date ? undefined : day;
}

/** 0 is Monday. */
export function weekdayOf(day: Day): number {
  return (((day - FIRST_MONDAY) % 7) + 7) % 7;
}

/** Number of whole weeks since the first Monday. */
export function weekOf(day: Day): number {
  return Math.floor((day - FIRST_MONDAY) / 7);
}

export function mondayOf(week: number): Day {
  return FIRST_MONDAY + 7 * week;
}

/** From 0 on 1 January to just below 1. */
export function yearFraction(day: Day): number {
  const year = new Date(day * DAY_S * 1000).getUTCFullYear();
  const first = Date.UTC(year, 0, 1) / (DAY_S * 1000);
  const next = Date.UTC(year + 1, 0, 1) / (DAY_S * 1000);
  return (day - first) / (next - first);
}

/** Central European time: summer time from the last Sunday of March to the last Sunday of October. */
export function utcOffsetOf(day: Day): number {
  const year = new Date(day * DAY_S * 1000).getUTCFullYear();
  const isSummer = day >= lastSunday(year, 2) && day < lastSunday(year, 9);
  return isSummer ? 7200 : 3600;
}

/** Both months used here have 31 days. */
function lastSunday(year: number, month: number): Day {
  const last = Date.UTC(year, month, 31) / (DAY_S * 1000);
  return last - ((weekdayOf(last) + 1) % 7);
}
