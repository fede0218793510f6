import { DAY_S, FIRST_MONDAY } from '../calendar/days.ts';
import type { Day } from '../calendar/days.ts';
import { firstDayOf, MONTH_NAMES, monthOf } from '../calendar/months.ts';

export interface TimeTick {
  readonly day: Day;
  readonly label: string;
}

const MAX_TICKS = 8;
const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3));

/** At most eight days of an axis with their labels: every day, Mondays, or first days of months. */
export function listTimeTicks(from: Day, to: Day): readonly TimeTick[] {
  for (const days of [1, 2, 7, 14]) {
    if ((to - from) / days < MAX_TICKS) return listDays({ from, to, days });
  }
  const months = monthOf(to) - monthOf(from);
  const step =
    [1, 2, 3, 6, 12].find((each) => months / each < MAX_TICKS) ??
    12 * Math.ceil(months / 12 / (MAX_TICKS - 1));
  return listMonths({ from, to, step });
}

/** Every so many days; whole weeks begin on Mondays. */
function listDays({
  from,
  to,
  days,
}: {
  readonly from: Day;
  readonly to: Day;
  readonly days: number;
}): readonly TimeTick[] {
  const ticks: TimeTick[] = [];
  const first = days < 7 ? from : from + ((((FIRST_MONDAY - from) % 7) + 7) % 7);
  for (let day = first; day <= to; day += days) {
    const date = new Date(day * DAY_S * 1000);
    ticks.push({ day, label: `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}` });
  }
  return ticks;
}

function listMonths({
  from,
  to,
  step,
}: {
  readonly from: Day;
  readonly to: Day;
  readonly step: number;
}): readonly TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let month = Math.ceil(monthOf(from) / step) * step; month <= monthOf(to); month += step) {
    const day = firstDayOf(month);
    if (day < from) continue;
    ticks.push({ day, label: `${MONTHS[month % 12]} ${Math.floor(month / 12)}` });
  }
  return ticks;
}
