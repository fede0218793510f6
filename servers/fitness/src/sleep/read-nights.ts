import { ToolError } from 'toolwright';
import type { ToolContext } from 'toolwright';
import { dayOf, toDate } from '../calendar/days.ts';
import type { FitnessContext } from '../context.ts';
import type { SleepNight } from '../providers/provider.ts';
import type { ProviderName } from '../providers/providers.ts';
import type { Source } from '../providers/source.ts';

/** Nights, and their origin. */
export interface Nights {
  /** Null for nights that came with the call. */
  readonly provider: string | null;
  /** The oldest first; at least one. */
  readonly nights: readonly SleepNight[];
  readonly newest: SleepNight;
  readonly notes: readonly string[];
}

/** Nights of the call. A field that is not given was not measured. */
export type GivenNight = { readonly duration_hours: number; readonly date?: string | undefined } & {
  readonly [TName in Exclude<keyof SleepNight, 'date' | 'duration_hours'>]?: number | undefined;
};

export interface NightsRequest {
  readonly given?: readonly GivenNight[] | undefined;
  /** Undefined: the default provider. */
  readonly name: ProviderName | undefined;
  /** Number of days, the last of them today. */
  readonly days: number;
}

/** The nights of the call, else of a provider. Rejects if there are none. */
export async function readNights(
  context: ToolContext<FitnessContext>,
  { given, name, days }: NightsRequest,
): Promise<Nights> {
  const now = context.now();
  if (given !== undefined) {
    const today = toDate(dayOf(now / 1000));
    return toNights(
      null,
      given.map((night) => toNight(night, today)),
      [],
    );
  }
  const source = await context.sources.choose({ name, feature: 'sleep', signal: context.signal });
  const nights = await listNights(source, { now, days });
  return toNights(source.provider, nights, [...source.notes, ...source.lacks('hrv')]);
}

/** The nights of the last days, the oldest first. */
export function listNights(
  source: Source,
  { now, days }: { readonly now: number; readonly days: number },
): Promise<readonly SleepNight[]> {
  const today = dayOf(now / 1000);
  // A day more: in the east, the night of today ends on the next day of UTC.
  return source.listSleep({ from: toDate(today - days + 1), to: toDate(today + 1) });
}

function toNights(provider: string | null, listed: readonly SleepNight[], notes: readonly string[]): Nights {
  const nights = listed.toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const newest = nights.at(-1);
  if (newest === undefined)
    throw new ToolError(`The provider ${provider} has no night of these days.`, {
      suggestions: ['Ask for more days, or give the nights with the call.'],
    });
  return { provider, nights, newest, notes };
}

function toNight(night: GivenNight, today: string): SleepNight {
  return {
    date: night.date ?? today,
    duration_hours: night.duration_hours,
    efficiency_percent: night.efficiency_percent ?? null,
    deep_sleep_hours: night.deep_sleep_hours ?? null,
    rem_sleep_hours: night.rem_sleep_hours ?? null,
    light_sleep_hours: night.light_sleep_hours ?? null,
    awakenings: night.awakenings ?? null,
    hrv_rmssd_ms: night.hrv_rmssd_ms ?? null,
  };
}
