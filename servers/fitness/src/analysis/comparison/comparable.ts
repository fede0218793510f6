import { paceOf } from '../../activities/pace.ts';
import { DAY_S } from '../../calendar/days.ts';
import type { Activity } from '../../providers/provider.ts';

export const COMPARISON_TYPES = ['similar_activities', 'personal_best', 'average', 'recent'] as const;
export type ComparisonType = (typeof COMPARISON_TYPES)[number];

/** The activities that another one is compared with. */
interface Comparable {
  /** Days before the activity. */
  readonly days: number;
  readonly description: string;
  /** `others` have the same sport, the newest first. */
  readonly select: (activity: Activity, others: readonly Activity[]) => readonly Activity[];
}

/** Relative difference of distance of similar activities. */
const SIMILAR = 0.1;
const RECENT = 5;
const MOST_SIMILAR = 10;

export const COMPARABLE: Readonly<Record<ComparisonType, Comparable>> = {
  similar_activities: {
    days: 365,
    description: 'the newest 10 with a similar distance (±10 %), or duration without one',
    select: (activity, others) => others.filter((other) => isSimilar(activity, other)).slice(0, MOST_SIMILAR),
  },
  personal_best: {
    days: 730,
    description:
      'the best with a similar distance (±10 %): by normalized power for rides that have it, else by pace',
    select: (activity, others) =>
      findBest(
        activity,
        others.filter((other) => isSimilar(activity, other)),
      ),
  },
  average: {
    days: 90,
    description: 'all of the 90 days before it',
    select: (activity, others) => others.filter(({ start_time }) => start_time < activity.start_time),
  },
  recent: {
    days: 365,
    description: 'the 5 before it',
    select: (activity, others) =>
      others.filter(({ start_time }) => start_time < activity.start_time).slice(0, RECENT),
  },
};

/** The period that the comparable activities are from, in Unix seconds. */
export function firstTimeOf(type: ComparisonType, { start_time }: Activity): number {
  return Math.max(0, start_time - COMPARABLE[type].days * DAY_S);
}

function isSimilar(activity: Activity, other: Activity): boolean {
  const [one, two] =
    activity.distance_m === null
      ? [activity.moving_time_s, other.moving_time_s]
      : [activity.distance_m, other.distance_m];
  return two !== null && Math.abs(two - one) <= SIMILAR * one;
}

function findBest({ normalized_power_w }: Activity, others: readonly Activity[]): readonly Activity[] {
  const speedOf = (activity: Activity): number | null => {
    if (normalized_power_w !== null) return activity.normalized_power_w;
    const pace = paceOf(activity);
    return pace.ok ? 1 / pace.value : null;
  };
  let best: { readonly activity: Activity; readonly value: number } | undefined;
  for (const activity of others) {
    const value = speedOf(activity);
    if (value !== null && value > (best?.value ?? 0)) best = { activity, value };
  }
  return best === undefined ? [] : [best.activity];
}
