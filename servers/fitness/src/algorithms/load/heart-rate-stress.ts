import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';

export interface HeartRateSession {
  readonly duration_s: number;
  readonly average_hr: number;
  readonly lthr: number;
}

/**
 * Training stress from heart rate: hours × (average / threshold heart rate)² × 100. Refused if the average is below
 * 40 % or above 115 % of the threshold: the sensor or the threshold is wrong then.
 */
export function heartRateStressScore({ duration_s, average_hr, lthr }: HeartRateSession): Computed<number> {
  const ratio = average_hr / lthr;
  return computeWithin(
    [
      { name: 'Duration', value: duration_s, min: 1, max: 172_800, unit: 's' },
      limited('heart_rate', average_hr),
      limited('lthr', lthr),
      {
        name: 'Average heart rate as a share of the threshold',
        value: Math.round(ratio * 1000) / 10,
        min: 40,
        max: 115,
        unit: '%',
      },
    ],
    () => (duration_s / 3600) * ratio ** 2 * 100,
  );
}
