import { dayOf } from '../calendar/days.ts';
import type { Day } from '../calendar/days.ts';
import type { Activity } from '../providers/provider.ts';

type Start = Pick<Activity, 'start_time' | 'utc_offset_s'>;

/** The start of an activity in local time, ISO 8601; in UTC if the provider gives no offset. */
export function toLocalStart({ start_time, utc_offset_s }: Start): string {
  const local = new Date((start_time + (utc_offset_s ?? 0)) * 1000).toISOString().slice(0, 19);
  return `${local}${toOffset(utc_offset_s)}`;
}

/** The local day of the start, `YYYY-MM-DD`. */
export function toLocalDay(activity: Start): string {
  return toLocalStart(activity).slice(0, 10);
}

/** The local day of the start. */
export function localDayOf({ start_time, utc_offset_s }: Start): Day {
  return dayOf(start_time + (utc_offset_s ?? 0));
}

function toOffset(seconds: number | null): string {
  if (seconds === null || seconds === 0) return 'Z';
  const minutes = Math.round(Math.abs(seconds) / 60);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
