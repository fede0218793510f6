export interface RestDayInput {
  readonly recovery_score: number;
  readonly sleep_score: number;
  readonly tsb: number;
}

export interface RestDayDecision {
  readonly decision: 'rest' | 'rest_or_easy' | 'train';
  /** The rules that apply, as sentences. */
  readonly reasons: readonly string[];
}

/** Rest with a recovery below 40, or with a form below −20 and a sleep score below 70; below 60 rest or easy. */
export function restDay({ recovery_score, sleep_score, tsb }: RestDayInput): RestDayDecision {
  const reasons: string[] = [];
  if (recovery_score < 40) reasons.push(`Recovery (${Math.round(recovery_score)}) is below 40.`);
  if (tsb < -20 && sleep_score < 70) {
    reasons.push(
      `Form (${tsb.toFixed(1)}) is below −20 and the sleep score (${Math.round(sleep_score)}) below 70.`,
    );
  }
  if (reasons.length > 0) return { decision: 'rest', reasons };
  if (recovery_score < 60) {
    return {
      decision: 'rest_or_easy',
      reasons: [`Recovery (${Math.round(recovery_score)}) is below 60.`],
    };
  }
  return { decision: 'train', reasons: [`Recovery (${Math.round(recovery_score)}) is 60 or more.`] };
}
