export const RECOMMENDATION_TYPES = ['training', 'recovery', 'nutrition', 'equipment'] as const;
export type RecommendationType = (typeof RECOMMENDATION_TYPES)[number];

/** The most important first. */
export const PRIORITIES = ['high', 'medium', 'low'] as const;

/** Advice by a rule. */
export interface Recommendation {
  readonly type: RecommendationType;
  readonly priority: (typeof PRIORITIES)[number];
  readonly recommendation: string;
  /** The values that the rule compared. */
  readonly reason: string;
}

/** Advice of one type. */
export type Advice = Omit<Recommendation, 'type'>;
