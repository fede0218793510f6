import type { Computed } from '../../algorithms/computed.ts';
import { trainingLoad } from '../../algorithms/load/training-load.ts';
import type { DayLoad } from '../../algorithms/load/training-load.ts';
import { localDayOf } from '../../activities/local-time.ts';
import { readPeriod, selectDays } from '../../activities/read-period.ts';
import type { Period } from '../../activities/read-period.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import { toDate } from '../../calendar/days.ts';
import type { Day } from '../../calendar/days.ts';
import type { Source } from '../../providers/source.ts';
import { dailyLoads } from './daily-loads.ts';

/** Load of a day, and fitness (CTL), fatigue (ATL) and form (TSB) after it. */
export interface LoadOfDay extends DayLoad {
  readonly day: Day;
  readonly load: number;
}

/** Training load of the days of a period. */
export interface LoadHistory {
  readonly period: Period;
  /** All days of the period, the oldest first; the last one is today. */
  readonly days: readonly LoadOfDay[];
  /** The days of a year, for values that need days before the period. */
  readonly history: readonly LoadOfDay[];
  readonly notes: readonly string[];
}

export interface LoadRequest {
  readonly source: Source;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** At most 365. */
  readonly days: number;
  readonly athlete: AthleteFigures;
}

/** The same for every period, so that the load of a day does not depend on the period. */
const HISTORY_DAYS = 365;

/** The training load of the last days. Days before the oldest activity count as rest. */
export async function readTrainingLoad({
  source,
  now,
  days,
  athlete,
}: LoadRequest): Promise<Computed<LoadHistory>> {
  const whole = await readPeriod({ source, now, days: HISTORY_DAYS });
  const { loads, notes } = dailyLoads(whole, athlete);
  const { ctl_days, atl_days, load_smoothing } = athlete.configuration;
  const computed = trainingLoad(loads, { ctl_days, atl_days, smoothing: load_smoothing });
  if (!computed.ok) return computed;
  const history = computed.value.map((load, index) => ({
    day: whole.from + index,
    load: loads[index] ?? 0,
    ...load,
  }));
  return {
    ok: true,
    value: {
      period: selectDays(whole.activities, whole.to - days + 1, whole.to),
      days: history.slice(-days),
      history,
      notes: [...notes, ...noteShortHistory(whole, ctl_days)],
    },
  };
}

/** The days from the first one with load on: days before it would count as rest, and any training after them as a leap. */
export function daysSinceFirstLoad({ history }: LoadHistory): readonly LoadOfDay[] {
  const first = history.findIndex(({ load }) => load > 0);
  return first === -1 ? [] : history.slice(first);
}

function noteShortHistory({ to, activities }: Period, ctl_days: number): readonly string[] {
  const [oldest] = activities;
  if (oldest === undefined) return ['There is no activity in this time.'];
  const first = localDayOf(oldest);
  if (to - first >= 3 * ctl_days) return [];
  return [`The oldest activity is of ${toDate(first)}: chronic load (${ctl_days} days) is still too low.`];
}
