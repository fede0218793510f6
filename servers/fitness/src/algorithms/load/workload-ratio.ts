import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { meanOf } from '../statistics/spread.ts';

export interface WorkloadRatio {
  /** Mean daily load of the last 7 days. */
  readonly acute: number;
  /** Mean daily load of the last 28 days, the last 7 included. */
  readonly chronic: number;
  readonly ratio: number;
  readonly range: 'low' | 'optimal' | 'raised' | 'high';
}

/**
 * Acute:chronic workload ratio (Gabbett 2016): 0.8 to 1.3 is the range of least injuries, above 1.5 the risk is high.
 * `dailyLoads` ends with today and has every day, also days of rest.
 */
export function workloadRatio(dailyLoads: readonly number[]): Computed<WorkloadRatio> {
  if (dailyLoads.length < 28) {
    return refused(`The workload ratio needs 28 days of load; there are ${dailyLoads.length}.`);
  }
  const month = dailyLoads.slice(-28);
  const problem = findOutOfBounds(
    month.map((value) => ({ name: 'Load of a day', value, min: 0, max: 5000, unit: '' })),
  );
  if (problem !== undefined) return refused(problem);
  const acute = meanOf(month.slice(-7)) ?? 0;
  const chronic = meanOf(month) ?? 0;
  if (chronic === 0) return refused('The workload ratio needs training in the last 28 days.');
  const ratio = acute / chronic;
  return computed({ acute, chronic, ratio, range: rangeOf(ratio) });
}

function rangeOf(ratio: number): WorkloadRatio['range'] {
  if (ratio < 0.8) return 'low';
  if (ratio <= 1.3) return 'optimal';
  return ratio <= 1.5 ? 'raised' : 'high';
}
