import type { Activity, SportType } from '../providers/provider.ts';

/** The sports of the activities that count, the most frequent first. */
export function listMainSports(
  activities: readonly Activity[],
  isCounted: (activity: Activity) => boolean,
): readonly SportType[] {
  const counts = new Map<SportType, number>();
  for (const activity of activities.filter(isCounted))
    counts.set(activity.sport_type, (counts.get(activity.sport_type) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([sport]) => sport);
}
