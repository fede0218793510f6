import type { Activity, SportType } from '../providers/provider.ts';
import { toLocalDay } from './local-time.ts';

/** The sums of the activities of one sport in one period. */
export interface ActivityTotals {
  readonly period: Period;
  readonly sport_type: SportType | 'all';
  readonly activities: number;
  readonly distance_m: number;
  readonly moving_time_s: number;
  readonly elevation_gain_m: number;
  readonly energy_kcal: number;
}

type Period = 'last_4_weeks' | 'year_to_date' | 'all_time';

const DAY_MS = 86_400_000;

/** Totals by period and sport, with the days of the start. Periods are by local days, up to and with `now` (milliseconds since 1970). */
export function totalActivities(
  activities: readonly Activity[],
  now: number,
): { readonly since: Readonly<Record<Period, string | null>>; readonly totals: readonly ActivityTotals[] } {
  const days = activities.map((activity) => toLocalDay(activity)).toSorted();
  const since: Record<Period, string | null> = {
    last_4_weeks: new Date(now - 27 * DAY_MS).toISOString().slice(0, 10),
    year_to_date: `${new Date(now).toISOString().slice(0, 4)}-01-01`,
    all_time: days[0] ?? null,
  };
  const periods = Object.entries(since) as [Period, string | null][];
  const totals = periods.flatMap(([period, first]) =>
    first === null
      ? []
      : totalBySport(
          period,
          activities.filter((activity) => toLocalDay(activity) >= first),
        ),
  );
  return { since, totals };
}

/** All sports together first, then each by the time spent. */
function totalBySport(period: Period, activities: readonly Activity[]): ActivityTotals[] {
  const sports = [...new Set(activities.map(({ sport_type }) => sport_type))];
  const bySport = sports.map((sport) =>
    total(
      { period, sport_type: sport },
      activities.filter(({ sport_type }) => sport_type === sport),
    ),
  );
  const sorted = bySport.toSorted((one, other) => other.moving_time_s - one.moving_time_s);
  return [total({ period, sport_type: 'all' }, activities), ...sorted];
}

function total(
  of: Pick<ActivityTotals, 'period' | 'sport_type'>,
  activities: readonly Activity[],
): ActivityTotals {
  const sum = (valueOf: (activity: Activity) => number | null): number =>
    Math.round(activities.reduce((so, activity) => so + (valueOf(activity) ?? 0), 0));
  return {
    ...of,
    activities: activities.length,
    distance_m: sum(({ distance_m }) => distance_m),
    moving_time_s: sum(({ moving_time_s }) => moving_time_s),
    elevation_gain_m: sum(({ elevation_gain_m }) => elevation_gain_m),
    energy_kcal: sum(({ energy_kcal }) => energy_kcal),
  };
}
