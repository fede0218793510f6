import * as z from 'zod';
import { toLoadChart } from '../../analysis/load/load-chart.ts';
import { toLoadRows } from '../../analysis/load/load-rows.ts';
import { summarizeLoad } from '../../analysis/load/load-summary.ts';
import { readTrainingLoad } from '../../analysis/load/training-load-history.ts';
import { readSleepContext, toRecovery } from '../../analysis/sleep-context.ts';
import { athleteFigures } from '../../athlete/athlete-figures.ts';
import { toDate } from '../../calendar/days.ts';
import { TIMEFRAME_DAYS } from '../../calendar/timeframes.ts';
import { createChart } from '../../charts/create-chart.ts';
import { mode } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { getValue } from '../results/computed.ts';
import { roundRow } from '../results/rounded.ts';

export const analyzeTrainingLoad = defineProviderTool({
  name: 'analyze_training_load',
  title: 'Training load',
  description:
    'Analyzes training load: fitness (CTL), fatigue (ATL) and form (TSB), ramp rate, acute:chronic ratio, monotony and signs of overtraining, with a chart.',
  synonyms: ['TSS', 'overtraining', 'am I tired', 'freshness', 'am I training too much'],
  hasRows: true,
  arguments: (provider) => ({
    timeframe: z.enum(['week', 'month', 'quarter']).default('month'),
    sleep_provider: provider('sleep').describe('Adds sleep, HRV and recovery. Default: none'),
    mode: mode.describe('summary: rows of weeks; detailed: rows of days'),
  }),
  read: async ({ input: { timeframe, sleep_provider, mode: wanted }, source, context }) => {
    const days = TIMEFRAME_DAYS[timeframe];
    const athlete = await athleteFigures(context, source);
    const load = getValue(await readTrainingLoad({ source, now: context.now(), days, athlete }));
    const notes = [...load.notes];
    const sleep =
      sleep_provider === undefined
        ? undefined
        : await readSleepContext(context, sleep_provider, load.period.to);
    const tsb = load.days.at(-1)?.tsb ?? 0;
    const isDetailed = wanted === 'detailed' || timeframe === 'week';
    return {
      data: {
        timeframe,
        from: toDate(load.period.from),
        to: toDate(load.period.to),
        ...summarizeLoad(load, notes),
        ...(sleep && { ...toRecovery(sleep.sleep, tsb, load.period.to), sleep: roundRow(sleep.sleep) }),
        [isDetailed ? 'days' : 'weeks']: toLoadRows(load, isDetailed ? 1 : 7),
        figures: athlete.list('ftp', 'lthr'),
      },
      notes: [...notes, ...(sleep?.notes ?? []).filter((note) => !source.notes.includes(note))],
      charts: [await createChart(toLoadChart(load))],
    };
  },
});
