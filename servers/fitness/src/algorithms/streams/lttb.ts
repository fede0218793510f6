/** A stream of samples; a missing sample is null. */
export type Stream = readonly (number | null)[];

interface Chart {
  readonly time: readonly number[];
  readonly streams: readonly Stream[];
  /** 1 / (maximum − minimum) of each stream, so that no unit outweighs another; 0 if a stream is constant. */
  readonly scales: readonly number[];
}

/**
 * Indexes of the samples that Largest-Triangle-Three-Buckets (Steinarsson 2013) keeps: the first, the last, and of each
 * bucket the one with the largest triangle to the kept one before and the mean of the next bucket. With several
 * streams, the areas are added.
 */
export function lttbIndexes(time: readonly number[], streams: readonly Stream[], points: number): number[] {
  const last = time.length - 1;
  if (points >= time.length) return [...time.keys()];
  if (points < 3) return [0, last];
  const chart = { time, streams, scales: streams.map(scaleOf) };
  const size = (last - 1) / (points - 2);
  const kept = [0];
  for (let bucket = 0; bucket < points - 2; bucket += 1) {
    const from = Math.floor(bucket * size) + 1;
    const to = Math.floor((bucket + 1) * size) + 1;
    const next = Math.min(last, Math.floor((bucket + 2) * size));
    kept.push(largest(chart, [kept.at(-1) ?? 0, from, to], Math.max(to, next)));
  }
  kept.push(last);
  return kept;
}

/** The best index of `from` (included) to `to` (excluded); the next bucket is `to` to `next`, both included. */
function largest(chart: Chart, [before, from, to]: readonly [number, number, number], next: number): number {
  const timeAfter = meanBetween(chart.time, to, next) ?? 0;
  const after = chart.streams.map((stream) => meanBetween(stream, to, next));
  let best = from;
  let bestArea = -1;
  for (let index = from; index < to; index += 1) {
    let area = 0;
    for (const [number, stream] of chart.streams.entries()) {
      const a = stream[before] ?? undefined;
      const b = stream[index] ?? undefined;
      const c = after[number];
      if (a === undefined || b === undefined || c === undefined) continue;
      const [ta, tb] = [chart.time[before] ?? 0, chart.time[index] ?? 0];
      area += Math.abs((ta - timeAfter) * (b - a) - (ta - tb) * (c - a)) * (chart.scales[number] ?? 0);
    }
    if (area > bestArea) {
      bestArea = area;
      best = index;
    }
  }
  return best;
}

function meanBetween(stream: Stream, from: number, to: number): number | undefined {
  let sum = 0;
  let count = 0;
  for (let index = from; index <= to; index += 1) {
    const value = stream[index] ?? null;
    if (value === null) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}

function scaleOf(stream: Stream): number {
  let low = Infinity;
  let high = -Infinity;
  for (const value of stream) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high > low ? 1 / (high - low) : 0;
}
