import { addDays, addMonths } from '../dates/dates.ts';
import type { Habit } from './habits.ts';
import type { Random } from './random.ts';

/** The dates of a habit after `first`, up to `last`. */
export function listHabitDates(
  rhythm: Habit[3],
  range: { readonly first: string; readonly last: string },
  random: Random,
): string[] {
  const dates: string[] = [];
  const next = (date: string): string =>
    typeof rhythm === 'number' ? addMonths(date, 1, rhythm) : addDays(date, random.integer(...rhythm));
  let date =
    typeof rhythm === 'number'
      ? addMonths(range.first, 0, rhythm)
      : addDays(range.first, random.integer(1, rhythm[1]));
  for (; date <= range.last; date = next(date)) if (date > range.first) dates.push(date);
  return dates;
}
