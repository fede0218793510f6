import { addMonths, monthsBetween, toMonth } from '../dates/dates.ts';

/** The stored goal of a category, with the names of the API. */
export interface Goal {
  readonly goal_type: string | null;
  readonly goal_target: number | null;
  readonly goal_target_date: string | null;
  readonly goal_needs_whole_amount: number | null;
  readonly goal_cadence: number | null;
  readonly goal_cadence_frequency: number | null;
  readonly goal_day: number | null;
  readonly goal_creation_month: string | null;
}

interface Funding {
  readonly month: string;
  readonly budgeted: number;
  readonly activity: number;
  readonly balance: number;
}

const NONE = {
  goal_percentage_complete: null,
  goal_months_to_budget: null,
  goal_under_funded: null,
  goal_overall_funded: null,
  goal_overall_left: null,
};

/** The date on which the current period of a goal ends, seen from a month: repeating goals move on by their cadence. */
function findDue(goal: Goal, month: string): string | undefined {
  if (goal.goal_target_date === null) return goal.goal_cadence === 1 ? month : undefined;
  const step = { 1: 1, 13: 12 }[goal.goal_cadence ?? 0];
  if (step === undefined || goal.goal_target_date >= month) return goal.goal_target_date;
  const periods = Math.ceil(monthsBetween(goal.goal_target_date, month) / step);
  return addMonths(goal.goal_target_date, periods * step);
}

/** The progress of a goal in a month. */
export function toGoalProgress(
  goal: Goal,
  { month, budgeted, activity, balance }: Funding,
): Record<keyof typeof NONE, number | null> {
  if (goal.goal_type === null || goal.goal_target === null) return NONE;
  const monthly = goal.goal_type === 'MF' || goal.goal_needs_whole_amount === 1;
  const funded = Math.max(0, monthly ? budgeted : balance - activity);
  const left = Math.max(0, goal.goal_target - funded);
  const due = findDue(goal, month);
  const months = due === undefined ? null : Math.max(0, monthsBetween(month, toMonth(due))) + 1;
  const before = Math.max(0, funded - budgeted);
  const share = Math.ceil(Math.max(0, goal.goal_target - before) / (months ?? 1));
  return {
    goal_percentage_complete:
      goal.goal_target <= 0 ? 100 : Math.min(100, Math.floor((funded * 100) / goal.goal_target)),
    goal_months_to_budget: months,
    goal_under_funded: months === null ? 0 : Math.max(0, Math.min(left, share - Math.max(0, budgeted))),
    goal_overall_funded: funded,
    goal_overall_left: left,
  };
}

const MONTHLY = { goal_cadence: 1, goal_cadence_frequency: 1 };

/** A monthly goal: `NEED`, or `MF` for the payment category of a credit card. */
export function toMonthlyGoal(role: string, month: string): Record<string, string | number | null> {
  return role === 'payment'
    ? { goal_type: 'MF', goal_creation_month: month, ...MONTHLY }
    : { goal_type: 'NEED', goal_needs_whole_amount: 1, goal_creation_month: month, ...MONTHLY };
}

export const NO_GOAL: Readonly<Record<keyof Goal, null>> = {
  goal_type: null,
  goal_target: null,
  goal_target_date: null,
  goal_needs_whole_amount: null,
  goal_cadence: null,
  goal_cadence_frequency: null,
  goal_day: null,
  goal_creation_month: null,
};
