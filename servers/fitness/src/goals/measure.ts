import { SPORT_NOUNS } from '../activities/sport-nouns.ts';
import { DAY_S } from '../calendar/days.ts';
import type { Activity, SportType } from '../providers/provider.ts';
import type { GoalType, MeasuredType } from './goal.ts';

/** The value of a goal, from activities. */
export interface Measure {
  /** `total`: the sum since the goal was set. `level`: the value of the last days. */
  readonly kind: 'total' | 'level';
  /** Days that a level is taken from. */
  readonly days: number;
  readonly unit: (sport: SportType | null) => string;
  /** Noun for sentences, without the activities that it is taken from. */
  readonly noun: string;
  readonly valueOf: (activities: readonly Activity[]) => number;
}

const FOUR_WEEKS_DAYS = 28;
const QUARTER_DAYS = 90;
/** Shorter efforts are no performance of endurance. */
const SHORTEST_PERFORMANCE_S = 1200;

export const MEASURES: Readonly<Record<MeasuredType, Measure>> = {
  distance: {
    kind: 'total',
    days: FOUR_WEEKS_DAYS,
    unit: () => 'm',
    noun: 'Sum of distance',
    valueOf: (activities) => activities.reduce((sum, { distance_m }) => sum + (distance_m ?? 0), 0),
  },
  time: {
    kind: 'total',
    days: FOUR_WEEKS_DAYS,
    unit: () => 's',
    noun: 'Sum of moving time',
    valueOf: (activities) => activities.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0),
  },
  frequency: {
    kind: 'level',
    days: FOUR_WEEKS_DAYS,
    unit: () => 'activities a week',
    noun: 'Number a week',
    valueOf: (activities) => activities.length / 4,
  },
  performance: {
    kind: 'level',
    days: QUARTER_DAYS,
    unit: (sport) => (sport === 'ride' ? 'W' : 'm/s'),
    noun: 'Best of at least 20 minutes',
    valueOf: (activities) => Math.max(0, ...activities.map(performanceOf)),
  },
};

/** Sports whose performance is a speed, or for rides normalized power. */
export const PERFORMANCE_SPORTS: readonly SportType[] = ['run', 'ride', 'swim', 'walk', 'hike', 'row', 'ski'];

/** A sentence about the value of a goal. */
export function describeMeasure(type: GoalType, sport: SportType | null): string {
  if (type === 'custom') return 'The server cannot measure custom goals.';
  const { kind, days, noun } = MEASURES[type];
  const activities = sport === null ? 'all activities' : SPORT_NOUNS[sport];
  const since = kind === 'total' ? 'since the goal was set' : `in the last ${days} days`;
  const by = type !== 'performance' ? '' : sport === 'ride' ? ', by normalized power' : ', by average speed';
  return `${noun} of ${activities} ${since}${by}.`;
}

/** The activities of the days before a time (milliseconds since 1970). */
export function activitiesBefore(
  activities: readonly Activity[],
  time: number,
  days: number,
): readonly Activity[] {
  const end = time / 1000;
  return activities.filter(({ start_time }) => start_time < end && start_time >= end - days * DAY_S);
}

function performanceOf({ sport_type, moving_time_s, distance_m, normalized_power_w }: Activity): number {
  if (moving_time_s < SHORTEST_PERFORMANCE_S) return 0;
  if (sport_type === 'ride') return normalized_power_w ?? 0;
  return (distance_m ?? 0) / moving_time_s;
}
