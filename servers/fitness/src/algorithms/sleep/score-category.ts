export type ScoreCategory = 'excellent' | 'good' | 'fair' | 'poor';

/** From 80 excellent, from 60 good, from 40 fair, below poor; for scores of sleep and of recovery. */
export function scoreCategory(score: number): ScoreCategory {
  if (score >= 80) return 'excellent';
  if (score >= 60) return 'good';
  return score >= 40 ? 'fair' : 'poor';
}
