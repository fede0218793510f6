import { injuryRisk } from '../../algorithms/patterns/injury-risk.ts';
import { toDate } from '../../calendar/days.ts';
import { TIMEFRAME_DAYS } from '../../calendar/timeframes.ts';
import { getValue } from '../../tools/results/computed.ts';
import { rounded } from '../../tools/results/rounded.ts';
import { toLoadRows } from '../load/load-rows.ts';
import { daysSinceFirstLoad, readTrainingLoad } from '../load/training-load-history.ts';
import type { PatternRequest, PatternResult } from './pattern.ts';

/** Signs of a raised risk of injury in the load up to today. */
export async function detectInjuryRisk(request: PatternRequest): Promise<PatternResult> {
  const { source, now, timeframe = 'quarter', athlete } = request;
  const load = getValue(await readTrainingLoad({ source, now, days: TIMEFRAME_DAYS[timeframe], athlete }));
  const known = daysSinceFirstLoad(load);
  const found = getValue(injuryRisk(known.map((day) => day.load)), 'Record some weeks of training first.');
  const { risk, workload_ratio, ramp_rate, monotony, signs } = found;
  return {
    data: {
      from: toDate(load.period.from),
      to: toDate(load.period.to),
      risk,
      workload_ratio: rounded(workload_ratio, 2),
      ramp_rate: rounded(ramp_rate),
      monotony: monotony === null ? null : rounded(monotony, 2),
      findings:
        signs.length === 0
          ? [
              {
                pattern: 'load_spike',
                detected: false,
                finding: 'No sign of a raised risk',
                reason: `Load of 7 days is ${workload_ratio.toFixed(2)} times that of 28 days (raised above 1.3), and fitness changed by ${ramp_rate.toFixed(1).replace('-', '−')} in a week (raised above 8).`,
              },
            ]
          : signs.map((reason) => ({
              pattern: 'load_spike',
              detected: true,
              finding: `Risk is ${risk}`,
              reason,
            })),
      weeks: toLoadRows(load, 7),
      figures: athlete.list('ftp', 'lthr'),
    },
    notes: load.notes,
  };
}
