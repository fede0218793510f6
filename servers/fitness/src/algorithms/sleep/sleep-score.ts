import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { interpolate } from '../statistics/interpolate.ts';
import type { Knots } from '../statistics/interpolate.ts';
import { stagesScore } from './stages-score.ts';
import type { SleepStages } from './stages-score.ts';
import { scoreCategory } from './score-category.ts';
import type { ScoreCategory } from './score-category.ts';

/** One night; null where the device does not measure it. */
export interface Night {
  readonly duration_hours: number;
  readonly efficiency_percent: number | null;
  readonly stages: SleepStages | null;
}

export interface SleepScore {
  readonly score: number;
  readonly category: ScoreCategory;
  readonly duration_score: number;
  readonly efficiency_score: number | null;
  readonly stages_score: number | null;
}

/** 8 hours 100, 7 hours 80, 6 hours 50; below, the line of 6 to 7 hours goes on to 0. */
const DURATION: Knots = [
  [6 - 50 / 30, 0],
  [6, 50],
  [7, 80],
  [8, 100],
];
/** 90 % 100, 85 % 80, 75 % 50; below, the line of 75 to 85 % goes on to 0. */
const EFFICIENCY: Knots = [
  [75 - 50 / 3, 0],
  [75, 50],
  [85, 80],
  [90, 100],
];
const WEIGHTS = { duration: 0.4, stages: 0.35, efficiency: 0.25 } as const;

/** 40 % duration, 35 % stages, 25 % efficiency; the weight of a part that was not measured goes to the others. */
export function sleepScore(night: Night): Computed<SleepScore> {
  const { duration_hours, efficiency_percent } = night;
  const problem = findOutOfBounds([
    { name: 'Sleep duration', value: duration_hours, min: 0.5, max: 16, unit: 'hours' },
    { name: 'Sleep efficiency', value: efficiency_percent ?? 100, min: 1, max: 100, unit: '%' },
  ]);
  if (problem !== undefined) return refused(problem);
  const stages = night.stages === null ? null : stagesScore(night.stages);
  if (stages !== null && !stages.ok) return stages;
  const duration = interpolate(DURATION, duration_hours);
  const efficiency = efficiency_percent === null ? null : interpolate(EFFICIENCY, efficiency_percent);
  const stage = stages === null ? null : stages.value.score;
  const weights =
    WEIGHTS.duration + (stage === null ? 0 : WEIGHTS.stages) + (efficiency === null ? 0 : WEIGHTS.efficiency);
  const score =
    (WEIGHTS.duration * duration + WEIGHTS.stages * (stage ?? 0) + WEIGHTS.efficiency * (efficiency ?? 0)) /
    weights;
  return computed({
    score,
    category: scoreCategory(score),
    duration_score: duration,
    efficiency_score: efficiency,
    stages_score: stage,
  });
}
