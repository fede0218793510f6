import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { meanOf, sampleDeviationOf } from '../statistics/spread.ts';

export interface WeeklyConsistency {
  readonly weeks: number;
  readonly mean_days_per_week: number;
  /** 100 for the same number of training days every week; 0 if the deviation is as large as the mean. */
  readonly score: number;
  /** Weekdays with training in more than half of the weeks, 1 (Monday) to 7 (Sunday). */
  readonly usual_weekdays: readonly number[];
}

/**
 * Regularity of training over whole weeks. `trained` has one entry a day and begins on a Monday; days after the last
 * whole week are not used.
 */
export function weeklyConsistency(trained: readonly boolean[]): Computed<WeeklyConsistency> {
  const weeks = Math.floor(trained.length / 7);
  if (weeks < 4) return refused(`Consistency needs at least four whole weeks; there are ${weeks}.`);
  const perWeek = Array.from({ length: weeks }, () => 0);
  const perWeekday = Array.from({ length: 7 }, () => 0);
  for (const [day, active] of trained.slice(0, weeks * 7).entries()) {
    if (!active) continue;
    const week = Math.floor(day / 7);
    perWeek[week] = (perWeek[week] ?? 0) + 1;
    perWeekday[day % 7] = (perWeekday[day % 7] ?? 0) + 1;
  }
  const mean = meanOf(perWeek) ?? 0;
  const deviation = sampleDeviationOf(perWeek) ?? 0;
  return computed({
    weeks,
    mean_days_per_week: mean,
    score: mean === 0 ? 0 : 100 * Math.max(0, 1 - deviation / mean),
    usual_weekdays: perWeekday.flatMap((count, index) => (count > weeks / 2 ? [index + 1] : [])),
  });
}
