import { goalProgress } from '../algorithms/goals/goal-progress.ts';
import type { GoalProgress } from '../algorithms/goals/goal-progress.ts';
import { DAY_S, dayOf, findDay } from '../calendar/days.ts';
import type { Source } from '../providers/source.ts';
import { getValue } from '../tools/results/computed.ts';
import type { Goal, MeasuredType } from './goal.ts';
import { activitiesBefore, MEASURES } from './measure.ts';

/** The value of a goal when it was set, and now. */
export interface MeasuredGoal {
  readonly start: number;
  readonly current: number;
  /** Value of a level, or of a week of a total, in the last days. */
  readonly level: number;
  readonly days_left: number;
}

/** Whole days until the end of the target date; 0 on the last day, negative after it. */
export function daysLeft({ target_date }: Goal, now: number): number {
  return (findDay(target_date) ?? 0) - dayOf(now / 1000);
}

/** Measures a goal by the activities of a source. */
export async function measureGoal(
  goal: Goal & { readonly goal_type: MeasuredType },
  source: Source,
  now: number,
): Promise<MeasuredGoal> {
  const { kind, days, valueOf } = MEASURES[goal.goal_type];
  // The value when the goal was set, or that of now, depends on activities before.
  const after = Math.max(0, Math.floor(Math.min(goal.created_at, now) / 1000) - days * DAY_S);
  const activities = await source.listActivities({ after, sport_type: goal.sport_type ?? undefined });
  const recent = valueOf(activitiesBefore(activities, now, days));
  const days_left = daysLeft(goal, now);
  if (kind === 'level') {
    const start = valueOf(activitiesBefore(activities, goal.created_at, days));
    return { start, current: recent, level: recent, days_left };
  }
  const done = activities.filter(({ start_time }) => start_time * 1000 >= goal.created_at);
  return { start: 0, current: valueOf(done), level: (7 * recent) / days, days_left };
}

/** Progress against time. A level that had been reached when the goal was set must only be kept. */
export function progressOf(
  goal: Goal,
  { start, current, days_left }: MeasuredGoal,
  now: number,
): GoalProgress {
  const times = {
    started_at: goal.created_at / 1000,
    now: now / 1000,
    due_at: ((findDay(goal.target_date) ?? 0) + 1) * DAY_S,
  };
  if (start < goal.target_value)
    return getValue(goalProgress({ start, current, target: goal.target_value, ...times }));
  const { time_percent } = getValue(goalProgress({ start: 0, current, target: goal.target_value, ...times }));
  const isReached = current >= goal.target_value;
  const status = isReached ? 'reached' : days_left < 0 ? 'missed' : 'behind';
  return { percent: (100 * current) / goal.target_value, time_percent, status, projected: null };
}
