import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

export interface FeasibilityInput {
  readonly current: number;
  readonly target: number;
  readonly months: number;
  /** `lower` for times: a smaller value is better. */
  readonly better: 'higher' | 'lower';
}

export interface Feasibility {
  readonly feasible: boolean;
  /** Improvement a month that the target needs, in percent; 0 if it is reached already. */
  readonly required_percent_per_month: number;
  /** The best value that +10 % a month reaches in time. */
  readonly reachable: number;
}

const PERCENT_PER_MONTH = 10;

/** A goal is feasible with an improvement of at most 10 % a month, compounded. */
export function goalFeasibility({
  current,
  target,
  months,
  better,
}: FeasibilityInput): Computed<Feasibility> {
  const positive = { min: 0.001, max: 1e9, unit: '' };
  const problem = findOutOfBounds([
    { name: 'Current value', value: current, ...positive },
    { name: 'Target', value: target, ...positive },
    { name: 'Time to the target', value: months, min: 0.1, max: 60, unit: 'months' },
  ]);
  if (problem !== undefined) return refused(problem);
  const ratio = better === 'higher' ? target / current : current / target;
  const needed = Math.max(0, 100 * (ratio ** (1 / months) - 1));
  const growth = (1 + PERCENT_PER_MONTH / 100) ** months;
  return computed({
    // Rounded, because 1.1 ** 3 needs 10.000000000000009 % a month.
    feasible: Math.round(needed * 1e6) / 1e6 <= PERCENT_PER_MONTH,
    required_percent_per_month: needed,
    reachable: better === 'higher' ? current * growth : current / growth,
  });
}
