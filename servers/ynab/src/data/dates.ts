import type { Clock } from 'toolwright/collaborators';

/** Dates are strings, `YYYY-MM-DD`: they compare in order, and no time zone moves them. */

const DAY_MS = 86_400_000;

/** The same day of the year before. */
export function yearBefore(date: string): string {
  const year = String(Number(date.slice(0, 4)) - 1).padStart(4, '0');
  // The 29th of February has no counterpart.
  return `${year}${date.slice(4) === '-02-29' ? '-02-28' : date.slice(4)}`;
}

/** The date that is this many days later; earlier if negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Milliseconds since 1970 of a clock. */
export function wallTimeOf(clock: Clock): number {
  return clock.wallTime?.() ?? clock.now();
}

/** The date of a time in UTC. */
export function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A function that returns the current date in UTC. It formats the date once a day, not once a call. */
export function dateOf(clock: Clock): () => string {
  let day = Number.NaN;
  let date = '';
  return () => {
    const current = Math.floor(wallTimeOf(clock) / DAY_MS);
    if (current !== day) {
      day = current;
      date = toDate(current * DAY_MS);
    }
    return date;
  };
}

/** Whether a text of the form `YYYY-MM-DD` is a date: not the 30th of February. */
export function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && toDate(time) === text;
}
