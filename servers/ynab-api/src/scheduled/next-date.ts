import { addDays, addMonths } from '../dates/dates.ts';

export const FREQUENCIES = [
  'never',
  'daily',
  'weekly',
  'everyOtherWeek',
  'twiceAMonth',
  'every4Weeks',
  'monthly',
  'everyOtherMonth',
  'every3Months',
  'every4Months',
  'twiceAYear',
  'yearly',
  'everyOtherYear',
] as const;

export type Frequency = (typeof FREQUENCIES)[number];

const DAYS: Partial<Record<Frequency, number>> = { daily: 1, weekly: 7, everyOtherWeek: 14, every4Weeks: 28 };
const MONTHS: Partial<Record<Frequency, number>> = {
  monthly: 1,
  everyOtherMonth: 2,
  every3Months: 3,
  every4Months: 4,
  twiceAYear: 6,
  yearly: 12,
  everyOtherYear: 24,
};

/** The date after `date`, or undefined if the transaction does not repeat. Months keep the day of the first date: the 31st, the 30th of a shorter month, the 31st. */
export function findNextDate(date: string, frequency: Frequency, first: string): string | undefined {
  const days = DAYS[frequency];
  if (days !== undefined) return addDays(date, days);
  const day = Number(first.slice(8));
  const months = MONTHS[frequency];
  if (months !== undefined) return addMonths(date, months, day);
  if (frequency === 'never') return undefined;
  // Twice a month: the day of the first date, and 15 days away from it.
  const [early, late] = day <= 15 ? [day, day + 15] : [day - 15, day];
  return addMonths(date, 0, late) > date ? addMonths(date, 0, late) : addMonths(date, 1, early);
}
