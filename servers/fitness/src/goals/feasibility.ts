import { goalFeasibility } from '../algorithms/goals/goal-feasibility.ts';
import type { Feasibility } from '../algorithms/goals/goal-feasibility.ts';
import type { Computed } from '../algorithms/computed.ts';
import type { MeasuredType } from './goal.ts';
import { MEASURES } from './measure.ts';
import type { MeasuredGoal } from './progress.ts';

const DAYS_PER_MONTH = 30.44;
/** The domain of the algorithm: shorter times count as this. */
const SHORTEST_MONTHS = 0.1;
const LONGEST_DAYS = 1826;

/** A goal without its dates. */
export interface Target {
  readonly goal_type: MeasuredType;
  readonly target_value: number;
}

/** The values are levels, or those of a week of a total. */
export interface JudgedGoal {
  readonly feasibility: Feasibility;
  readonly needed: number;
}

type Level = Pick<MeasuredGoal, 'current' | 'level'>;

/** Whether +10 % a month, from the level of the last days, is enough in the given days. */
export function judgeGoal(
  { goal_type, target_value }: Target,
  { current, level }: Level,
  days: number,
): Computed<JudgedGoal> {
  const needed = isTotal(goal_type) ? (target_value - current) / weeksIn(days) : target_value;
  const feasibility = goalFeasibility({
    current: level,
    target: needed,
    months: monthsOf(goal_type, days),
    better: 'higher',
  });
  return feasibility.ok ? { ok: true, value: { feasibility: feasibility.value, needed } } : feasibility;
}

/** The target that +10 % a month reaches in the given days. Refused without a level. */
export function reachableTarget(
  goal_type: MeasuredType,
  { current, level }: Level,
  days: number,
): Computed<number> {
  const months = monthsOf(goal_type, days);
  const feasibility = goalFeasibility({ current: level, target: level, months, better: 'higher' });
  if (!feasibility.ok) return feasibility;
  const { reachable } = feasibility.value;
  return { ok: true, value: isTotal(goal_type) ? current + reachable * weeksIn(days) : reachable };
}

/** The first number of days, in whole weeks, in which the goal is feasible; null if five years are not enough. */
export function feasibleDays(target: Target, measured: Level): number | null {
  for (let days = 7; days <= LONGEST_DAYS; days += 7) {
    const judged = judgeGoal(target, measured, days);
    if (judged.ok && judged.value.feasibility.feasible) return days;
  }
  return null;
}

function isTotal(type: MeasuredType): boolean {
  return MEASURES[type].kind === 'total';
}

/** The last day counts as one, also at its end. */
function weeksIn(days: number): number {
  return Math.max(1, days) / 7;
}

/** The mean of a weekly volume that grows evenly is its value at half of the time, so a total needs its weekly volume by then. */
function monthsOf(type: MeasuredType, days: number): number {
  return Math.max(SHORTEST_MONTHS, days / DAYS_PER_MONTH / (isTotal(type) ? 2 : 1));
}
