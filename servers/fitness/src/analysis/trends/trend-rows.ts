import { meanOf } from '../../algorithms/statistics/spread.ts';
import { downsample } from '../../algorithms/streams/downsample.ts';
import { toDate } from '../../calendar/days.ts';
import { getValue } from '../../tools/results/computed.ts';
import { rounded } from '../../tools/results/rounded.ts';
import type { Trend } from './trend.ts';
import type { TrendMetricParts } from './trend-metrics.ts';
import type { TrendValue } from './trend-values.ts';

/** Number, mean and range of values, in members of a result. */
export function summarizeValues(values: readonly TrendValue[]): object {
  const numbers = values.map(({ value }) => value);
  const orNull = (value: number | undefined): number | null => (value === undefined ? null : rounded(value));
  return {
    values: values.length,
    mean: orNull(meanOf(numbers)),
    lowest: numbers.length === 0 ? null : rounded(Math.min(...numbers)),
    highest: numbers.length === 0 ? null : rounded(Math.max(...numbers)),
  };
}

/** A trend in members of a result. The assessment is null where neither direction is better. */
export function summarizeTrend(trend: Trend | null, { better }: TrendMetricParts): object {
  if (trend === null) return { direction: null };
  const { direction, change_per_week, change_percent, r_squared, reason } = trend;
  const isBetter = (direction === 'rising') === (better === 'higher');
  const isMoving = direction === 'rising' || direction === 'falling';
  return {
    direction,
    assessment: better === null || !isMoving ? null : isBetter ? 'improving' : 'declining',
    change_per_week: rounded(change_per_week, 2),
    change_percent: rounded(change_percent),
    r_squared: rounded(r_squared, 2),
    reason,
  };
}

export function toSummaryRow({ day, days, value, activities }: TrendValue): object {
  return { date: toDate(day), days, activities: activities.length, value: rounded(value) };
}

/** Rows of at most `max_points` values, with the highest and the lowest. */
export function listValues(
  values: readonly TrendValue[],
  max_points: number,
  { kind }: TrendMetricParts,
): readonly object[] {
  const days = values.map(({ day }) => day);
  const streams = { value: values.map(({ value }) => value) };
  const { indexes } = getValue(downsample(days, streams, max_points));
  const kept = indexes.flatMap((index) => values[index] ?? []);
  if (kind === 'sum') return kept.map(toSummaryRow);
  return kept.map(({ day, value, activities }) => ({
    date: toDate(day),
    value: rounded(value),
    activity_id: activities[0]?.id ?? null,
    name: activities[0]?.name ?? null,
  }));
}
