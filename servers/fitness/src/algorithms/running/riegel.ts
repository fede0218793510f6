import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

/** Riegel 1981, "Athletic Records and Human Endurance": the fatigue factor, and the times that it holds for. */
const FATIGUE = 1.06;
const MINUTES = { min: 3.5, max: 230, unit: 'min' } as const;

export interface RaceResult {
  readonly distance_m: number;
  readonly time_s: number;
}

/** Predicted time in seconds over another distance: T₂ = T₁ · (D₂ / D₁)^1.06. */
export function riegelTime({ distance_m, time_s }: RaceResult, target_m: number): Computed<number> {
  const known = findOutOfBounds([
    { name: 'Distance', value: distance_m, min: 400, max: 100_000, unit: 'm' },
    { name: 'Target distance', value: target_m, min: 400, max: 100_000, unit: 'm' },
    { name: 'Race time', value: time_s / 60, ...MINUTES },
  ]);
  if (known !== undefined) return refused(known);
  const predicted = time_s * (target_m / distance_m) ** FATIGUE;
  const minutes = predicted / 60;
  if (minutes < MINUTES.min || minutes > MINUTES.max) {
    return refused(
      `Riegel's formula holds for 3.5 to 230 minutes; ${target_m} m would take ${minutes.toFixed(1)} minutes.`,
    );
  }
  return computed(predicted);
}
