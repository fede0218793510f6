/** How certain a match must be. */
export type Strictness = 'loose' | 'normal' | 'strict';

/** Scores are counted in hundredths, so that sums and comparisons are exact. */
export const HUNDREDTHS = 100;

/** The highest score: equal amounts 50, date 15, payee 35, same day 5, same payee 10. */
export const MAX_SCORE = 115 * HUNDREDTHS;

/** A pair is automatic or suggested from these scores. */
export const LEVELS: Readonly<
  Record<Strictness, { readonly automatic: number; readonly suggested: number }>
> = {
  loose: { automatic: 70 * HUNDREDTHS, suggested: 55 * HUNDREDTHS },
  normal: { automatic: 85 * HUNDREDTHS, suggested: 60 * HUNDREDTHS },
  strict: { automatic: 93 * HUNDREDTHS, suggested: 75 * HUNDREDTHS },
};

/** The automatic level of the only candidate on the day of the row. */
export const ONLY_ON_DAY = 65 * HUNDREDTHS;

/** 100 on the same day, 95 a day apart, then falling to 50 at the tolerance. */
export function scoreDate(days: number, toleranceDays: number): number {
  if (days === 0) return 100;
  return toleranceDays <= 1 ? 95 : 95 - (45 * (days - 1)) / (toleranceDays - 1);
}

/**
 * The score of a row and a transaction with equal amounts, in hundredths. Within the tolerance it is at least 57.5, so every such pair is a candidate
 * (the limit is 40).
 */
export function scorePair(days: number, payee: number, toleranceDays: number): number {
  const score = 50 * HUNDREDTHS + 15 * scoreDate(days, toleranceDays) + 35 * payee;
  const bonus = (days === 0 ? 5 : 0) + (payee >= 95 ? 10 : 0);
  return Math.round(score) + bonus * HUNDREDTHS;
}
