import { paceOf, paceUnitOf } from '../../activities/pace.ts';
import type { Activity, SportType } from '../../providers/provider.ts';

export const TREND_METRICS = ['pace', 'heart_rate', 'power', 'distance', 'duration'] as const;
export type TrendMetric = (typeof TREND_METRICS)[number];

/** A quantity of activities. */
export interface TrendMetricParts {
  readonly name: string;
  readonly unit: (sport: SportType | null) => string;
  /** Null if the activity does not have it. */
  readonly valueOf: (activity: Activity) => number | null;
  /** `each`: every activity has a value. `sum`: the values of several days are added. */
  readonly kind: 'each' | 'sum';
  /** The direction of an improvement; null if neither is. */
  readonly better: 'higher' | 'lower' | null;
}

const METRES_PER_KM = 1000;
const SECONDS_PER_HOUR = 3600;

export const TREND_METRIC_PARTS: Readonly<Record<TrendMetric, TrendMetricParts>> = {
  pace: {
    name: 'Pace',
    unit: (sport) => `s/${sport === null ? 'km' : paceUnitOf(sport)}`,
    valueOf: (activity) => {
      const pace = paceOf(activity);
      return pace.ok ? pace.value : null;
    },
    kind: 'each',
    better: 'lower',
  },
  heart_rate: {
    name: 'Average heart rate',
    unit: () => 'bpm',
    valueOf: ({ average_heart_rate }) => average_heart_rate,
    kind: 'each',
    better: null,
  },
  power: {
    name: 'Normalized power',
    unit: () => 'W',
    valueOf: ({ normalized_power_w }) => normalized_power_w,
    kind: 'each',
    better: 'higher',
  },
  distance: {
    name: 'Distance',
    unit: () => 'km',
    valueOf: ({ distance_m }) => (distance_m ?? 0) / METRES_PER_KM,
    kind: 'sum',
    better: null,
  },
  duration: {
    name: 'Moving time',
    unit: () => 'hours',
    valueOf: ({ moving_time_s }) => moving_time_s / SECONDS_PER_HOUR,
    kind: 'sum',
    better: null,
  },
};
