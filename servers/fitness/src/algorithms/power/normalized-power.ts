import { findOutOfBounds, firstOutOf } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { PHYSIOLOGICAL_LIMITS } from '../physiological-limits.ts';
import { movingAverage } from '../statistics/moving-average.ts';
import { meanOf } from '../statistics/spread.ts';

const WINDOW_S = 30;

/**
 * Normalized power (Coggan): the fourth root of the mean of the fourth powers of the 30-second rolling means. `watts`
 * has one sample a second; zeros of coasting belong to it, pauses do not (`secondsOf` leaves them out).
 */
export function normalizedPower(watts: readonly number[]): Computed<number> {
  if (watts.length < WINDOW_S) {
    return refused(`Normalized power needs at least 30 seconds of power data; there are ${watts.length}.`);
  }
  const problem = findOutOfBounds(firstOutOf(PHYSIOLOGICAL_LIMITS.power, watts));
  if (problem !== undefined) return refused(problem);
  const fourthPowers = movingAverage(watts, WINDOW_S).map((value) => Math.max(0, value) ** 4);
  return computed((meanOf(fourthPowers) ?? 0) ** 0.25);
}
