import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { interpolate } from '../statistics/interpolate.ts';
import type { Knots } from '../statistics/interpolate.ts';
import { scoreCategory } from './score-category.ts';
import type { ScoreCategory } from './score-category.ts';

export interface RecoveryInput {
  /** Training stress balance. */
  readonly tsb: number;
  readonly sleep_score: number;
  /** `score` of `compareHrv`; null without HRV. */
  readonly hrv_score: number | null;
}

export interface RecoveryScore {
  readonly score: number;
  readonly category: ScoreCategory;
  readonly form_score: number;
}

/** Best with a form of 5 to 15; fatigue costs more than too much rest. */
const FORM: Knots = [
  [-30, 0],
  [-15, 30],
  [-10, 60],
  [0, 85],
  [5, 100],
  [15, 100],
  [25, 90],
  [40, 70],
];

/** Shares of the score. */
export const RECOVERY_WEIGHTS = {
  with_hrv: { form: 0.4, sleep: 0.35, hrv: 0.25 },
  without_hrv: { form: 0.55, sleep: 0.45, hrv: 0 },
} as const;

/** 40 % form, 35 % sleep, 25 % HRV; without HRV 55 % form and 45 % sleep. */
export function recoveryScore({ tsb, sleep_score, hrv_score }: RecoveryInput): Computed<RecoveryScore> {
  const problem = findOutOfBounds([
    { name: 'Form', value: tsb, min: -300, max: 300, unit: '' },
    { name: 'Sleep score', value: sleep_score, min: 0, max: 100, unit: '' },
    { name: 'HRV score', value: hrv_score ?? 0, min: 0, max: 100, unit: '' },
  ]);
  if (problem !== undefined) return refused(problem);
  const form_score = interpolate(FORM, tsb);
  const weights = hrv_score === null ? RECOVERY_WEIGHTS.without_hrv : RECOVERY_WEIGHTS.with_hrv;
  const score = weights.form * form_score + weights.sleep * sleep_score + weights.hrv * (hrv_score ?? 0);
  return computed({ score, category: scoreCategory(score), form_score });
}
