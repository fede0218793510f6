import type { ToolContext } from 'toolwright';
import * as z from 'zod';
import { adjustForSleep, fitnessScore } from '../../algorithms/load/fitness-score.ts';
import { listFitnessParts } from '../../analysis/fitness/fitness-parts.ts';
import type { FitnessPart } from '../../analysis/fitness/fitness-parts.ts';
import { readTrainingLoad } from '../../analysis/load/training-load-history.ts';
import { readSleepContext } from '../../analysis/sleep-context.ts';
import { athleteFigures } from '../../athlete/athlete-figures.ts';
import { toDate } from '../../calendar/days.ts';
import type { Day } from '../../calendar/days.ts';
import { TIMEFRAME_DAYS } from '../../calendar/timeframes.ts';
import type { FitnessContext } from '../../context.ts';
import type { ProviderName } from '../../providers/providers.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { getValue } from '../results/computed.ts';
import { rounded, roundRow } from '../results/rounded.ts';

interface Adjusted {
  readonly score: number;
  readonly data: object;
  readonly notes: readonly string[];
}

export const calculateFitnessScore = defineProviderTool({
  name: 'calculate_fitness_score',
  title: 'Fitness score',
  description:
    'Scores fitness from 0 to 100: 25 % consistency, 35 % load, 25 % volume, 15 % balance of easy and hard. With sleep_provider, the mean sleep score of 7 days adjusts it: +5 % from 90, −5 % below 70, −10 % below 50.',
  synonyms: ['how fit am I', 'shape', 'form', 'fitness level'],
  hasRows: true,
  arguments: (provider) => ({
    timeframe: z.enum(['month', 'quarter', 'sixmonths']).default('quarter'),
    sleep_provider: provider('sleep').describe('Adjusts the score by sleep. Default: no adjustment'),
  }),
  read: async ({ input: { timeframe, sleep_provider }, source, context }) => {
    const athlete = await athleteFigures(context, source);
    const read = { source, now: context.now(), days: TIMEFRAME_DAYS[timeframe], athlete };
    const load = getValue(await readTrainingLoad(read));
    const notes = [...load.notes];
    const parts = listFitnessParts(load, athlete, notes);
    const unadjusted = getValue(fitnessScore(toScores(parts)));
    const { from, to } = load.period;
    const sleep =
      sleep_provider === undefined
        ? undefined
        : await adjust(context, sleep_provider, { unadjusted, today: to });
    return {
      data: {
        timeframe,
        from: toDate(from),
        to: toDate(to),
        fitness_score: rounded(sleep?.score ?? unadjusted),
        ...(sleep !== undefined && { unadjusted_score: rounded(unadjusted), ...sleep.data }),
        parts: parts.map((part) => roundRow(part)),
        figures: athlete.list('ftp', 'lthr'),
      },
      notes: [...notes, ...(sleep?.notes ?? []).filter((note) => !source.notes.includes(note))],
    };
  },
});

function toScores(parts: readonly FitnessPart[]): Parameters<typeof fitnessScore>[0] {
  const scores = new Map(parts.map(({ part, score }) => [part, score]));
  const of = (part: FitnessPart['part']): number | null => scores.get(part) ?? null;
  return { consistency: of('consistency'), load: of('load'), volume: of('volume'), balance: of('balance') };
}

/** The score after the sleep of seven days; without a night in them, the same. */
async function adjust(
  context: ToolContext<FitnessContext>,
  name: ProviderName,
  { unadjusted, today }: { readonly unadjusted: number; readonly today: Day },
): Promise<Adjusted> {
  const { sleep, notes } = await readSleepContext(context, name, today);
  const { sleep_provider, nights, mean_sleep_score } = sleep;
  const score = mean_sleep_score === null ? unadjusted : adjustForSleep(unadjusted, mean_sleep_score);
  const missing = mean_sleep_score === null ? ['sleep: There is no night of the last seven days.'] : [];
  return {
    score,
    data: {
      sleep: roundRow({ sleep_provider, nights, mean_sleep_score }),
      adjustment_percent: unadjusted === 0 ? 0 : rounded((100 * (score - unadjusted)) / unadjusted),
    },
    notes: [...notes.filter((note) => !note.startsWith('hrv')), ...missing],
  };
}
