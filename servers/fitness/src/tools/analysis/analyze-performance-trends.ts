import * as z from 'zod';
import { listMainSports } from '../../activities/main-sports.ts';
import { SPORT_NOUNS } from '../../activities/sport-nouns.ts';
import { readPeriod } from '../../activities/read-period.ts';
import { trendOf } from '../../analysis/trends/trend.ts';
import { toTrendChart } from '../../analysis/trends/trend-chart.ts';
import { TREND_METRIC_PARTS, TREND_METRICS } from '../../analysis/trends/trend-metrics.ts';
import {
  listValues,
  summarizeTrend,
  summarizeValues,
  toSummaryRow,
} from '../../analysis/trends/trend-rows.ts';
import { listTrendValues, summarizeBlocks } from '../../analysis/trends/trend-values.ts';
import { toDate } from '../../calendar/days.ts';
import { TIMEFRAME_DAYS, TIMEFRAMES } from '../../calendar/timeframes.ts';
import type { Timeframe } from '../../calendar/timeframes.ts';
import { createChart } from '../../charts/create-chart.ts';
import type { Activity } from '../../providers/provider.ts';
import { mode, sportType } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { toNullable } from '../results/computed.ts';
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
    const hasMetric = (activity: Activity): boolean => metric.valueOf(activity) !== null;
    const [main = null] = metric.kind === 'each' ? listMainSports(whole.activities, hasMetric) : [];
    const sport = input.sport_type ?? main;
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
        rows:
          wanted === 'summary'
            ? summarizeBlocks(period, metric, ROW_DAYS[timeframe]).map(toSummaryRow)
            : listValues(values, max_points, metric),
      },
      notes,
      charts: [await createChart(toTrendChart({ title, metric, unit, period, values, blockDays, trend }))],
    };
  },
});
