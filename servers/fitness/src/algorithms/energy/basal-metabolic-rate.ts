import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';

export interface Body {
  readonly sex: 'male' | 'female';
  readonly weight_kg: number;
  readonly height_cm: number;
  readonly age: number;
}

/** Resting energy in kcal a day (Mifflin and St Jeor 1990, adults of 19 to 78 years). */
export function mifflinStJeor(body: Body): Computed<number> {
  const { sex, weight_kg, height_cm, age } = body;
  return computeWithin(
    boundsOf(body, 19, 78),
    () => 10 * weight_kg + 6.25 * height_cm - 5 * age + (sex === 'male' ? 5 : -161),
  );
}

/** Basal energy in kcal a day by the equations of Harris and Benedict as Roza and Shizgal revised them in 1984. */
export function harrisBenedict(body: Body): Computed<number> {
  const { sex, weight_kg, height_cm, age } = body;
  return computeWithin(boundsOf(body, 18, 90), () =>
    sex === 'male'
      ? 88.362 + 13.397 * weight_kg + 4.799 * height_cm - 5.677 * age
      : 447.593 + 9.247 * weight_kg + 3.098 * height_cm - 4.33 * age,
  );
}

function boundsOf({ weight_kg, height_cm, age }: Body, min: number, max: number) {
  return [
    limited('weight_kg', weight_kg),
    limited('height_cm', height_cm),
    { name: 'Age', value: age, min, max, unit: 'years' },
  ];
}
