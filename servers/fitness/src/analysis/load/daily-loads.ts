import { localDayOf } from '../../activities/local-time.ts';
import type { Period } from '../../activities/read-period.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import { activityLoad } from './activity-load.ts';

/** Sums of load for every day of a period, also days of rest. */
export interface DailyLoads {
  readonly loads: readonly number[];
  /** Sentences about activities without load. */
  readonly notes: readonly string[];
}

/** Adds the loads of the activities of each day. Activities without load are left out and counted in a note. */
export function dailyLoads({ from, to, activities }: Period, athlete: AthleteFigures): DailyLoads {
  const loads = Array.from({ length: to - from + 1 }, () => 0);
  const reasons = new Map<string, number>();
  for (const activity of activities) {
    const load = activityLoad(activity, athlete);
    const index = localDayOf(activity) - from;
    if (load.ok) loads[index] = (loads[index] ?? 0) + load.value;
    else reasons.set(load.reason, (reasons.get(load.reason) ?? 0) + 1);
  }
  const total = activities.length;
  const notes = [...reasons].map(
    ([reason, count]) => `${count} of ${total} activities count as no load: ${reason}`,
  );
  return { loads, notes };
}
