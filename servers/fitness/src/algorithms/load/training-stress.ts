import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';

export interface PowerSession {
  readonly duration_s: number;
  readonly normalized_power_w: number;
  readonly ftp_w: number;
}

/** Training stress score (Coggan): hours × IF² × 100, with IF from normalized, not average, power. */
export function trainingStressScore(session: PowerSession): Computed<number> {
  const { duration_s, normalized_power_w, ftp_w } = session;
  return computeWithin(
    [
      { name: 'Duration', value: duration_s, min: 1, max: 172_800, unit: 's' },
      limited('power', normalized_power_w),
      limited('ftp', ftp_w),
    ],
    () => (duration_s / 3600) * (normalized_power_w / ftp_w) ** 2 * 100,
  );
}
