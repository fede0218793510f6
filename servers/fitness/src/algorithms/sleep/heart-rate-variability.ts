import { computeWithin, findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { meanOf } from '../statistics/spread.ts';

export type HrvStatus = 'recovered' | 'normal' | 'fatigued' | 'suppressed';

export interface HrvComparison {
  /** Change against the baseline in percent. */
  readonly change_percent: number;
  readonly status: HrvStatus;
  /** 0 to 100, for the recovery score. */
  readonly score: number;
}

const RMSSD = { min: 5, max: 250, unit: 'ms' } as const;
const SCORES: Record<HrvStatus, number> = { recovered: 100, normal: 70, fatigued: 40, suppressed: 20 };

/** RMSSD against its baseline: above +5 % recovered, to −5 % normal, to −15 % fatigued, below suppressed. */
export function compareHrv(rmssd_ms: number, baseline_ms: number): Computed<HrvComparison> {
  return computeWithin(
    [
      { name: 'HRV (RMSSD)', value: rmssd_ms, ...RMSSD },
      { name: 'HRV baseline', value: baseline_ms, ...RMSSD },
    ],
    () => {
      const change_percent = (100 * (rmssd_ms - baseline_ms)) / baseline_ms;
      const status = statusOf(change_percent);
      return { change_percent, status, score: SCORES[status] };
    },
  );
}

/** The mean of nights; at least three, because single nights differ by 10 % and more. */
export function hrvBaseline(nights_ms: readonly number[]): Computed<number> {
  if (nights_ms.length < 3) {
    return refused(`An HRV baseline needs at least three nights; there are ${nights_ms.length}.`);
  }
  const problem = findOutOfBounds(nights_ms.map((value) => ({ name: 'HRV (RMSSD)', value, ...RMSSD })));
  return problem === undefined ? computed(meanOf(nights_ms) ?? 0) : refused(problem);
}

function statusOf(change: number): HrvStatus {
  if (change > 5) return 'recovered';
  if (change >= -5) return 'normal';
  return change >= -15 ? 'fatigued' : 'suppressed';
}
