import { findOutOfBounds } from './bounds.ts';
import type { Bounds, Quantity } from './bounds.ts';

/** Values outside these limits are errors of measurement or of typing, not of fitness. */
export const PHYSIOLOGICAL_LIMITS = {
  max_hr: { name: 'Maximum heart rate', min: 100, max: 220, unit: 'bpm' },
  resting_hr: { name: 'Resting heart rate', min: 30, max: 100, unit: 'bpm' },
  lthr: { name: 'Lactate threshold heart rate', min: 100, max: 200, unit: 'bpm' },
  heart_rate: { name: 'Heart rate', min: 30, max: 230, unit: 'bpm' },
  vo2_max: { name: 'VO2max', min: 20, max: 90, unit: 'ml/kg/min' },
  ftp: { name: 'Functional threshold power', min: 50, max: 600, unit: 'W' },
  power: { name: 'Power', min: 0, max: 3000, unit: 'W' },
  weight_kg: { name: 'Weight', min: 25, max: 300, unit: 'kg' },
  height_cm: { name: 'Height', min: 100, max: 250, unit: 'cm' },
} as const satisfies Record<string, Bounds>;

export type PhysiologicalQuantity = keyof typeof PHYSIOLOGICAL_LIMITS;

export function limited(quantity: PhysiologicalQuantity, value: number): Quantity {
  return { ...PHYSIOLOGICAL_LIMITS[quantity], value };
}

/** Heart rates of one athlete; absent fields are not checked. */
export interface HeartRateAnchors {
  readonly resting_hr?: number | undefined;
  readonly lthr?: number | undefined;
  readonly max_hr?: number | undefined;
}

/** Returns a sentence if a heart rate is out of its limits, or if resting < threshold < maximum does not hold. */
export function findHeartRateProblem(anchors: HeartRateAnchors): string | undefined {
  const given = (['resting_hr', 'lthr', 'max_hr'] as const).flatMap((key) => {
    const value = anchors[key];
    return value === undefined ? [] : [limited(key, value)];
  });
  const outside = findOutOfBounds(given);
  if (outside !== undefined) return outside;
  for (const [index, upper] of given.entries()) {
    const lower = given[index - 1];
    if (lower !== undefined && lower.value >= upper.value) {
      return `${lower.name} (${lower.value} bpm) must be below ${upper.name.toLowerCase()} (${upper.value} bpm).`;
    }
  }
  return undefined;
}
