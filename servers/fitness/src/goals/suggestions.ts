import { formatPace, toPace } from '../algorithms/units/pace.ts';
import { paceUnitOf } from '../activities/pace.ts';
import { SPORT_NOUNS } from '../activities/sport-nouns.ts';
import { toDate } from '../calendar/days.ts';
import type { Period } from '../activities/read-period.ts';
import type { Activity, SportType } from '../providers/provider.ts';
import { rounded } from '../tools/results/rounded.ts';
import { reachableTarget } from './feasibility.ts';
import type { MeasuredType } from './goal.ts';
import { activitiesBefore, MEASURES, PERFORMANCE_SPORTS } from './measure.ts';

export const GOAL_CATEGORIES = ['distance', 'performance', 'consistency'] as const;
export type GoalCategory = (typeof GOAL_CATEGORIES)[number];

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

interface Target {
  readonly category: GoalCategory;
  readonly goal_type: MeasuredType;
  readonly sport_type: SportType | null;
  readonly days: number;
  /** The suggested value below the feasible one. */
  readonly round: (feasible: number, current: number) => number;
  readonly describe: (target: number) => string;
}

const FOUR_WEEKS_DAYS = 28;
const TWELVE_WEEKS_DAYS = 84;
const MOST_SPORTS = 2;
/** Performance of trained athletes improves by some percent in a season, not by 10 % a month. */
const PERFORMANCE_GAIN = 1.02;
const MOST_PER_WEEK = 7;

/** Feasible goals of the categories, from the activities up to now (milliseconds since 1970). */
export function suggestGoals(
  period: Period,
  categories: readonly GoalCategory[],
  now: number,
): readonly SuggestedGoal[] {
  return categories.flatMap((category) =>
    TARGETS[category](period.activities).flatMap((target) => toSuggestion(target, period, now) ?? []),
  );
}

const TARGETS: Readonly<Record<GoalCategory, (activities: readonly Activity[]) => readonly Target[]>> = {
  distance: (activities) =>
    listMainSports(activities, ({ distance_m }) => (distance_m ?? 0) > 0).map((sport) => ({
      category: 'distance',
      goal_type: 'distance',
      sport_type: sport,
      days: FOUR_WEEKS_DAYS,
      round: (feasible) => 1000 * Math.floor(feasible / 1000),
      describe: (target) => `${target / 1000} km of ${SPORT_NOUNS[sport]} in four weeks`,
    })),
  performance: (activities) =>
    listMainSports(activities, ({ sport_type }) => PERFORMANCE_SPORTS.includes(sport_type)).map((sport) => ({
      category: 'performance',
      goal_type: 'performance',
      sport_type: sport,
      days: TWELVE_WEEKS_DAYS,
      round: (feasible, current) => {
        const target = Math.min(feasible, PERFORMANCE_GAIN * current);
        return sport === 'ride' ? Math.floor(target) : Math.floor(100 * target) / 100;
      },
      describe: (target) =>
        `${sport === 'ride' ? `${target} W normalized` : formatSpeed(sport, target)} for 20 minutes or more in ${SPORT_NOUNS[sport]}`,
    })),
  consistency: () => [
    {
      category: 'consistency',
      goal_type: 'frequency',
      sport_type: null,
      days: TWELVE_WEEKS_DAYS,
      round: (feasible) => Math.min(MOST_PER_WEEK, Math.floor(2 * feasible) / 2),
      describe: (target) => `${target} activities a week`,
    },
  ],
};

/** The sports with the most activities. */
function listMainSports(
  activities: readonly Activity[],
  isCounted: (activity: Activity) => boolean,
): readonly SportType[] {
  const counts = new Map<SportType, number>();
  for (const activity of activities.filter(isCounted))
    counts.set(activity.sport_type, (counts.get(activity.sport_type) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_SPORTS)
    .map(([sport]) => sport);
}

function toSuggestion(
  { category, goal_type, sport_type, days, round, describe }: Target,
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

function formatSpeed(sport: SportType, mps: number): string {
  const pace = toPace(mps, paceUnitOf(sport));
  return pace.ok ? formatPace(pace.value, paceUnitOf(sport)) : `${mps} m/s`;
}
