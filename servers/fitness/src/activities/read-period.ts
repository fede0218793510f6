import { DAY_S, dayOf } from '../calendar/days.ts';
import type { Day } from '../calendar/days.ts';
import type { Activity, SportType } from '../providers/provider.ts';
import type { Source } from '../providers/source.ts';
import { localDayOf } from './local-time.ts';

/** The activities of some local days. */
export interface Period {
  /** Both inclusive. */
  readonly from: Day;
  readonly to: Day;
  /** The oldest first. */
  readonly activities: readonly Activity[];
}

export interface PeriodRequest {
  readonly source: Source;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Number of days, the last of them today. */
  readonly days: number;
  readonly sport_type?: SportType | undefined;
}

/** The activities of the last days. Today is the local day at the place of the newest activity. */
export async function readPeriod({ source, now, days, sport_type }: PeriodRequest): Promise<Period> {
  const seconds = Math.floor(now / 1000);
  // A day more, because local days begin before or after those of UTC.
  const listed = await source.listActivities({
    after: Math.max(0, seconds - (days + 1) * DAY_S),
    sport_type,
  });
  const to = dayOf(seconds + (listed[0]?.utc_offset_s ?? 0));
  return selectDays(listed.toReversed(), to - days + 1, to);
}

/** The part of a period, or of a list with the oldest first. */
export function selectDays(activities: readonly Activity[], from: Day, to: Day): Period {
  return {
    from,
    to,
    activities: activities.filter((activity) => {
      const day = localDayOf(activity);
      return day >= from && day <= to;
    }),
  };
}
