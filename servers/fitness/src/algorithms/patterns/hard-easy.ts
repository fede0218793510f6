import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

export interface HardEasyPattern {
  readonly hard_share: number;
  /** Share of neighbours in time of which exactly one is hard. */
  readonly alternation: number;
  readonly alternating: boolean;
  /** Most hard sessions in a row. */
  readonly longest_hard_run: number;
}

/** Alternation of hard and easy sessions in order of time; above 60 % of changes it counts as a pattern. */
export function hardEasyPattern(hard: readonly boolean[]): Computed<HardEasyPattern> {
  if (hard.length < 6) {
    return refused(`A pattern of hard and easy needs at least six sessions; there are ${hard.length}.`);
  }
  let changes = 0;
  let run = 0;
  let longest = 0;
  for (const [index, isHard] of hard.entries()) {
    if (index > 0 && isHard !== hard[index - 1]) changes += 1;
    run = isHard ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  const alternation = changes / (hard.length - 1);
  return computed({
    hard_share: hard.filter(Boolean).length / hard.length,
    alternation,
    alternating: alternation > 0.6,
    longest_hard_run: longest,
  });
}
