import { adviseEquipment } from './equipment-rules.ts';
import { adviseNutrition } from './nutrition-rules.ts';
import { PRIORITIES, RECOMMENDATION_TYPES } from './recommendation.ts';
import type { Advice, Recommendation, RecommendationType } from './recommendation.ts';
import { adviseRecovery } from './recovery-rules.ts';
import type { TrainingFacts } from './training-facts.ts';
import { adviseTraining } from './training-rules.ts';

const RULES: Readonly<Record<RecommendationType, (facts: TrainingFacts) => readonly Advice[]>> = {
  training: adviseTraining,
  recovery: adviseRecovery,
  nutrition: adviseNutrition,
  equipment: adviseEquipment,
};

/** Recommendations of one type or of all, the most important first. The same facts give the same recommendations. */
export function recommend(
  facts: TrainingFacts,
  wanted: RecommendationType | 'all',
): readonly Recommendation[] {
  return RECOMMENDATION_TYPES.filter((type) => wanted === 'all' || wanted === type)
    .flatMap((type) => RULES[type](facts).map((advice) => ({ type, ...advice })))
    .toSorted((one, other) => PRIORITIES.indexOf(one.priority) - PRIORITIES.indexOf(other.priority));
}
