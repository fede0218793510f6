const DAY_MS = 86_400_000;

const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The date as `YYYY-MM-DD`, or undefined if the calendar has no such day. */
export function toIsoDate(year: number, month: number, day: number): string | undefined {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && !isLeap ? 28 : (MONTH_DAYS[month - 1] ?? 0);
  if (!(year >= 1900 && year <= 2199 && day >= 1 && day <= days)) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The number of the day of a `YYYY-MM-DD` date; two dates are as many days apart as their numbers. */
export function toDayNumber(date: string): number {
  return Math.round(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS);
}
