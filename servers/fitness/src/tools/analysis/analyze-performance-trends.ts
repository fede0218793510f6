import * as z from 'zod';
import { SPORT_NOUNS } from '../../activities/sport-nouns.ts';
import { readPeriod } from '../../activities/read-period.ts';
import { meanOf } from '../../algorithms/statistics/spread.ts';
import { downsample } from '../../algorithms/streams/downsample.ts';
import { trendOf } from '../../analysis/trends/trend.ts';
import type { Trend } from '../../analysis/trends/trend.ts';
import { toTrendChart } from '../../analysis/trends/trend-chart.ts';
import { TREND_METRIC_PARTS, TREND_METRICS } from '../../analysis/trends/trend-metrics.ts';
import type { TrendMetricParts } from '../../analysis/trends/trend-metrics.ts';
import { findMainSport, listTrendValues, summarizeBlocks } from '../../analysis/trends/trend-values.ts';
import type { TrendValue } from '../../analysis/trends/trend-values.ts';
import { toDate } from '../../calendar/days.ts';
import { TIMEFRAME_DAYS, TIMEFRAMES } from '../../calendar/timeframes.ts';
import type { Timeframe } from '../../calendar/timeframes.ts';
import { createChart } from '../../charts/create-chart.ts';
import { mode, sportType } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { getValue, toNullable } from '../results/computed.ts';
import { rounded } from '../results/rounded.ts';
import { maxPoints } from '../results/shape-streams.ts';

/** Days of a row of a summary. */
const ROW_DAYS: Readonly<Record<Timeframe, number>> = {
  week: 1,
  month: 7,
  quarter: 7,
  sixmonths: 28,
  year: 28,
};

export const analyzePerformanceTrends = defineProviderTool({
  name: 'analyze_performance_trends',
  title: 'Performance trends',
  description:
    'Finds the trend of pace, heart rate or power of activities, or of distance or duration a week, with a chart.',
  synonyms: ['am I getting faster', 'progress over time', 'improvement', 'weekly mileage'],
  hasRows: true,
  arguments: {
    timeframe: z.enum(TIMEFRAMES),
    metric: z.enum(TREND_METRICS),
    sport_type: sportType
      .optional()
      .describe('Default: the most frequent one with the metric; for distance and duration all'),
    mode: mode.describe('summary: rows of days or weeks; detailed: all values'),
    max_points: maxPoints,
  },
  read: async ({ input, source, context }) => {
    const { timeframe, metric: name, mode: wanted, max_points } = input;
    const metric = TREND_METRIC_PARTS[name];
    const read = {
      source,
      now: context.now(),
      days: TIMEFRAME_DAYS[timeframe],
      sport_type: input.sport_type,
    };
    const whole = await readPeriod(read);
    const sport =
      input.sport_type ?? (metric.kind === 'each' ? (findMainSport(whole.activities, metric) ?? null) : null);
    const period = {
      ...whole,
      activities: whole.activities.filter(({ sport_type }) => sport_type === (sport ?? sport_type)),
    };
    const blockDays = timeframe === 'week' ? 1 : 7;
    const values = listTrendValues(period, metric, blockDays);
    const notes: string[] = [];
    const trend = toNullable('trend', trendOf(values), notes);
    const unit = metric.unit(sport);
    const title = `${metric.name} of ${sport === null ? 'all activities' : SPORT_NOUNS[sport]}`;
    if (values.length === 0)
      notes.push(`None of ${period.activities.length} activities in this time has the metric ${name}.`);
    return {
      data: {
        timeframe,
        from: toDate(period.from),
        to: toDate(period.to),
        metric: name,
        sport_type: sport ?? 'all',
        unit,
        ...summarizeValues(values),
        ...summarizeTrend(trend, metric),
        ...(wanted === 'summary'
          ? { rows: summarizeBlocks(period, metric, ROW_DAYS[timeframe]).map(toSummaryRow) }
          : listValues(values, max_points, metric)),
      },
      notes,
      charts: [await createChart(toTrendChart({ title, metric, unit, period, values, blockDays, trend }))],
    };
  },
});

function summarizeValues(values: readonly TrendValue[]): object {
  const numbers = values.map(({ value }) => value);
  const orNull = (value: number | undefined): number | null => (value === undefined ? null : rounded(value));
  return {
    values: values.length,
    mean: orNull(meanOf(numbers)),
    lowest: numbers.length === 0 ? null : rounded(Math.min(...numbers)),
    highest: numbers.length === 0 ? null : rounded(Math.max(...numbers)),
  };
}

/** The assessment is null where neither direction is better. */
function summarizeTrend(trend: Trend | null, { better }: TrendMetricParts): object {
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

function toSummaryRow({ day, days, value, activities }: TrendValue): object {
  return { date: toDate(day), days, activities: activities.length, value: rounded(value) };
}

/** At most `max_points` values, with the highest and the lowest. */
function listValues(values: readonly TrendValue[], max_points: number, { kind }: TrendMetricParts): object {
  const days = values.map(({ day }) => day);
  const streams = { value: values.map(({ value }) => value) };
  const { indexes } = getValue(downsample(days, streams, max_points));
  const kept = indexes.flatMap((index) => values[index] ?? []);
  if (kind === 'sum') return { rows: kept.map(toSummaryRow) };
  return {
    rows: kept.map(({ day, value, activities }) => ({
      date: toDate(day),
      value: rounded(value),
      activity_id: activities[0]?.id ?? null,
      name: activities[0]?.name ?? null,
    })),
  };
}
