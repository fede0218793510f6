import { computeWithin, findOutOfBounds, firstOutOf } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { limited, PHYSIOLOGICAL_LIMITS } from '../physiological-limits.ts';
import { meanOf } from '../statistics/spread.ts';

/** Usual shares of maximum heart rate at the lactate threshold. */
const SHARES = { untrained: 0.85, trained: 0.88, well_trained: 0.91 } as const;

/** Threshold heart rate as a share of the maximum; individuals differ by 5 to 10 bpm. */
export function lthrFromMax(max_hr: number, training: keyof typeof SHARES = 'trained'): Computed<number> {
  return computeWithin([limited('max_hr', max_hr)], () => SHARES[training] * max_hr);
}

/**
 * Threshold heart rate by Friel's test: the average of the last 20 minutes of a 30-minute time trial, alone and all
 * out. `heartRates` has one sample a second; samples after the 30th minute are not used.
 */
export function lthrFromTimeTrial(heartRates: readonly number[]): Computed<number> {
  if (heartRates.length < 1800) {
    return refused(
      `The test needs 30 minutes of heart rate; there are ${Math.floor(heartRates.length / 60)} min.`,
    );
  }
  const last = heartRates.slice(600, 1800);
  const problem = findOutOfBounds(firstOutOf(PHYSIOLOGICAL_LIMITS.heart_rate, last));
  if (problem !== undefined) return refused(problem);
  const average = meanOf(last) ?? 0;
  const implausible = findOutOfBounds([limited('lthr', average)]);
  return implausible === undefined ? computed(average) : refused(implausible);
}
