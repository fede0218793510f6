/**
 * The short form of `npm run soak` (docs/soak.md), with the same clients and the same server. The long form bounds the slope of the heap
 * over ten minutes; the short form bounds the growth of the heap per action of a client.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../support/dist.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { weakenedApp } from './support/weakened-app.ts';
import { isLong, promise } from './support/promise.ts';

const SERVER = join(ROOT, 'scripts/soak/server.mjs');
/** Minimum duration and minimum number of client actions. */
const LENGTH = { seconds: isLong ? 60 : 8, things: 4000 };
/** Enough for a leak to show on any machine. */
const WEAK_LENGTH = { seconds: 3, things: 1200 };
/** Time for open resources to be released after the end. */
const SETTLE_MS = 15_000;
const WEAK_SETTLE_MS = 1000;
/** Maximum growth of the heap per action: optimized code takes about 200 bytes, a request that is kept 7 KB. */
const MAX_GROWTH = 1024;

interface Sample {
  readonly heapUsed: number;
  /** Number of actions so far. */
  readonly total: number;
  readonly open: number;
  readonly running: number;
  readonly listeners: number;
}

/** Result of a soak test, see scripts/soak/soak.mjs. */
interface Found {
  readonly clients: number;
  readonly tally: {
    readonly done: Readonly<Record<string, number>>;
    readonly lost: number;
    readonly duplicated: number;
    readonly reasons: readonly string[];
  };
  readonly start: Sample;
  readonly end: Sample;
  readonly samples: readonly Sample[];
  readonly difference: number;
  readonly leftBehind: readonly string[];
  readonly complaints: string;
  readonly exit: string;
}

async function soak(without: readonly Weakness[]): Promise<void> {
  const isWeak = without.length > 0;
  const options = {
    ...(isWeak ? WEAK_LENGTH : LENGTH),
    settleMs: isWeak ? WEAK_SETTLE_MS : SETTLE_MS,
  };
  const server = await weakenedApp(SERVER, without);
  const child = await ChildServer.start('soaking.mjs', { args: [JSON.stringify({ ...options, server })] });
  const { found } = await child.hear<{ found: Found }>('found');
  const { tally, samples, start, end } = found;
  const why = tally.reasons.join('\n');
  expect(found.clients, 'clients').toBe(50);
  expect(tally.duplicated, `messages that came twice\n${why}`).toBe(0);
  expect(tally.lost, `things that were lost\n${why}`).toBe(0);
  expect(found.difference, 'difference between runs of echo and responses to it').toBe(0);
  expect(Math.max(...samples.map(({ running }) => running)), 'handlers that run while all rest').toBe(0);
  const warm = samples.find(({ total }) => total >= options.things / 4) ?? start;
  const last = samples.at(-1) ?? start;
  expect(last.total - warm.total, 'things done by a server that was warm').toBeGreaterThan(
    options.things / 4,
  );
  const growth = (last.heapUsed - warm.heapUsed) / (last.total - warm.total);
  expect(growth, 'bytes that the heap grows by with each thing').toBeLessThanOrEqual(MAX_GROWTH);
  expect(found.leftBehind, 'handles and timers left behind').toEqual([]);
  expect(end, 'what is left when all have gone').toMatchObject({
    open: 0,
    running: 0,
    listeners: start.listeners,
  });
  expect(found.complaints, 'the standard error').toBe('');
  expect(found.exit, 'the exit code').toBe('0');
  // Every action must occur, or it was not tested.
  expect(Object.keys(tally.done).sort(), 'things that clients did').toEqual([
    'cancel',
    'change',
    'echo',
    'elicitation',
    'error',
    'list',
    'read, get, complete',
    'reconnect',
    'resume',
    'stream',
    'subscription',
    'task',
  ]);
}

promise('a soak without loss or leak', {
  timeoutMs: 180_000,
  checks: { 'fifty clients lose nothing, hear nothing twice and leave nothing behind': soak },
  switches: [
    {
      defence: 'the end of keep-alive',
      off: [{ module: 'transport/http/gate/keep-alive.js', defence: 'end-of-keep-alive' }],
      red: /bytes that the heap grows by/,
    },
    {
      defence: 'clearing of call timers',
      off: [{ module: 'base/time/countdown.js', defence: 'end-of-a-timer' }],
      red: /handles and timers left behind|bytes that the heap grows by/,
    },
    {
      defence: 'the check of delivered events',
      off: [
        {
          module: 'transport/http/legacy/event-stream.js',
          defence: 'events-already-seen',
          by: 'startOf(this.id)',
        },
      ],
      red: /messages that came twice/,
    },
  ],
});
