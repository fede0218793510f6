import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sqliteStores } from '../../src/sqlite.ts';
import type { RateDecision } from '../../src/stores.ts';
import { MemoryRateLimitStore } from '../../src/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { rateLimitSuite } from './suites/rate-limit.ts';
import { openStores, query, sqlitePath, watchVersion } from './support/sqlite-file.ts';

describe('sqliteStores', () => {
  rateLimitSuite(() => {
    const clock = new FakeClock();
    return { store: openStores(sqlitePath(), { clock }).rateLimits, pass: (ms) => clock.advance(ms) };
  });
});

const rows = (path: string): unknown =>
  query(path, 'SELECT key, ends_at, count FROM toolwright_rates ORDER BY key');

test('a window has exactly its limit of calls, and a rejected call says when it ends', () => {
  const [clock, path] = [new FakeClock(), sqlitePath()];
  const { rateLimits } = openStores(path, { clock });
  const consume = (): unknown => rateLimits.consume('a', { limit: 2, perMs: 1000 });
  expect(consume()).toEqual({ allowed: true });
  clock.advance(400);
  expect(consume()).toEqual({ allowed: true });
  expect(consume()).toEqual({ allowed: false, retryAfterMs: 600 });
  expect(rateLimits.consume('b', { limit: 2, perMs: 1000 })).toEqual({ allowed: true });
  clock.advance(599);
  expect(consume()).toEqual({ allowed: false, retryAfterMs: 1 });
  clock.advance(1);
  expect(consume()).toEqual({ allowed: true });
  expect(rows(path)).toEqual([
    { key: 'a', ends_at: 1_002_000, count: 1 },
    { key: 'b', ends_at: 1_001_400, count: 1 },
  ]);
});

test('a limit that changes applies to the current window', async () => {
  const { rateLimits } = openStores(sqlitePath(), { clock: new FakeClock() });
  const allowed: boolean[] = [];
  for (const limit of [2, 2, 2, 3, 3, 1])
    allowed.push((await rateLimits.consume('a', { limit, perMs: 1000 })).allowed);
  expect(allowed).toEqual([true, true, false, true, false, false]);
});

test('a restart keeps the counts, and system time decides when a window ends', () => {
  const path = sqlitePath();
  // The monotonic time begins anew with each process.
  const at = (time: number): RateDecision => {
    const clock = { now: () => 0, wallTime: () => time, schedule: () => () => {} };
    const stores = sqliteStores(path, { clock });
    const decision = stores.rateLimits.consume('a', { limit: 3, perMs: 1000 });
    stores.close();
    return decision as RateDecision;
  };
  for (let call = 0; call < 3; call += 1) at(5000);
  expect(at(5999)).toEqual({ allowed: false, retryAfterMs: 1 });
  expect(at(6000)).toEqual({ allowed: true });
});

test('random calls: the decisions are those of the store in memory', () => {
  const [clock, path] = [new FakeClock(), sqlitePath()];
  const { rateLimits } = openStores(path, { clock });
  const steps = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), limit: fc.nat(4), advance: fc.nat(700) }),
    { maxLength: 60 },
  );
  let run = 0;
  fc.assert(
    fc.property(steps, (given) => {
      run += 1;
      const memory = new MemoryRateLimitStore({ clock });
      const limits = new Map<string, number>();
      for (const { key, limit, advance } of given) {
        clock.advance(advance);
        // The store in memory counts rejected calls, so it agrees as long as the limit of a key is the same.
        const own = limits.get(key) ?? limit + 1;
        limits.set(key, own);
        const rate = { limit: own, perMs: 1000 };
        expect(rateLimits.consume(`${run} ${key}`, rate)).toEqual(memory.consume(key, rate));
      }
    }),
    { numRuns: 50 },
  );
});

test('the number of windows is bounded: ended ones are dropped first, those without calls left last', async () => {
  const [clock, path] = [new FakeClock(), sqlitePath()];
  const { rateLimits } = openStores(path, { clock, maxRateKeys: 3 });
  const consume = async (key: string, limit = 5): Promise<boolean> =>
    (await rateLimits.consume(key, { limit, perMs: 1000 })).allowed;
  await consume('ended');
  clock.advance(1000);
  await consume('blocked', 1);
  clock.advance(1);
  await consume('free');
  await consume('next');
  expect(rows(path)).toMatchObject([{ key: 'blocked' }, { key: 'free' }, { key: 'next' }]);
  for (let flood = 0; flood < 20; flood += 1) await consume(`flood-${flood}`);
  expect(rows(path)).toHaveLength(3);
  expect(await consume('blocked', 1)).toBe(false);
});

test('ended windows are removed with new ones, long before there are too many', () => {
  const [clock, path] = [new FakeClock(), sqlitePath()];
  const { rateLimits } = openStores(path, { clock });
  for (let call = 0; call < 100; call += 1) {
    void rateLimits.consume(`k${call}`, { limit: (call % 2) + 1, perMs: 10 });
    clock.advance(5);
  }
  expect((rows(path) as unknown[]).length).toBeLessThan(20);
});

test('a rejected call writes nothing', () => {
  const path = sqlitePath();
  const { rateLimits } = openStores(path, { clock: new FakeClock() });
  void rateLimits.consume('a', { limit: 1, perMs: 1000 });
  const version = watchVersion(path);
  const before = version();
  for (let call = 0; call < 10; call += 1) void rateLimits.consume('a', { limit: 1, perMs: 1000 });
  expect(version()).toEqual(before);
  void rateLimits.consume('b', { limit: 1, perMs: 1000 });
  expect(version()).not.toEqual(before);
});
