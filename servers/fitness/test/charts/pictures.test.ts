import { afterAll, test } from 'vitest';
import { toLoadChart } from '../../src/analysis/load/load-chart.ts';
import { readTrainingLoad } from '../../src/analysis/load/training-load-history.ts';
import { athleteFigures } from '../../src/athlete/athlete-figures.ts';
import { drawTimeChart } from '../../src/charts/draw-time-chart.ts';
import { openDatabase } from '../../src/database/database.ts';
import { Source } from '../../src/providers/source.ts';
import { SyntheticProvider } from '../../src/providers/synthetic/synthetic-provider.ts';
import { getValue } from '../../src/tools/results/computed.ts';
import { NOW } from '../support/stack.ts';
import { expectGolden } from '../support/transcript.ts';

const database = openDatabase(':memory:');
afterAll(() => database.close());

test('the picture of the README is the chart of the demonstration athlete', async () => {
  const now = (): number => NOW;
  const source = new Source(new SyntheticProvider({ now }), { user: 'reader' });
  const caller = { id: 'reader', isAnonymous: true, standing: { role: 'anonymous' } } as const;
  const athlete = await athleteFigures({ database, caller, now }, source);
  const load = getValue(await readTrainingLoad({ source, now: NOW, days: 90, athlete }));
  const file = new URL('../../pictures/training-load.svg', import.meta.url);
  expectGolden(`${drawTimeChart(toLoadChart(load))}\n`, file);
});
