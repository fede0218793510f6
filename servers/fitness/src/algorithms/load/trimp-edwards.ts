import { findOutOfBounds, firstOutOf } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { limited, PHYSIOLOGICAL_LIMITS } from '../physiological-limits.ts';

/** Minutes in the five zones of Edwards: 50–60, 60–70, 70–80, 80–90 and 90–100 % of maximum heart rate. */
export type EdwardsMinutes = readonly [number, number, number, number, number];

/** TRIMP (Edwards 1993): minutes in the zones, weighted 1 to 5. Time below 50 % of the maximum does not count. */
export function edwardsTrimp(minutes: EdwardsMinutes): Computed<number> {
  const problem = findOutOfBounds(
    minutes.map((value, index) => ({
      name: `Time in zone ${index + 1}`,
      value,
      min: 0,
      max: 2880,
      unit: 'min',
    })),
  );
  if (problem !== undefined) return refused(problem);
  let sum = 0;
  for (const [index, value] of minutes.entries()) sum += value * (index + 1);
  return computed(sum);
}

/** Sorts samples of one second into the zones; a rate at a border belongs to the upper zone. */
export function edwardsMinutes(heartRates: readonly number[], max_hr: number): Computed<EdwardsMinutes> {
  const problem = findOutOfBounds([
    limited('max_hr', max_hr),
    ...firstOutOf(PHYSIOLOGICAL_LIMITS.heart_rate, heartRates),
  ]);
  if (problem !== undefined) return refused(problem);
  const seconds: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  for (const rate of heartRates) {
    // 10 · rate first: 0.7 · max has no exact representation, and a rate at the border would fall below it.
    const zone = Math.min(5, Math.floor((10 * rate) / max_hr) - 4);
    const index = zone - 1;
    if (index >= 0) seconds[index] = (seconds[index] ?? 0) + 1;
  }
  const [one, two, three, four, five] = seconds;
  return computed([one / 60, two / 60, three / 60, four / 60, five / 60]);
}
