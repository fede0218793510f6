import { findOutOfBounds, firstOutOf } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { PHYSIOLOGICAL_LIMITS } from '../physiological-limits.ts';

/** The best average over one duration, and the second at which it begins. */
export interface BestEffort {
  readonly duration_s: number;
  readonly power_w: number;
  readonly start_s: number;
}

/** Durations that are usual on a power curve. */
export const POWER_CURVE_DURATIONS_S = [
  1, 5, 15, 30, 60, 120, 300, 480, 600, 1200, 1800, 3600, 7200,
] as const;

/** Mean maximal power of each duration that the data covers; `watts` has one sample a second. */
export function powerCurve(
  watts: readonly number[],
  durations_s: readonly number[] = POWER_CURVE_DURATIONS_S,
): Computed<readonly BestEffort[]> {
  const odd = durations_s.find((duration) => !Number.isInteger(duration) || duration < 1);
  if (odd !== undefined) return refused(`Duration ${odd} s: use whole seconds from 1.`);
  const problem = findOutOfBounds(firstOutOf(PHYSIOLOGICAL_LIMITS.power, watts));
  if (problem !== undefined) return refused(problem);
  const sums = [0];
  for (const value of watts) sums.push((sums.at(-1) ?? 0) + value);
  return computed(
    durations_s.filter((duration) => duration <= watts.length).map((duration) => bestOf(sums, duration)),
  );
}

/** `sums[i]` is the sum of the first i samples. */
function bestOf(sums: readonly number[], duration_s: number): BestEffort {
  let best = -1;
  let start = 0;
  for (let end = duration_s; end < sums.length; end += 1) {
    const sum = (sums[end] ?? 0) - (sums[end - duration_s] ?? 0);
    if (sum > best) {
      best = sum;
      start = end - duration_s;
    }
  }
  return { duration_s, power_w: best / duration_s, start_s: start };
}
