import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { findHeartRateProblem } from '../physiological-limits.ts';
import type { Zone } from './zone.ts';

const SHARES = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/** Heart rate at a share of heart rate reserve: resting + share · (maximum − resting) (Karvonen 1957). */
export function reserveHeartRate(resting_hr: number, max_hr: number, share: number): Computed<number> {
  const problem = findHeartRateProblem({ resting_hr, max_hr });
  if (problem !== undefined) return refused(problem);
  if (!(share >= 0 && share <= 1))
    return refused(`Share of heart rate reserve is ${share}: expected 0 to 1.`);
  return computed(resting_hr + share * (max_hr - resting_hr));
}

/** Five zones at 50, 60, 70, 80 and 90 % of heart rate reserve, in bpm; not rounded. */
export function heartRateZones(resting_hr: number, max_hr: number): Computed<readonly Zone[]> {
  const problem = findHeartRateProblem({ resting_hr, max_hr });
  if (problem !== undefined) return refused(problem);
  const at = (index: number): number => resting_hr + (SHARES[index] ?? 1) * (max_hr - resting_hr);
  return computed(([1, 2, 3, 4, 5] as const).map((zone) => ({ zone, min: at(zone - 1), max: at(zone) })));
}
