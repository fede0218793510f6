import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { speedAtOxygenCost } from './oxygen-cost.ts';
import { VDOT_BOUNDS } from './vdot.ts';

/** Speeds of one kind of training, in m/s. */
export interface TrainingPace {
  readonly name: 'easy' | 'marathon' | 'threshold' | 'interval';
  readonly slowest_mps: number;
  readonly fastest_mps: number;
}

/** Shares of VDOT for each kind of training (Daniels' Running Formula, 3rd edition, chapter 4). */
const SHARES = [
  ['easy', 0.59, 0.74],
  ['marathon', 0.75, 0.84],
  ['threshold', 0.83, 0.88],
  ['interval', 0.95, 1],
] as const;

/** Training speeds: those whose oxygen cost is the share of VDOT. */
export function trainingPaces(vdotValue: number): Computed<readonly TrainingPace[]> {
  const problem = findOutOfBounds([{ ...VDOT_BOUNDS, value: vdotValue }]);
  if (problem !== undefined) return refused(problem);
  const speed = (share: number): number => speedAtOxygenCost(share * vdotValue) / 60;
  return computed(
    SHARES.map(([name, low, high]) => ({ name, slowest_mps: speed(low), fastest_mps: speed(high) })),
  );
}
