import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

/** Hours in each stage of sleep. */
export interface SleepStages {
  readonly deep_hours: number;
  readonly rem_hours: number;
  readonly light_hours: number;
}

export interface StagesScore {
  readonly score: number;
  readonly deep_percent: number;
  readonly rem_percent: number;
  readonly light_percent: number;
}

/** Usual shares of the stages in percent of sleep, and the weight of each in the score. */
const STAGES = [
  { key: 'deep', min: 15, max: 25, weight: 0.4 },
  { key: 'rem', min: 20, max: 25, weight: 0.4 },
  { key: 'light', min: 50, max: 60, weight: 0.2 },
] as const;

/** Each stage scores 100 within its usual share, and falls in proportion to 0 at no such sleep and at nothing else. */
export function stagesScore(stages: SleepStages): Computed<StagesScore> {
  const hours = { deep: stages.deep_hours, rem: stages.rem_hours, light: stages.light_hours };
  const problem = findOutOfBounds(
    STAGES.map(({ key }) => ({
      name: `Time in ${key} sleep`,
      value: hours[key],
      min: 0,
      max: 16,
      unit: 'hours',
    })),
  );
  if (problem !== undefined) return refused(problem);
  const total = hours.deep + hours.rem + hours.light;
  if (total === 0) return refused('The score of sleep stages needs time in at least one stage.');
  let score = 0;
  for (const { key, min, max, weight } of STAGES) {
    score += weight * shareScore((100 * hours[key]) / total, min, max);
  }
  return computed({
    score,
    deep_percent: (100 * hours.deep) / total,
    rem_percent: (100 * hours.rem) / total,
    light_percent: (100 * hours.light) / total,
  });
}

function shareScore(percent: number, min: number, max: number): number {
  if (percent < min) return (100 * percent) / min;
  return percent <= max ? 100 : (100 * (100 - percent)) / (100 - max);
}
