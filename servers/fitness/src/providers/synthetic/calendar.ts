import { DAY_S, FIRST_MONDAY, weekdayOf } from '../../calendar/days.ts';
import type { Day } from '../../calendar/days.ts';

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
