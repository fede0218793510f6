import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createServer, ToolRegistry } from '../../src/index.ts';
import { systemClock } from '../../src/collaborators.ts';
import { MemoryTaskStore } from '../../src/stores.ts';
import { audit } from '../../src/middleware.ts';
import type { AuditRecord } from '../../src/middleware.ts';
import { TokenCache } from '../../src/openapi/auth/tokens/token-cache.ts';
import { RemainderStore } from '../../src/openapi/response/model/remainder-store.ts';
import { readErrorAnswer } from '../../src/openapi/response/failure/error-answer.ts';
import { CircuitBreaker } from '../../src/base/time/circuit-breaker.ts';
import { servedOf } from '../../src/server/served-of.ts';
import { MemoryCacheStore } from '../../src/stores/cache-store.ts';
import { MemoryConfirmationStore } from '../../src/stores/confirmation-store.ts';
import { TaskRunner } from '../../src/tasks/task-runner.ts';
import { SessionTable } from '../../src/transport/http/legacy/session-table.ts';
import { shakeHands } from '../../src/wire/served/handshake.ts';
import { KeyRing } from '../../src/stores/sealing/key-ring.ts';
import { Sealer } from '../../src/stores/sealing/sealer.ts';
import { taskOf, text } from './tasks/bench.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 16, 12);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A state with a duration of 1000 ms: a function that begins it, and one that returns whether it still holds. */
type Begin = () => () => unknown;

const HELD: readonly (readonly [what: string, begin: Begin])[] = [
  [
    'the window of a rate limit',
    () => {
      const registry = new ToolRegistry({ rateLimit: { limit: 1, perMs: 1000 } }).register({
        name: 'ping',
        description: 'Answers',
        inputSchema: z.object({}),
        handler: () => 'pong',
      });
      const ping = async (): Promise<boolean> =>
        (await registry.executeTool({ name: 'ping' })).isError === true;
      void ping();
      return ping;
    },
  ],
  [
    'an open circuit breaker',
    () => {
      const breaker = new CircuitBreaker(systemClock, { failures: 1, restMs: 1000 });
      breaker.failed();
      return () => (breaker.waitMs() ?? 0) > 0;
    },
  ],
  [
    'an entry of the cache',
    () => {
      const cache = new MemoryCacheStore();
      cache.set('key', 'value', 1000);
      return () => cache.get('key') !== undefined;
    },
  ],
  [
    'a confirmation',
    () => {
      const store = new MemoryConfirmationStore();
      store.put('early', 'binding', 1000);
      store.put('late', 'binding', 1000);
      const tokens = ['early', 'late'];
      return () => store.take(tokens.shift() ?? '') !== undefined;
    },
  ],
  [
    'a session that nobody uses',
    () => {
      const served = servedOf(createServer({ name: 's', version: '1' }));
      const handshake = shakeHands(served, { protocolVersion: '2025-11-25', capabilities: {} });
      if ('error' in handshake) throw new Error('no handshake');
      const table = new SessionTable(served, { idleMs: 1000 });
      table.open(handshake, { owner: 'ada', isAnonymous: false }, { account: served.memory.anonymous });
      // Of another caller: looking it up prolongs nothing.
      return () => (table.find('0'.repeat(32), 'ada'), table.size > 0);
    },
  ],
  [
    'a task that has ended',
    () => {
      const store = new MemoryTaskStore();
      const at = new Date().toISOString();
      const task = { taskId: 't', owner: 'ada', createdAt: at, lastUpdatedAt: at, pollIntervalMs: 1 };
      store.put({ ...task, status: 'completed', ttlMs: 1000 });
      return () => store.get('t') !== undefined;
    },
  ],
  [
    'the rest of a long answer',
    () => {
      const store = new RemainderStore({ ttlMs: 1000 });
      const content = { kind: 'text', text: 'long' } as const;
      const rest = { owner: 'ada', what: 'GET /pets', content, nextPage: undefined, structured: false };
      const ids = [store.keep(rest), store.keep(rest)];
      return () => store.find(ids.shift() ?? '', 'ada') !== undefined;
    },
  ],
  [
    'a token of an authorization server',
    () => {
      const cache = new TokenCache(systemClock, 10);
      const until = systemClock.now() + 1000;
      let fetched = 0;
      const get = async (): Promise<boolean> => {
        const before = fetched;
        await cache.get('key', new AbortController().signal, () => {
          fetched += 1;
          return Promise.resolve({ value: 'token', usedUntil: until, refreshToken: undefined });
        });
        return fetched === before;
      };
      void get();
      return get;
    },
  ],
];

