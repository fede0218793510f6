import { afterAll, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { readPeriod } from '../../src/activities/read-period.ts';
import { toLoadChart } from '../../src/analysis/load/load-chart.ts';
import { readTrainingLoad } from '../../src/analysis/load/training-load-history.ts';
import { toTrendChart } from '../../src/analysis/trends/trend-chart.ts';
import { TREND_METRIC_PARTS } from '../../src/analysis/trends/trend-metrics.ts';
import { listTrendValues } from '../../src/analysis/trends/trend-values.ts';
import { trendOf } from '../../src/analysis/trends/trend.ts';
import { athleteFigures } from '../../src/athlete/athlete-figures.ts';
import { findDay } from '../../src/calendar/days.ts';
import { drawTimeChart } from '../../src/charts/draw-time-chart.ts';
import type { TimeChart } from '../../src/charts/time-chart.ts';
import { openDatabase } from '../../src/database/database.ts';
import { Source } from '../../src/providers/source.ts';
import { SyntheticProvider } from '../../src/providers/synthetic/synthetic-provider.ts';
import { listNights } from '../../src/sleep/read-nights.ts';
import { scoreNight } from '../../src/sleep/score-night.ts';
import { toSleepChart } from '../../src/sleep/sleep-chart.ts';
import { getValue } from '../../src/tools/results/computed.ts';
import { NOW } from '../support/stack.ts';
import { expectGolden } from '../support/transcript.ts';

const FOLDER = new URL('../../pictures/', import.meta.url);
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const database = openDatabase(':memory:');
afterAll(() => database.close());
const now = (): number => NOW;
const source = new Source(new SyntheticProvider({ now }), { user: 'reader' });

const CHARTS: Readonly<Record<string, () => Promise<TimeChart>>> = {
  'training-load.svg': async () => {
    const caller = { id: 'reader', isAnonymous: true, standing: { role: 'anonymous' } } as const;
    const athlete = await athleteFigures({ database, caller, now }, source);
    return toLoadChart(getValue(await readTrainingLoad({ source, now: NOW, days: 90, athlete })));
  },
  'pace-trend.svg': async () => {
    const metric = TREND_METRIC_PARTS.pace;
    const period = await readPeriod({ source, now: NOW, days: 365, sport_type: 'run' });
    const values = listTrendValues(period, metric, 7);
    const shown = { title: 'Pace of runs', metric, unit: metric.unit('run'), period, values, blockDays: 7 };
    return toTrendChart({ ...shown, trend: getValue(trendOf(values)) });
  },
  'sleep-trend.svg': async () => {
    const nights = await listNights(source, { now: NOW, days: 28 });
    return toSleepChart(
      nights.map((night) => ({
        ...night,
        day: findDay(night.date) ?? 0,
        score: getValue(scoreNight(night)).score,
      })),
    );
  },
};

test.each(Object.keys(CHARTS))(
  'the picture %s of the README is the chart of the demonstration athlete',
  async (name) => {
    expect(README).toContain(`(pictures/${name})`);
    const chart = await CHARTS[name]?.();
    expectGolden(`${drawTimeChart(chart as TimeChart)}\n`, new URL(name, FOLDER));
  },
);
