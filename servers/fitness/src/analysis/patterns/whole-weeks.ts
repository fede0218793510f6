import { localDayOf } from '../../activities/local-time.ts';
import { readPeriod, selectDays } from '../../activities/read-period.ts';
import type { Period, PeriodRequest } from '../../activities/read-period.ts';
import { listBlocks } from '../../calendar/blocks.ts';
import { toDate, weekdayOf } from '../../calendar/days.ts';

/** A week from Monday to Sunday. */
export interface WeekRow {
  /** The Monday. */
  readonly week: string;
  /** Days with training. */
  readonly days: number;
  readonly activities: number;
  /** Not rounded. */
  readonly hours: number;
}

/** The last whole weeks, as many as are in so many days. */
export async function readWholeWeeks(request: PeriodRequest): Promise<Period> {
  const length = 7 * Math.floor(request.days / 7);
  const { activities, to: today } = await readPeriod({ ...request, days: length + 7 });
  const sunday = today - ((weekdayOf(today) + 1) % 7);
  return selectDays(activities, sunday - length + 1, sunday);
}

/** Whether there was training, for each day. */
export function listTrainedDays({ from, to, activities }: Period): readonly boolean[] {
  const trained = new Set(activities.map((activity) => localDayOf(activity)));
  return Array.from({ length: to - from + 1 }, (_, index) => trained.has(from + index));
}

export function toWeekRows(period: Period): readonly WeekRow[] {
  return listBlocks(period, 7).map(({ from, to }) => {
    const week = selectDays(period.activities, from, to);
    const seconds = week.activities.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0);
    return {
      week: toDate(from),
      days: listTrainedDays(week).filter(Boolean).length,
      activities: week.activities.length,
      hours: seconds / 3600,
    };
  });
}
