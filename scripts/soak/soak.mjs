/** Runs the soak: a crowd of clients for a time, with samples of the server during and after it. */
import { setTimeout as wait } from 'node:timers/promises';
import { Crowd } from './crowd.mjs';
import { Tally } from './tally.mjs';
import { WatchedServer } from './watched-server.mjs';

const SAMPLE_MS = 10_000;
const WARM_UP_MS = 60_000;
/** Maximum time until leftovers are gone. */
const SETTLE_MS = 30_000;
/** Promised maximum growth of the heap in ten minutes, in bytes. */
export const MAX_SLOPE = 1_048_576;

/** Runs for a number of minutes and a minimum number of actions, and returns the figures. `onSample` gets the progress. */
export async function soak(
  { minutes, things = 0, sampleMs = SAMPLE_MS, settleMs = SETTLE_MS, server: file },
  onSample = () => {},
) {
  const settled = (server, holds) => sampleUntil(server, holds, settleMs);
  const durationMs = minutes * 60_000;
  const warmUpMs = Math.min(WARM_UP_MS, durationMs / 4);
  const server = await WatchedServer.start(file);
  const start = await server.sample();
  const tally = new Tally();
  const crowd = new Crowd(server.url, tally);
  await crowd.start();
  const began = performance.now();
  const samples = [];
  while (performance.now() - began < durationMs || tally.total < things) {
    const left = durationMs - (performance.now() - began);
    await wait(left > 0 ? Math.min(sampleMs, left) : sampleMs);
    const sample = await crowd.rest(() => settled(server, (seen) => seen.running === 0));
    samples.push({ ...sample, ms: performance.now() - began, total: tally.total });
    crowd.isHurried = performance.now() - began < warmUpMs;
    onSample({ ...samples.at(-1), lost: tally.lost, duplicated: tally.duplicated });
  }
  await crowd.stop();
  const isAsBefore = ({ resources, open, running }) =>
    open === 0 && running === 0 && moreThan(resources, start.resources).length === 0;
  const end = await settled(server, isAsBefore);
  const exit = await server.close(settleMs);
  return {
    minutes,
    clients: crowd.size,
    tally,
    start,
    end,
    samples,
    exit,
    complaints: server.complaints,
    slope: slopeOf(samples, warmUpMs),
    leftBehind: moreThan(end.resources, start.resources),
    /** Difference between runs of `echo` and responses to it. */
    difference: end.echoed - tally.echoed,
  };
}

/** Samples until a condition holds or time is up. Returns the last sample. */
async function sampleUntil(server, holds, withinMs) {
  const end = performance.now() + withinMs;
  for (;;) {
    const sample = await server.sample();
    if (holds(sample) || performance.now() > end) return sample;
    await wait(100);
  }
}

/** Kinds of resources whose number has grown. */
function moreThan(now, before) {
  return Object.entries(now)
    .filter(([kind, count]) => count > (before[kind] ?? 0))
    .map(([kind, count]) => `${kind}: ${count} instead of ${before[kind] ?? 0}`);
}

/** Growth of the heap in ten minutes, in bytes, by linear regression. */
export function slopeOf(samples, warmUpMs) {
  const counted = samples.filter(({ ms }) => ms >= warmUpMs);
  if (counted.length < 2) return 0;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanMs, meanHeap] = [
    mean(counted.map(({ ms }) => ms)),
    mean(counted.map(({ heapUsed }) => heapUsed)),
  ];
  const above = counted.reduce((sum, { ms, heapUsed }) => sum + (ms - meanMs) * (heapUsed - meanHeap), 0);
  const below = counted.reduce((sum, { ms }) => sum + (ms - meanMs) ** 2, 0);
  return (above / below) * 600_000;
}
