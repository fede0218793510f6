import { computed, refused } from '../algorithms/computed.ts';
import type { Computed } from '../algorithms/computed.ts';
import { PHYSIOLOGICAL_LIMITS } from '../algorithms/physiological-limits.ts';
import { secondsOf } from '../algorithms/streams/seconds.ts';
import { athleteFigures } from '../athlete/athlete-figures.ts';
import type { AthleteFigures } from '../athlete/athlete-figures.ts';
import type { FitnessContext } from '../context.ts';
import type { Activity, ActivityStreams } from '../providers/provider.ts';
import type { Source } from '../providers/source.ts';

/** One activity with its samples, and the figures of its athlete. */
export interface Session {
  readonly activity: Activity;
  /** Undefined if the provider has none. */
  readonly streams: ActivityStreams | undefined;
  readonly athlete: AthleteFigures;
}

export async function readSession(
  context: Pick<FitnessContext, 'database' | 'caller' | 'now'>,
  source: Source,
  id: string,
): Promise<Session> {
  const activity = await source.getActivity(id);
  const streams = source.has('streams') ? await source.findStreams(id) : undefined;
  return { activity, streams, athlete: await athleteFigures(context, source) };
}

/** A stream of a session, in which implausible heart rates are missing: sensors without contact send 0. */
export function findSamples(
  { streams }: Session,
  name: Exclude<keyof ActivityStreams, 'time_s'>,
): readonly (number | null)[] | undefined {
  const samples = streams?.[name];
  if (name !== 'heart_rate') return samples;
  const { min, max } = PHYSIOLOGICAL_LIMITS.heart_rate;
  return samples?.map((rate) => (rate !== null && rate >= min && rate <= max ? rate : null));
}

const NOUNS = { heart_rate: 'heart rate', power_w: 'power' } as const;

/** One value a second of heart rate or power. */
export function secondsOfSession(session: Session, name: keyof typeof NOUNS): Computed<readonly number[]> {
  const samples = findSamples(session, name);
  const seconds = samples === undefined ? [] : secondsOf(session.streams?.time_s ?? [], samples);
  return seconds.length === 0 ? refused(`The activity has no samples of ${NOUNS[name]}.`) : computed(seconds);
}
