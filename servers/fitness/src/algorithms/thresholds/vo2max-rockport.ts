import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';
import { toPounds } from '../units/mass.ts';
import { plausibleVo2max } from './plausible-vo2max.ts';

export interface RockportWalk {
  readonly weight_kg: number;
  readonly age: number;
  readonly sex: 'male' | 'female';
  /** Time for one mile, walked as fast as possible. */
  readonly time_s: number;
  /** Heart rate at the end of the mile. */
  readonly heart_rate: number;
}

/** VO2max in ml/kg/min from a one-mile walk (Kline and others 1987, people of 30 to 69 years). */
export function rockportVo2max(walk: RockportWalk): Computed<number> {
  const minutes = walk.time_s / 60;
  return plausibleVo2max(
    computeWithin(
      [
        { name: 'Age', value: walk.age, min: 30, max: 69, unit: 'years' },
        limited('weight_kg', walk.weight_kg),
        // Faster is not walking.
        { name: 'Time for the mile', value: minutes, min: 9, max: 25, unit: 'min' },
        { ...limited('heart_rate', walk.heart_rate), min: 60, max: 220 },
      ],
      () =>
        132.853 -
        0.0769 * toPounds(walk.weight_kg) -
        0.3877 * walk.age +
        (walk.sex === 'male' ? 6.315 : 0) -
        3.2649 * minutes -
        0.1565 * walk.heart_rate,
    ),
  );
}