describe.each([
  ['back', -HOUR],
  ['forward', HOUR],
])('while the time of the machine is set an hour %s', (_direction, jump) => {
  test.each(HELD)('%s holds for just as long', async (_what, begin) => {
    const holds = begin();
    await vi.advanceTimersByTimeAsync(999);
    vi.setSystemTime(Date.now() + jump);
    expect(await holds()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(await holds()).toBe(false);
  });

  test('a task is kept for just as long after its end, and tells how long it took', async () => {
    const store = new MemoryTaskStore();
    const logger = { debug() {}, info() {}, warning() {}, error() {} };
    const runner = new TaskRunner({ store, clock: systemClock, logger, ttlMs: 1000, createId: () => 't' });
    let finish = (): void => {};
    const work = new Promise<void>((resolve) => (finish = resolve));
    await runner.start(taskOf(async () => (await work, text('done'))));
    await vi.advanceTimersByTimeAsync(500);
    vi.setSystemTime(Date.now() + jump);
    finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(await runner.get('t', 'ada')).toMatchObject({
      status: 'completed',
      createdAt: '2026-11-16T12:00:00.000Z',
      lastUpdatedAt: '2026-11-16T12:00:00.500Z',
      ttlMs: 1500,
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(store.get('t')).toBeDefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(store.get('t')).toBeUndefined();
  });

  test('a duration is as long as it took, and moments that leave the process are those of the machine', async () => {
    const records: AuditRecord[] = [];
    const registry = new ToolRegistry({ timeoutMs: 60_000 })
      .use(audit({ write: (record) => void records.push(record) }))
      .register({
        name: 'slow',
        description: 'Takes its time',
        inputSchema: z.object({}),
        handler: () => new Promise((resolve) => setTimeout(resolve, 2000, 'done')),
      });
    const reply = registry.executeTool({ name: 'slow' });
    await vi.advanceTimersByTimeAsync(1000);
    vi.setSystemTime(Date.now() + jump);
    await vi.advanceTimersByTimeAsync(1000);
    await reply;
    expect(records.at(-1)).toMatchObject({ at: START, durationMs: 2000 });
    await registry.executeTool({ name: 'nothing' });
    void registry.executeTool({ name: 'slow' });
    await vi.advanceTimersByTimeAsync(0);
    expect(records.at(-1)).toMatchObject({ at: START + 2000 + jump });
  });

  test('sealed state, which other machines open, ends by the time of the machine', async () => {
    const ring = new KeyRing(['k'.repeat(32)]);
    const options = {
      ring,
      purpose: 'request state',
      ttlMs: 1000,
      clock: systemClock,
      maxChars: 10_000,
    } as const;
    const state = { answers: {}, steps: {}, round: 1 };
    vi.setSystemTime(START + jump);
    const sealed = await new Sealer(options).seal(state, 'binding');
    // Another machine has another monotonic origin, and the same wall time.
    await vi.advanceTimersByTimeAsync(999);
    expect(await new Sealer(options).open(sealed, 'binding')).toEqual(state);
    vi.setSystemTime(START + jump + 1000);
    expect(await new Sealer(options).open(sealed, 'binding')).toBeUndefined();
  });

  test('a moment that another server names is read by the time of the machine', () => {
    vi.setSystemTime(START + jump);
    const until = new Date(START + jump + 60_000).toUTCString();
    const headers = new Map([['retry-after', until]]);
    const answer = { status: 429, headers, body: Buffer.alloc(0) };
    const { _meta } = readErrorAnswer(answer, { what: 'GET /pets' } as Parameters<typeof readErrorAnswer>[1]);
    expect(_meta?.['toolwright/error']).toMatchObject({ retryAfterMs: 60_000 });
  });
});
