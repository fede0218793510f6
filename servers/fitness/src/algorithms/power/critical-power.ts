import { computeWithin, findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';
import { linearRegression } from '../statistics/linear-regression.ts';

export interface MaximalEffort {
  readonly duration_s: number;
  readonly power_w: number;
}

export interface CriticalPower {
  readonly critical_power_w: number;
  /** Work above critical power until exhaustion, in joules (W′). */
  readonly w_prime_j: number;
  readonly r_squared: number;
}

/**
 * Critical power (Monod and Scherrer 1965): maximal work is W′ + CP · t, a line through maximal efforts. The model
 * holds for efforts of 2 to 30 minutes; shorter efforts give a CP too high, longer ones a W′ too high.
 */
export function criticalPower(efforts: readonly MaximalEffort[]): Computed<CriticalPower> {
  const problem = findOutOfBounds(
    efforts.flatMap(({ duration_s, power_w }) => [
      { name: 'Duration of an effort', value: duration_s, min: 120, max: 1800, unit: 's' },
      limited('power', power_w),
    ]),
  );
  if (problem !== undefined) return refused(problem);
  const durations = efforts.map((effort) => effort.duration_s);
  if (new Set(durations).size < 2) {
    return refused('Critical power needs maximal efforts of at least two different durations.');
  }
  const fit = linearRegression(
    durations,
    efforts.map(({ duration_s, power_w }) => duration_s * power_w),
  );
  if (!fit.ok) return fit;
  const { slope, intercept, r_squared } = fit.value;
  if (slope <= 0 || intercept <= 0) {
    return refused(
      'These efforts do not fit the critical power model: power must fall with duration, and work must rise. Use maximal efforts.',
    );
  }
  return computed({ critical_power_w: slope, w_prime_j: intercept, r_squared });
}

/** The power that the model predicts for a duration of 2 to 30 minutes. */
export function powerForDuration(
  { critical_power_w, w_prime_j }: Pick<CriticalPower, 'critical_power_w' | 'w_prime_j'>,
  duration_s: number,
): Computed<number> {
  return computeWithin(
    [{ name: 'Duration', value: duration_s, min: 120, max: 1800, unit: 's' }],
    () => critical_power_w + w_prime_j / duration_s,
  );
}
