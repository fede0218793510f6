import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';

/** Intensity factor (Coggan): normalized power as a share of functional threshold power. */
export function intensityFactor(normalized_power_w: number, ftp_w: number): Computed<number> {
  return computeWithin(
    [limited('power', normalized_power_w), limited('ftp', ftp_w)],
    () => normalized_power_w / ftp_w,
  );
}

/** Variability index (Coggan): normalized power as a share of average power; 1 for a steady effort. */
export function variabilityIndex(normalized_power_w: number, average_power_w: number): Computed<number> {
  return computeWithin(
    [
      limited('power', normalized_power_w),
      { ...limited('power', average_power_w), name: 'Average power', min: 1 },
    ],
    () => normalized_power_w / average_power_w,
  );
}
