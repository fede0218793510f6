import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { MemoryRateLimitStore } from 'toolwright/stores';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { DatabaseRateLimitStore } from '../../src/limits/database-rate-limit-store.ts';

const script = fileURLToPath(new URL('consume-calls.mjs', import.meta.url));
let folder: string;
let file: string;
let database: Database;
let clock: FakeClock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitness-limits-'));
  file = join(folder, 'limits.db');
  database = openDatabase(file);
  clock = new FakeClock();
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const rows = (): unknown => database.all('SELECT key, ends_at, count FROM rate_windows ORDER BY key');

test('a window has exactly its limit of calls, and a rejected call says when it ends', () => {
  const store = new DatabaseRateLimitStore(database, { clock });
  const consume = (): unknown => store.consume('a', { limit: 2, perMs: 1000 });
  expect(consume()).toEqual({ allowed: true });
  clock.advance(400);
  expect(consume()).toEqual({ allowed: true });
  expect(consume()).toEqual({ allowed: false, retryAfterMs: 600 });
  expect(store.consume('b', { limit: 2, perMs: 1000 })).toEqual({ allowed: true });
  clock.advance(599);
  expect(consume()).toEqual({ allowed: false, retryAfterMs: 1 });
  clock.advance(1);
  expect(consume()).toEqual({ allowed: true });
  expect(rows()).toEqual([
    { key: 'a', ends_at: 1_002_000, count: 1 },
    { key: 'b', ends_at: 1_001_400, count: 1 },
  ]);
});

test('a limit that changes holds for the window that has begun', () => {
  const store = new DatabaseRateLimitStore(database, { clock });
  const consume = (limit: number): boolean => store.consume('a', { limit, perMs: 1000 }).allowed;
  expect([consume(2), consume(2), consume(2), consume(3), consume(3), consume(1)]).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
  ]);
  expect(new DatabaseRateLimitStore(database, { clock }).consume('none', { limit: 0, perMs: 5 })).toEqual({
    allowed: false,
    retryAfterMs: 5,
  });
});

test('a restart keeps what was counted, and system time decides when a window ends', () => {
  const before = new DatabaseRateLimitStore(database, { clock: { ...at(5000), schedule: clock.schedule } });
  for (let call = 0; call < 3; call += 1) before.consume('a', { limit: 3, perMs: 1000 });
  database.close();
  database = openDatabase(file);
  const after = (time: number): unknown =>
    new DatabaseRateLimitStore(database, { clock: { ...at(time), schedule: clock.schedule } }).consume('a', {
      limit: 3,
      perMs: 1000,
    });
  expect(after(5999)).toEqual({ allowed: false, retryAfterMs: 1 });
  expect(after(6000)).toEqual({ allowed: true });
});

/** The monotonic time begins anew with each process. */
function at(time: number): { readonly now: () => number; readonly wallTime: () => number } {
  return { now: () => 0, wallTime: () => time };
}

test('two processes that share a file count exactly', { timeout: 60_000 }, async () => {
  const children = Array.from({ length: 2 }, () =>
    fork(script, [file, 'shared', '500'], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
  await Promise.all(children.map((child) => once(child, 'message')));
  const counts = children.map(async (child) => {
    const told = once(child, 'message');
    const ended = once(child, 'exit');
    child.send('start');
    const [allowed] = (await told) as [number];
    await ended;
    return allowed;
  });
  const allowed = await Promise.all(counts);
  expect(allowed.reduce((sum, each) => sum + each, 0)).toBe(500);
  expect(rows()).toEqual([{ key: 'shared', ends_at: 1_060_000, count: 500 }]);
});

test('random calls: the decisions are those of the store in memory', () => {
  const steps = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), limit: fc.nat(4), advance: fc.nat(700) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (given) => {
      database.run('DELETE FROM rate_windows');
      const memory = new MemoryRateLimitStore({ clock });
      const stored = new DatabaseRateLimitStore(database, { clock });
      const limits = new Map<string, number>();
      for (const { key, limit, advance } of given) {
        clock.advance(advance);
        // The store in memory counts rejected calls, so it agrees as long as the limit of a key is the same.
        const own = limits.get(key) ?? limit + 1;
        limits.set(key, own);
        const rate = { limit: own, perMs: 1000 };
        expect(stored.consume(key, rate)).toEqual(memory.consume(key, rate));
      }
    }),
    { numRuns: 50 },
  );
});

test('the number of windows is bounded: ended ones are dropped first, those without calls left last', () => {
  const store = new DatabaseRateLimitStore(database, { clock, maxKeys: 3 });
  const consume = (key: string, limit = 5): boolean => store.consume(key, { limit, perMs: 1000 }).allowed;
  consume('ended');
  clock.advance(1000);
  consume('blocked', 1);
  clock.advance(1);
  consume('free');
  consume('next');
  expect(rows()).toMatchObject([{ key: 'blocked' }, { key: 'free' }, { key: 'next' }]);
  for (let flood = 0; flood < 20; flood += 1) consume(`flood-${flood}`);
  expect(rows()).toHaveLength(3);
  expect(consume('blocked', 1)).toBe(false);
  expect(() => new DatabaseRateLimitStore(database, { clock, maxKeys: 0 })).toThrow('Invalid maxKeys 0');
});

test('a rejected call writes nothing', () => {
  const store = new DatabaseRateLimitStore(database, { clock });
  store.consume('a', { limit: 1, perMs: 1000 });
  const other = openDatabase(file);
  const version = (): unknown => other.all('PRAGMA data_version');
  const before = version();
  for (let call = 0; call < 10; call += 1) store.consume('a', { limit: 1, perMs: 1000 });
  expect(version()).toEqual(before);
  other.close();
});
