import { computed } from '../../algorithms/computed.ts';
import type { Computed } from '../../algorithms/computed.ts';
import { refused } from '../../algorithms/computed.ts';
import { linearRegression } from '../../algorithms/statistics/linear-regression.ts';
import type { LinearFit } from '../../algorithms/statistics/linear-regression.ts';
import { meanOf } from '../../algorithms/statistics/spread.ts';
import type { Day } from '../../calendar/days.ts';

export interface TrendPoint {
  readonly day: Day;
  readonly value: number;
}

export type TrendDirection = 'rising' | 'falling' | 'stable' | 'unclear';

/** The line through values over days. */
export interface Trend extends LinearFit {
  readonly change_per_week: number;
  /** Change of the line over the whole time, in percent of the mean. */
  readonly change_percent: number;
  readonly direction: TrendDirection;
  readonly reason: string;
}

/** Smaller changes are those of the day. */
const STABLE_PERCENT = 2;

/** A line through at least four values. It is a trend only if its slope is twice its standard error. */
export function trendOf(points: readonly TrendPoint[]): Computed<Trend> {
  if (points.length < 4) return refused(`A trend needs at least four values; there are ${points.length}.`);
  const days = points.map(({ day }) => day);
  const fit = linearRegression(
    days,
    points.map(({ value }) => value),
  );
  if (!fit.ok) return fit;
  const { slope, r_squared } = fit.value;
  const mean = meanOf(points.map(({ value }) => value)) ?? 0;
  if (!(mean > 0)) return refused('A trend needs values above 0.');
  const span = Math.max(...days) - Math.min(...days);
  const change_percent = (100 * slope * span) / mean;
  const direction = directionOf(change_percent, isClear(r_squared, points.length));
  return computed({
    ...fit.value,
    change_per_week: 7 * slope,
    change_percent,
    direction,
    reason: explain(direction, change_percent, fit.value),
  });
}

/** The t statistic of the slope is above 2. */
function isClear(r_squared: number, count: number): boolean {
  return r_squared * (count - 2) > 4 * (1 - r_squared);
}

function directionOf(change: number, clear: boolean): TrendDirection {
  if (Math.abs(change) < STABLE_PERCENT) return 'stable';
  if (!clear) return 'unclear';
  return change > 0 ? 'rising' : 'falling';
}

function explain(direction: TrendDirection, change: number, { r_squared }: LinearFit): string {
  const line = `The line changes by ${change.toFixed(1).replace('-', '−')} % over the whole time`;
  if (direction === 'stable') return `${line}, which is less than ${STABLE_PERCENT} %.`;
  const explained = `explains ${Math.round(100 * r_squared)} % of the variation`;
  if (direction === 'unclear')
    return `${line}, but ${explained} only: the values scatter too much for a trend.`;
  return `${line} and ${explained}.`;
}
