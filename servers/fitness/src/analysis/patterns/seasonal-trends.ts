import { seasonalTrend } from '../../algorithms/patterns/seasonal-trend.ts';
import { localDayOf } from '../../activities/local-time.ts';
import { readPeriod } from '../../activities/read-period.ts';
import type { Activity } from '../../providers/provider.ts';
import { toDate } from '../../calendar/days.ts';
import { firstDayOf, monthOf, MONTH_NAMES } from '../../calendar/months.ts';
import type { Month } from '../../calendar/months.ts';
import type { Timeframe } from '../../calendar/timeframes.ts';
import { getValue } from '../../tools/results/computed.ts';
import { rounded } from '../../tools/results/rounded.ts';
import { LONGER } from './pattern.ts';
import type { PatternRequest, PatternResult } from './pattern.ts';

/** Whole calendar months before the current one. */
const MONTHS: Readonly<Record<Timeframe, number>> = { week: 0, month: 1, quarter: 3, sixmonths: 6, year: 12 };
const DEFAULT_MONTHS = 24;
const LONGEST_MONTH_DAYS = 31;
const SEASONAL_AMPLITUDE = 0.2;

/** Dependence of the hours of training on the month of the year. */
export async function detectSeasons({ source, now, timeframe }: PatternRequest): Promise<PatternResult> {
  const count = timeframe === undefined ? DEFAULT_MONTHS : MONTHS[timeframe];
  const period = await readPeriod({ source, now, days: LONGEST_MONTH_DAYS * (count + 1) });
  const months = listWholeMonths(period.activities, monthOf(period.to), count);
  const volumes = months.map(({ month, hours }) => ({ month: (month % 12) + 1, volume: hours }));
  const trend = getValue(seasonalTrend(volumes), LONGER);
  const detected = trend.amplitude >= SEASONAL_AMPLITUDE;
  const nameOf = (month: number): string => MONTH_NAMES[month - 1] ?? '';
  const [first, last] = [months[0]?.month ?? 0, months.at(-1)?.month ?? 0];
  return {
    data: {
      from: toDate(firstDayOf(first)),
      to: toDate(firstDayOf(last + 1) - 1),
      peak_month: nameOf(trend.peak_month),
      lowest_month: nameOf(trend.lowest_month),
      findings: [
        {
          pattern: 'season',
          detected,
          finding: detected ? 'Training depends on the season' : 'Training hardly depends on the season',
          reason: `From ${nameOf(trend.lowest_month)} to ${nameOf(trend.peak_month)}, hours differ by ${Math.round(100 * trend.amplitude)} % of their mean (a season from ${100 * SEASONAL_AMPLITUDE} %).`,
        },
      ],
      months: trend.months.map(({ month, share }) => ({
        month: nameOf(month),
        percent_of_mean: rounded(100 * share),
      })),
    },
    notes: [],
  };
}

/** Hours of the last whole months, at most those since the first whole month with an activity. */
function listWholeMonths(
  activities: readonly Activity[],
  current: Month,
  count: number,
): readonly { readonly month: Month; readonly hours: number }[] {
  const [oldest] = activities;
  if (oldest === undefined) return [];
  const oldestDay = localDayOf(oldest);
  const isWhole = oldestDay === firstDayOf(monthOf(oldestDay));
  const first = Math.max(current - count, monthOf(oldestDay) + (isWhole ? 0 : 1));
  return Array.from({ length: Math.max(0, current - first) }, (_, index) => {
    const month = first + index;
    const done = activities.filter((activity) => monthOf(localDayOf(activity)) === month);
    return { month, hours: done.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0) / 3600 };
  });
}
