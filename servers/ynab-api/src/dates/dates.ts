/** Calendar dates are `YYYY-MM-DD` strings, which compare like dates. All of them are UTC, as in the API. */

const DAY = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a string is a date of the calendar: `2026-02-30` is not. */
export function isDate(text: string): boolean {
  return DATE.test(text) && Number(text.slice(0, 4)) > 0 && toDate(Date.parse(`${text}T00:00:00Z`)) === text;
}

/** The date of a moment in milliseconds. */
export function toDate(moment: number): string {
  return Number.isNaN(moment) ? '' : new Date(moment).toISOString().slice(0, 10);
}

/** The first day of the month of a date: the form of months in the API. */
export function toMonth(date: string): string {
  return `${date.slice(0, 7)}-01`;
}

export function addDays(date: string, days: number): string {
  return toDate(Date.parse(`${date}T00:00:00Z`) + days * DAY);
}

/** The same day of another month; the last day of that month if it is shorter. `day` replaces the day of `date`. */
export function addMonths(date: string, months: number, day = Number(date.slice(8))): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const year = Math.floor(index / 12);
  const month = index % 12;
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return toDate(Date.UTC(year, month, Math.min(day, last)));
}

/** The months from one to another, both included. */
export function listMonths(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** The number of months from one month to another: 0 for the same month. */
export function monthsBetween(first: string, last: string): number {
  return (
    (Number(last.slice(0, 4)) - Number(first.slice(0, 4))) * 12 +
    Number(last.slice(5, 7)) -
    Number(first.slice(5, 7))
  );
}

/** The number of days from one date to another. */
export function daysBetween(first: string, last: string): number {
  return Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY);
}
