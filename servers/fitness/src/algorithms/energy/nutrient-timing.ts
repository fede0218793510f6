import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';
import type { WorkoutIntensity } from './workout-intensity.ts';

export interface TimingInput {
  readonly weight_kg: number;
  readonly daily_protein_g: number;
  readonly intensity: WorkoutIntensity;
}

export interface NutrientTiming {
  readonly before: { readonly carbohydrate_g: number; readonly hours_before: readonly [number, number] };
  readonly after: {
    readonly carbohydrate_g: number;
    readonly protein_g: number;
    readonly within_hours: number;
  };
  readonly protein_meals: { readonly meals: number; readonly protein_per_meal_g: number };
}

/** Carbohydrate in g/kg (Kerksick and others 2017): 0.5 to 1 before, 0.8 to 1.2 after, by intensity. */
const BEFORE: Record<WorkoutIntensity, number> = { low: 0.5, moderate: 0.75, high: 1 };
const AFTER: Record<WorkoutIntensity, number> = { low: 0.8, moderate: 1, high: 1.2 };
const PROTEIN_PER_KG = 0.3;
const PROTEIN_G = { min: 20, max: 40 } as const;
const MEALS = 4;

/** Carbohydrate 1 to 3 hours before training, carbohydrate and 20 to 40 g of protein within 2 hours after it. */
export function nutrientTiming(input: TimingInput): Computed<NutrientTiming> {
  const { weight_kg, daily_protein_g, intensity } = input;
  return computeWithin(
    [
      limited('weight_kg', weight_kg),
      { name: 'Protein a day', value: daily_protein_g, min: 20, max: 500, unit: 'g' },
    ],
    () => ({
      before: { carbohydrate_g: BEFORE[intensity] * weight_kg, hours_before: [1, 3] as const },
      after: {
        carbohydrate_g: AFTER[intensity] * weight_kg,
        protein_g: Math.max(PROTEIN_G.min, Math.min(PROTEIN_G.max, PROTEIN_PER_KG * weight_kg)),
        within_hours: 2,
      },
      protein_meals: { meals: MEALS, protein_per_meal_g: daily_protein_g / MEALS },
    }),
  );
}
