import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { plausibleVo2max } from './plausible-vo2max.ts';

/** VO2max in ml/kg/min from the time on a treadmill by Bruce's protocol: men Foster 1984, women Pollock 1982. */
export function bruceVo2max(sex: 'male' | 'female', time_s: number): Computed<number> {
  const t = time_s / 60;
  return plausibleVo2max(
    computeWithin(
      // Below, the cubic for men turns; 21 minutes are seven stages.
      [{ name: 'Time on the treadmill', value: t, min: 3, max: 21, unit: 'min' }],
      () => (sex === 'male' ? 14.8 - 1.379 * t + 0.451 * t ** 2 - 0.012 * t ** 3 : 4.38 * t - 3.9),
    ),
  );
}
