import { findOutOfBounds, firstOutOf } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { limited, PHYSIOLOGICAL_LIMITS } from '../physiological-limits.ts';

/** Minutes below the first ventilatory threshold, between the thresholds, and above the second. */
export type LuciaMinutes = readonly [below: number, between: number, above: number];

/** Heart rates at the first and the second ventilatory threshold. */
export interface VentilatoryThresholds {
  readonly vt1_hr: number;
  readonly vt2_hr: number;
}

/** TRIMP (Lucía 2003): minutes in the three phases, weighted 1, 2 and 3. */
export function luciaTrimp(minutes: LuciaMinutes): Computed<number> {
  const problem = findOutOfBounds(
    minutes.map((value, index) => ({
      name: `Time in phase ${index + 1}`,
      value,
      min: 0,
      max: 10_000,
      unit: 'min',
    })),
  );
  if (problem !== undefined) return refused(problem);
  return computed(minutes[0] + 2 * minutes[1] + 3 * minutes[2]);
}

/** Sorts samples of one second into the phases; a rate at a threshold belongs to the upper phase. */
export function luciaMinutes(
  heartRates: readonly number[],
  { vt1_hr, vt2_hr }: VentilatoryThresholds,
): Computed<LuciaMinutes> {
  const problem = findOutOfBounds([
    { ...limited('heart_rate', vt1_hr), name: 'First ventilatory threshold', min: 60 },
    { ...limited('heart_rate', vt2_hr), name: 'Second ventilatory threshold', min: 60 },
    ...firstOutOf(PHYSIOLOGICAL_LIMITS.heart_rate, heartRates),
  ]);
  if (problem !== undefined) return refused(problem);
  if (vt1_hr >= vt2_hr) {
    return refused(`The first threshold (${vt1_hr} bpm) must be below the second (${vt2_hr} bpm).`);
  }
  let below = 0;
  let between = 0;
  for (const rate of heartRates) {
    if (rate < vt1_hr) below += 1;
    else if (rate < vt2_hr) between += 1;
  }
  return computed([below / 60, between / 60, (heartRates.length - below - between) / 60]);
}
