import * as z from 'zod';
import { stagesScore } from '../../algorithms/sleep/stages-score.ts';
import type { SleepNight } from '../../providers/provider.ts';
import { hrvState } from '../../sleep/hrv-state.ts';
import { findNightFindings } from '../../sleep/night-findings.ts';
import { readNights } from '../../sleep/read-nights.ts';
import { scoreNight, stagesOf } from '../../sleep/score-night.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { getValue } from '../results/computed.ts';
import { roundRow } from '../results/rounded.ts';
import { findNightIssues, findSourceIssues, hrvArguments, sleepData } from './sleep-arguments.ts';

export const analyzeSleepQuality = defineFitnessTool({
  name: 'analyze_sleep_quality',
  title: 'Sleep quality',
  description:
    'Scores the last night from 0 to 100 by duration (40 %), stages (35 %) and efficiency (25 %), and compares HRV with its baseline.',
  synonyms: ['how did I sleep', 'restful', 'deep sleep', 'REM', 'insomnia'],
  effect: 'reads',
  isOpenWorld: true,
  arguments: (provider) => ({
    sleep_provider: provider('sleep'),
    sleep_data: sleepData,
    ...hrvArguments,
    days_back: z.int().min(1).max(90).default(14).describe('Days to read; the HRV baseline is their mean'),
  }),
  findIssues: ({ sleep_provider, sleep_data }) => [
    ...findSourceIssues({ name: 'sleep_data', isGiven: sleep_data !== undefined }, sleep_provider),
    ...(sleep_data === undefined ? [] : findNightIssues(sleep_data, ['sleep_data'])),
  ],
  run: async ({ input, context }) => {
    const { sleep_provider, sleep_data, recent_hrv_values, baseline_hrv, days_back } = input;
    const { provider, nights, newest, notes } = await readNights(context, {
      given: sleep_data && [sleep_data],
      name: sleep_provider,
      days: days_back,
    });
    const hrvNotes: string[] = [];
    const hrv = hrvState({ nights, recent: recent_hrv_values, baseline: baseline_hrv }, hrvNotes);
    const { category, ...scores } = getValue(scoreNight(newest));
    return {
      data: {
        sleep_provider: provider,
        night: newest,
        category,
        ...roundRow(scores),
        stages: toShares(newest),
        hrv,
        findings: findNightFindings(newest),
      },
      notes: [...notes, ...hrvNotes],
    };
  },
});

/** The stages in percent of sleep. */
function toShares(night: SleepNight): object | null {
  const stages = stagesOf(night);
  if (stages === null) return null;
  const { score: _score, ...shares } = getValue(stagesScore(stages));
  return roundRow(shares);
}
