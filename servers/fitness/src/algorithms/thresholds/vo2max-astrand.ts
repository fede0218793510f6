import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';
import { interpolate } from '../statistics/interpolate.ts';
import type { Knots } from '../statistics/interpolate.ts';
import { plausibleVo2max } from './plausible-vo2max.ts';

export interface AstrandTest {
  readonly sex: 'male' | 'female';
  readonly age: number;
  readonly weight_kg: number;
  /** Load of the bicycle ergometer, held for six minutes. */
  readonly power_w: number;
  /** Steady heart rate at the end. */
  readonly heart_rate: number;
}

/** Oxygen uptake in l/min at loads of a bicycle ergometer (Åstrand and Rodahl). */
const UPTAKE: Knots = [
  [50, 0.9],
  [100, 1.5],
  [150, 2.1],
  [200, 2.8],
  [250, 3.5],
  [300, 4.2],
];

/** Correction for the fall of maximum heart rate with age (I. Åstrand 1960). */
const AGE_FACTORS: Knots = [
  [15, 1.1],
  [25, 1],
  [35, 0.87],
  [40, 0.83],
  [45, 0.78],
  [50, 0.75],
  [55, 0.71],
  [60, 0.68],
  [65, 0.65],
];

/** The lines of the nomogram: heart rate at maximal uptake, and at none. */
const HEART_RATES = { male: [195, 61], female: [198, 72] } as const;

/**
 * VO2max in ml/kg/min from a submaximal bicycle test (Åstrand and Ryhming 1954). The nomogram has heart rates of 120
 * to 170 bpm: below, heart rate also depends on nerves and digestion, above, it is no longer linear.
 */
export function astrandVo2max(test: AstrandTest): Computed<number> {
  const [atMaximum, atNone] = HEART_RATES[test.sex];
  return plausibleVo2max(
    computeWithin(
      [
        { name: 'Age', value: test.age, min: 15, max: 65, unit: 'years' },
        limited('weight_kg', test.weight_kg),
        { name: 'Load', value: test.power_w, min: 50, max: 300, unit: 'W' },
        { ...limited('heart_rate', test.heart_rate), min: 120, max: 170 },
      ],
      () => {
        const litres =
          (interpolate(UPTAKE, test.power_w) * (atMaximum - atNone)) / (test.heart_rate - atNone);
        return (litres * 1000 * interpolate(AGE_FACTORS, test.age)) / test.weight_kg;
      },
    ),
  );
}
