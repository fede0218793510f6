import { listMainSports } from '../activities/main-sports.ts';
import { paceUnitOf } from '../activities/pace.ts';
import { SPORT_NOUNS } from '../activities/sport-nouns.ts';
import { formatPace, toPace } from '../algorithms/units/pace.ts';
import type { Activity, SportType } from '../providers/provider.ts';
import type { MeasuredType } from './goal.ts';
import { PERFORMANCE_SPORTS } from './measure.ts';

export const GOAL_CATEGORIES = ['distance', 'performance', 'consistency'] as const;
export type GoalCategory = (typeof GOAL_CATEGORIES)[number];

/** A kind of goal that is suggested, without its value. */
export interface SuggestedTarget {
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

/** The targets of a category for an athlete with these activities. */
export const SUGGESTED_TARGETS: Readonly<
  Record<GoalCategory, (activities: readonly Activity[]) => readonly SuggestedTarget[]>
> = {
  distance: (activities) =>
    listMainSports(activities, ({ distance_m }) => (distance_m ?? 0) > 0)
      .slice(0, MOST_SPORTS)
      .map((sport) => ({
        category: 'distance',
        goal_type: 'distance',
        sport_type: sport,
        days: FOUR_WEEKS_DAYS,
        round: (feasible) => 1000 * Math.floor(feasible / 1000),
        describe: (target) => `${target / 1000} km of ${SPORT_NOUNS[sport]} in four weeks`,
      })),
  performance: (activities) =>
    listMainSports(activities, ({ sport_type }) => PERFORMANCE_SPORTS.includes(sport_type))
      .slice(0, MOST_SPORTS)
      .map((sport) => ({
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

function formatSpeed(sport: SportType, mps: number): string {
  const pace = toPace(mps, paceUnitOf(sport));
  return pace.ok ? formatPace(pace.value, paceUnitOf(sport)) : `${mps} m/s`;
}
