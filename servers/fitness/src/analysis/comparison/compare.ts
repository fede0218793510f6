import { paceOf } from '../../activities/pace.ts';
import { meanOf } from '../../algorithms/statistics/spread.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import type { Activity } from '../../providers/provider.ts';
import { rounded } from '../../tools/results/rounded.ts';
import { activityLoad } from '../load/activity-load.ts';
import { efficiencyFactorOf } from '../metrics/endurance-metrics.ts';

/** One metric of an activity and of others. */
export interface ComparedMetric {
  readonly metric: string;
  readonly value: number | null;
  /** The mean of those that have the metric. */
  readonly others: number | null;
  readonly difference: number | null;
  readonly difference_percent: number | null;
  /** Null where neither direction is better. */
  readonly better: boolean | null;
}

interface Metric {
  readonly valueOf: (activity: Activity, athlete: AthleteFigures) => number | null;
  readonly better?: 'higher' | 'lower';
  readonly digits?: number;
}

const METRICS: Readonly<Record<string, Metric>> = {
  distance_m: { valueOf: ({ distance_m }) => distance_m },
  moving_time_s: { valueOf: ({ moving_time_s }) => moving_time_s },
  elevation_gain_m: { valueOf: ({ elevation_gain_m }) => elevation_gain_m },
  pace_s: {
    valueOf: (activity) => {
      const pace = paceOf(activity);
      return pace.ok ? pace.value : null;
    },
    better: 'lower',
  },
  average_heart_rate: { valueOf: ({ average_heart_rate }) => average_heart_rate },
  normalized_power_w: { valueOf: ({ normalized_power_w }) => normalized_power_w, better: 'higher' },
  efficiency_factor: {
    valueOf: (activity) => {
      const factor = efficiencyFactorOf({ activity });
      return factor.ok ? factor.value : null;
    },
    better: 'higher',
    digits: 3,
  },
  load: {
    valueOf: (activity, athlete) => {
      const load = activityLoad(activity, athlete);
      return load.ok ? load.value : null;
    },
  },
};

/** The metrics that the activity has, beside the means of the others. */
export function compareMetrics(
  activity: Activity,
  others: readonly Activity[],
  athlete: AthleteFigures,
): readonly ComparedMetric[] {
  return Object.entries(METRICS).flatMap(
    ([metric, { valueOf, better, digits = 1 }]): readonly ComparedMetric[] => {
      const value = valueOf(activity, athlete);
      if (value === null) return [];
      const mean = meanOf(others.flatMap((other) => valueOf(other, athlete) ?? []));
      const row = { metric, value: rounded(value, digits) };
      if (mean === undefined)
        return [{ ...row, others: null, difference: null, difference_percent: null, better: null }];
      const difference = value - mean;
      return [
        {
          ...row,
          others: rounded(mean, digits),
          difference: rounded(difference, digits),
          difference_percent: mean === 0 ? null : rounded((100 * difference) / mean),
          better: better === undefined || difference === 0 ? null : difference > 0 === (better === 'higher'),
        },
      ];
    },
  );
}
