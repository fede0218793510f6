import type { Days } from '../../calendar/blocks.ts';
import type { Point, Series, TimeChart } from '../../charts/time-chart.ts';
import type { Trend } from './trend.ts';
import type { TrendMetricParts } from './trend-metrics.ts';
import type { TrendValue } from './trend-values.ts';

interface TrendPicture {
  readonly title: string;
  readonly metric: TrendMetricParts;
  readonly unit: string;
  readonly period: Days;
  readonly values: readonly TrendValue[];
  readonly blockDays: number;
  /** Null if there is none. */
  readonly trend: Trend | null;
}

/** Values with their trend. */
export function toTrendChart(picture: TrendPicture): TimeChart {
  const { title, unit, period, values, trend } = picture;
  const isPace = unit.startsWith('s/');
  const panel = {
    title: isPace ? `min${unit.slice(1)}` : unit,
    values: isPace ? 'pace' : 'number',
    series: [toValueSeries(picture), ...(trend === null ? [] : [toLine(trend, values)])],
  } as const;
  return { title, from: period.from, to: period.to, panels: [panel] };
}

function toValueSeries({ metric, values, blockDays }: TrendPicture): Series {
  const parts = { color: 'blue', points: values } as const;
  if (metric.kind === 'each') return { kind: 'dots', name: 'An activity', ...parts };
  return { kind: 'bars', name: blockDays === 1 ? 'A day' : `${blockDays} days`, days: blockDays, ...parts };
}

/** From the first to the last value, through the middle of their days. */
function toLine({ slope, intercept, direction }: Trend, values: readonly TrendValue[]): Series {
  const ends = [values[0], values.at(-1)].flatMap((end): readonly Point[] =>
    end === undefined ? [] : [{ day: end.day + (end.days - 1) / 2, value: intercept + slope * end.day }],
  );
  const isClear = direction === 'rising' || direction === 'falling';
  return { kind: 'line', name: `Trend (${direction})`, color: 'orange', isDashed: !isClear, points: ends };
}
