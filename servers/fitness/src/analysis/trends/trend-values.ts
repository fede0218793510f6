import { localDayOf } from '../../activities/local-time.ts';
import { selectDays } from '../../activities/read-period.ts';
import type { Period } from '../../activities/read-period.ts';
import { meanOf } from '../../algorithms/statistics/spread.ts';
import { listBlocks } from '../../calendar/blocks.ts';
import type { Days } from '../../calendar/blocks.ts';
import type { Activity } from '../../providers/provider.ts';
import type { TrendPoint } from './trend.ts';
import type { TrendMetricParts } from './trend-metrics.ts';

/** The value of an activity, or of the activities of some days. */
export interface TrendValue extends TrendPoint {
  /** Number of days from `day` on. */
  readonly days: number;
  readonly activities: readonly Activity[];
}

/** The values that a trend is computed from: one for each activity, or the sums of whole blocks of days. */
export function listTrendValues(
  period: Period,
  metric: TrendMetricParts,
  blockDays: number,
): readonly TrendValue[] {
  if (metric.kind === 'each') {
    return period.activities.flatMap((activity) => {
      const value = metric.valueOf(activity);
      return value === null ? [] : [{ day: localDayOf(activity), days: 1, value, activities: [activity] }];
    });
  }
  return summarizeBlocks(period, metric, blockDays).filter(({ days }) => days === blockDays);
}

/** The mean or the sum of each block of days. Means of blocks without values are left out. */
export function summarizeBlocks(
  period: Period,
  metric: TrendMetricParts,
  blockDays: number,
): readonly TrendValue[] {
  return listBlocks(period, blockDays).flatMap((block: Days) => {
    const { activities } = selectDays(period.activities, block.from, block.to);
    const values = activities.flatMap((activity) => metric.valueOf(activity) ?? []);
    const value = metric.kind === 'sum' ? values.reduce((sum, each) => sum + each, 0) : meanOf(values);
    return value === undefined
      ? []
      : [{ day: block.from, days: block.to - block.from + 1, value, activities }];
  });
}
