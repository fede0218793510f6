import { localDayOf } from '../../activities/local-time.ts';
import { toDate } from '../../calendar/days.ts';
import { rounded } from '../../tools/results/rounded.ts';
import type { LoadHistory, LoadOfDay } from './training-load-history.ts';

/** Load of a day or of some days, and the state after them. */
export interface LoadRow {
  /** First day, `YYYY-MM-DD`. */
  readonly date: string;
  readonly days: number;
  readonly load: number;
  readonly activities: number;
  readonly hours: number;
  readonly ctl: number;
  readonly atl: number;
  readonly tsb: number;
}

/** Rows of so many days each, the oldest first. The last row ends today, so the first one may have fewer days. */
export function toLoadRows({ days, period }: LoadHistory, length: number): readonly LoadRow[] {
  const rows: LoadRow[] = [];
  for (let end = days.length; end > 0; end -= length) {
    rows.unshift(toRow(days.slice(Math.max(0, end - length), end), period));
  }
  return rows;
}

function toRow(days: readonly LoadOfDay[], { activities }: LoadHistory['period']): LoadRow {
  const [first, last] = [days[0]?.day ?? 0, days.at(-1)];
  const done = activities.filter((activity) => {
    const day = localDayOf(activity);
    return day >= first && day <= (last?.day ?? first);
  });
  return {
    date: toDate(first),
    days: days.length,
    load: rounded(days.reduce((sum, { load }) => sum + load, 0)),
    activities: done.length,
    hours: rounded(done.reduce((sum, { moving_time_s }) => sum + moving_time_s, 0) / 3600),
    ctl: rounded(last?.ctl ?? 0),
    atl: rounded(last?.atl ?? 0),
    tsb: rounded(last?.tsb ?? 0),
  };
}
