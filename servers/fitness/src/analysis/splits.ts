import { rounded } from '../tools/results/rounded.ts';
import { findSamples } from './session.ts';
import type { Session } from './session.ts';

/** A part of an activity of equal distance; the last one may be shorter. */
export interface Split {
  readonly end_m: number;
  readonly seconds: number;
  readonly speed_mps: number;
  readonly average_heart_rate: number | null;
  readonly average_power_w: number | null;
  readonly climb_m: number | null;
}

const LENGTHS_M = [100, 500, 1000, 5000, 10_000, 50_000];
const MAX_SPLITS = 30;

/** At most 30 splits of a round distance. None without samples of distance. */
export function listSplits(session: Session): readonly Split[] {
  const distances = findSamples(session, 'distance_m');
  const total = distances?.findLast((value) => value !== null);
  if (distances === undefined || total === undefined || total === null || total <= 0) return [];
  const length = LENGTHS_M.find((each) => total / each <= MAX_SPLITS && each >= shortestOf(session)) ?? total;
  const splits: Split[] = [];
  let start = 0;
  for (const [index, distance] of distances.entries()) {
    const isLast = index === distances.length - 1;
    if (!isLast && (distance === null || distance < (splits.length + 1) * length)) continue;
    if (index > start) splits.push(toSplit(session, start, index));
    start = index;
  }
  return splits;
}

function shortestOf({ activity: { sport_type } }: Session): number {
  return sport_type === 'swim' ? 100 : 1000;
}

/** Samples after `start` up to `end`. */
function toSplit(session: Session, start: number, end: number): Split {
  const times = session.streams?.time_s ?? [];
  const distances = findSamples(session, 'distance_m') ?? [];
  const seconds = (times[end] ?? 0) - (times[start] ?? 0);
  const end_m = lastOf(distances, end);
  const part = (name: 'heart_rate' | 'power_w'): number | null =>
    meanOfPart(findSamples(session, name), start, end);
  return {
    end_m: rounded(end_m, 0),
    seconds,
    speed_mps: seconds <= 0 ? 0 : rounded((end_m - lastOf(distances, start)) / seconds, 2),
    average_heart_rate: part('heart_rate'),
    average_power_w: part('power_w'),
    climb_m: climbOf(findSamples(session, 'altitude_m'), start, end),
  };
}

type Samples = readonly (number | null)[] | undefined;

function lastOf(samples: readonly (number | null)[], index: number): number {
  return samples.slice(0, index + 1).findLast((value) => value !== null) ?? 0;
}

function meanOfPart(samples: Samples, start: number, end: number): number | null {
  const known = (samples?.slice(start + 1, end + 1) ?? []).filter((value) => value !== null);
  return known.length === 0 ? null : rounded(known.reduce((sum, value) => sum + value, 0) / known.length);
}

function climbOf(samples: Samples, start: number, end: number): number | null {
  const known = (samples?.slice(start, end + 1) ?? []).filter((value) => value !== null);
  if (known.length < 2) return null;
  return rounded(
    known.reduce((sum, value, index) => sum + Math.max(0, value - (known[index - 1] ?? value)), 0),
  );
}
