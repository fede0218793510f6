import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { lttbIndexes } from './lttb.ts';
import type { Stream } from './lttb.ts';

export interface Downsampled {
  readonly time_s: readonly number[];
  readonly streams: Readonly<Record<string, Stream>>;
  /** Indexes of the kept samples in the input. */
  readonly indexes: readonly number[];
}

/**
 * At most `max_points` samples of a time and its streams that keep the shape (LTTB), the highest and the lowest value
 * of each stream, the first and the last sample. No sample is changed. If there are fewer points than extremes, the
 * highest values are kept before the lowest, in the order of the streams.
 */
export function downsample(
  time_s: readonly number[],
  streams: Readonly<Record<string, Stream>>,
  max_points: number,
): Computed<Downsampled> {
  if (!Number.isInteger(max_points) || max_points < 3) {
    return refused(`max_points is ${max_points}: use a whole number from 3.`);
  }
  const odd = Object.entries(streams).find(([, stream]) => stream.length !== time_s.length);
  if (odd !== undefined) {
    return refused(`Stream "${odd[0]}" has ${odd[1].length} samples, but there are ${time_s.length} times.`);
  }
  const indexes = keptIndexes(time_s, Object.values(streams), max_points);
  const pick = <Value>(values: readonly Value[]): Value[] => indexes.map((index) => values[index] as Value);
  return computed({
    time_s: pick(time_s),
    streams: Object.fromEntries(Object.entries(streams).map(([name, stream]) => [name, pick(stream)])),
    indexes,
  });
}

function keptIndexes(time_s: readonly number[], streams: readonly Stream[], points: number): number[] {
  if (time_s.length <= points) return [...time_s.keys()];
  const last = time_s.length - 1;
  const extremes = [
    ...streams.map((stream) => extremeOf(stream, (a, b) => a > b)),
    ...streams.map((stream) => extremeOf(stream, (a, b) => a < b)),
  ].filter((index) => index > 0 && index < last);
  const forced = [...new Set(extremes)].slice(0, points - 2);
  const shape = lttbIndexes(time_s, streams, points - forced.length);
  return [...new Set([...shape, ...forced])].toSorted((a, b) => a - b);
}

/** The index of the first value that no other exceeds; −1 if all are missing. */
function extremeOf(stream: Stream, exceeds: (a: number, b: number) => boolean): number {
  let found = -1;
  let extreme = 0;
  for (const [index, value] of stream.entries()) {
    if (value === null || (found >= 0 && !exceeds(value, extreme))) continue;
    found = index;
    extreme = value;
  }
  return found;
}
