import { toDate } from '../calendar/days.ts';
import type { Period } from '../activities/read-period.ts';
import type { SportType } from '../providers/provider.ts';
import { rounded } from '../tools/results/rounded.ts';
import { reachableTarget } from './feasibility.ts';
import type { MeasuredType } from './goal.ts';
import { activitiesBefore, MEASURES } from './measure.ts';
import { SUGGESTED_TARGETS } from './suggested-targets.ts';
import type { GoalCategory, SuggestedTarget } from './suggested-targets.ts';

/** A goal that is feasible, with the arguments of set_goal. */
export interface SuggestedGoal {
  readonly category: GoalCategory;
  readonly title: string;
  readonly goal_type: MeasuredType;
  readonly target_value: number;
  readonly unit: string;
  readonly target_date: string;
  readonly sport_type: SportType | null;
  readonly current_value: number;
  readonly reason: string;
}

/** Feasible goals of the categories, from the activities up to now (milliseconds since 1970). */
export function suggestGoals(
  period: Period,
  categories: readonly GoalCategory[],
  now: number,
): readonly SuggestedGoal[] {
  return categories.flatMap((category) =>
    SUGGESTED_TARGETS[category](period.activities).flatMap(
      (target) => toSuggestion(target, period, now) ?? [],
    ),
  );
}

function toSuggestion(
  { category, goal_type, sport_type, days, round, describe }: SuggestedTarget,
  period: Period,
  now: number,
): SuggestedGoal | undefined {
  const measure = MEASURES[goal_type];
  const activities = period.activities.filter(
    (activity) => activity.sport_type === (sport_type ?? activity.sport_type),
  );
  const recent = measure.valueOf(activitiesBefore(activities, now, measure.days));
  const isTotal = measure.kind === 'total';
  const measured = { current: isTotal ? 0 : recent, level: isTotal ? (7 * recent) / measure.days : recent };
  const target_date = toDate(period.to + days);
  const feasible = reachableTarget(goal_type, measured, days);
  const target_value = feasible.ok ? round(feasible.value, recent) : 0;
  if (target_value <= 0) return undefined;
  const title = describe(target_value);
  const unit = measure.unit(sport_type);
  const current_value = rounded(recent, 2);
  const change = (100 * (target_value - recent)) / recent;
  const had = `The last ${measure.days} days had ${current_value} ${unit}`;
  const reason =
    change > 0
      ? `${had}; +${change.toFixed(1)} % in ${days} days is feasible (10 % a month).`
      : `${had}: keep it.`;
  return {
    category,
    title,
    goal_type,
    target_value,
    unit,
    target_date,
    sport_type,
    current_value,
    reason,
  };
}
