/** Days are counted from 1970-01-01. */
export type Day = number;

export const DAY_S = 86_400;
/** 1970-01-05, a Monday. */
export const FIRST_MONDAY: Day = 4;

export function dayOf(unixSeconds: number): Day {
  return Math.floor(unixSeconds / DAY_S);
}

/** `YYYY-MM-DD`. */
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
