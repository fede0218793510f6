import * as z from 'zod';
import { sleepTrend } from '../../algorithms/sleep/sleep-trend.ts';
import { meanOf } from '../../algorithms/statistics/spread.ts';
import { findDay } from '../../calendar/days.ts';
import { createChart } from '../../charts/create-chart.ts';
import type { SleepNight } from '../../providers/provider.ts';
import { readNights } from '../../sleep/read-nights.ts';
import { scoreNight } from '../../sleep/score-night.ts';
import { toSleepChart } from '../../sleep/sleep-chart.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { ArgumentIssue } from '../define-tool.ts';
import { getValue } from '../results/computed.ts';
import { roundRow, rounded } from '../results/rounded.ts';
import { findNightIssues, findSourceIssues, sleepHistory } from './sleep-arguments.ts';

export const trackSleepTrends = defineFitnessTool({
  name: 'track_sleep_trends',
  title: 'Sleep trend',
  description:
    'Returns the sleep score of each night and its trend over at least seven nights, with a chart. A change within 2 points a week is stable.',
  synonyms: ['over time', 'weeks', 'getting better or worse', 'sleep history'],
  effect: 'reads',
  isOpenWorld: true,
  hasRows: true,
  arguments: (provider) => ({
    sleep_provider: provider('sleep'),
    sleep_history: sleepHistory,
    days: z.int().min(7).max(90).default(14).describe('Of sleep_provider, up to today'),
  }),
  findIssues: ({ sleep_provider, sleep_history = [] }) => [
    ...findSourceIssues({ name: 'sleep_history', isGiven: sleep_history.length > 0 }, sleep_provider),
    ...sleep_history.flatMap((night, index) => findNightIssues(night, ['sleep_history', index])),
    ...findRepeatedDates(sleep_history),
  ],
  run: async ({ input: { sleep_provider, sleep_history, days }, context }) => {
    const { provider, nights, notes } = await readNights(context, {
      given: sleep_history,
      name: sleep_provider,
      days,
    });
    const rows = nights.map(toRow);
    const trend = getValue(
      sleepTrend(
        rows.map(({ score }) => score),
        rows.map(({ day }) => day),
      ),
    );
    return {
      data: {
        sleep_provider: provider,
        nights: rows.length,
        direction: trend.direction,
        average_score: rounded(trend.average),
        change_per_week: rounded(trend.change_per_week),
        r_squared: rounded(trend.r_squared, 2),
        average_hours: rounded(meanOf(rows.map(({ duration_hours }) => duration_hours)) ?? 0, 2),
        rows: rows.map(({ day: _day, ...row }) => roundRow(row, 2)),
      },
      notes,
      charts: [await createChart(toSleepChart(rows))],
    };
  },
});

function toRow(night: SleepNight) {
  const { date, duration_hours, efficiency_percent, hrv_rmssd_ms } = night;
  const { score, category } = getValue(scoreNight(night));
  return { day: findDay(date) ?? 0, date, score, category, duration_hours, efficiency_percent, hrv_rmssd_ms };
}

function findRepeatedDates(nights: readonly { readonly date: string }[]): readonly ArgumentIssue[] {
  const dates = nights.map(({ date }) => date);
  return dates.flatMap((date, index) =>
    dates.indexOf(date) === index
      ? []
      : [{ path: ['sleep_history', index, 'date'], message: `must be given once: ${date} is given before` }],
  );
}
