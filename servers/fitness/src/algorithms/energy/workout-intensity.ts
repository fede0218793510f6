import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

export const WORKOUT_INTENSITIES = ['low', 'moderate', 'high'] as const;
export type WorkoutIntensity = (typeof WORKOUT_INTENSITIES)[number];

/** High with more than 2 hours a day or more than 150 bpm, moderate with 1 to 2 hours or 130 to 150 bpm, else low. */
export function workoutIntensity(
  hours_per_day: number,
  average_hr: number | null,
): Computed<WorkoutIntensity> {
  const problem = findOutOfBounds([
    { name: 'Training a day', value: hours_per_day, min: 0, max: 24, unit: 'hours' },
    { name: 'Average heart rate', value: average_hr ?? 100, min: 30, max: 230, unit: 'bpm' },
  ]);
  if (problem !== undefined) return refused(problem);
  const rate = average_hr ?? 0;
  if (hours_per_day > 2 || rate > 150) return computed('high');
  return computed(hours_per_day >= 1 || rate >= 130 ? 'moderate' : 'low');
}
