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

const ORDER = ['resting_hr', 'lthr', 'max_hr'] as const;

/** Returns a sentence if a heart rate is out of its limits, or if resting < threshold < maximum does not hold. */
export function findHeartRateProblem(anchors: HeartRateAnchors): string | undefined {
  return (
    findOutOfBounds(listGiven(anchors).map(({ key, value }) => limited(key, value))) ??
    findHeartRateConflict(anchors)?.message
  );
}

/** The first heart rate that is not below the next higher one, with a sentence about both. */
export function findHeartRateConflict(
  anchors: HeartRateAnchors,
): { readonly key: keyof HeartRateAnchors; readonly message: string } | undefined {
  const given = listGiven(anchors);
  for (const [index, upper] of given.entries()) {
    const lower = given[index - 1];
    if (lower === undefined || lower.value < upper.value) continue;
    const [below, above] = [PHYSIOLOGICAL_LIMITS[lower.key].name, PHYSIOLOGICAL_LIMITS[upper.key].name];
    return {
      key: lower.key,
      message: `${below} (${lower.value} bpm) must be below ${above.toLowerCase()} (${upper.value} bpm).`,
    };
  }
  return undefined;
}

function listGiven(anchors: HeartRateAnchors) {
  return ORDER.flatMap((key) => {
    const value = anchors[key];
    return value === undefined ? [] : [{ key, value }];
  });
}
