import { beforeEach, describe, expect, test } from 'vitest';
import { resultCache } from '../../../../src/middleware/builtin/result-cache.ts';
import { MemoryCacheStore } from '../../../../src/stores/cache-store.ts';
import type { CacheStore } from '../../../../src/stores/cache-store.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, deferred, hashInOrder, settle, subjectOf, TestContext } from './harness.ts';

const READ = subjectOf({ isReadOnly: true, tags: ['notes'] });
const WRITE = subjectOf({ name: 'write', tags: ['notes'] });

beforeEach(hashInOrder);

describe('a load that holds its claim', () => {
  /** A store whose claims are held by their token until they are settled, or their key is set. */
  function heldStore(): CacheStore {
    const memory = new MemoryCacheStore();
    const holders = new Map<string, string>();
    return {
      get: (key) => memory.get(key),
      add: (key, value, ttlMs) => memory.get(key) ?? memory.set(key, value, ttlMs),
      set: (key, value, ttlMs) => {
        holders.delete(key);
        memory.set(key, value, ttlMs);
      },
      delete: (key) => memory.delete(key),
      claims: {
        claim: (key, token, { isRefresh }) => {
          const value = isRefresh ? undefined : memory.get(key);
          if (value !== undefined) return { kind: 'found', value };
          const isTaken = (holders.get(key) ?? token) !== token;
          if (!isTaken) holders.set(key, token);
          return { kind: isTaken ? 'taken' : 'claimed' };
        },
        extend: (key, token) => holders.get(key) === token,
        settle: (key, token, loaded) => {
          if (holders.get(key) !== token) return;
          holders.delete(key);
          if (loaded !== undefined) memory.set(key, loaded.value, loaded.ttlMs);
        },
      },
    };
  }

  /** Nodes with one store, whose clock moves with \`pass\`; the handler returns the work with the number of its run. */
  function openNodes(count: number): {
    read: (node: number, context?: TestContext) => Promise<unknown>;
    write: () => Promise<unknown>;
    finish: (run: number, value: string) => void;
    runs: () => number;
    pass: (ms: number) => Promise<void>;
  } {
    const clock = new FakeClock();
    const store = heldStore();
    const works = [deferred(), deferred(), deferred()];
    let runs = 0;
    const nodes = Array.from({ length: count }, () => {
      const cache = resultCache({ store, clock, maxSharedMs: 1000 });
      return {
        read: chainOf(() => works[(runs += 1) - 1]?.promise, [cache], READ),
        write: chainOf(() => 'written', [cache], WRITE),
      };
    });
    const pass = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 10) {
        clock.advance(Math.min(left, 10));
        await settle();
      }
    };
    return {
      read: async (node, context) => nodes[node]?.read({}, context),
      write: async () => nodes[0]?.write(),
      finish: (run, value) => works[run]?.resolve(value),
      runs: () => runs,
      pass,
    };
  }

  test.each([
    ['the same node', 1, 0],
    ['another node', 2, 1],
  ])('is waited for no longer than maxSharedMs on %s', async (_, count, index) => {
    const { read, finish, runs, pass } = openNodes(count);
    const first = read(0);
    await settle();
    const others = [read(index), read(index)];
    await pass(990);
    expect(runs()).toBe(1);
    await pass(30);
    expect(runs()).toBe(2);
    finish(1, 'second');
    expect(await Promise.all(others)).toEqual(['second', 'second']);
    finish(0, 'first');
    expect(await first).toBe('first');
    expect(await read(0)).toBe('second');
    expect(runs()).toBe(2);
  });

  test('is not waited for by calls of its node after an invalidation', async () => {
    const { read, write, finish, runs } = openNodes(1);
    const stale = read(0);
    await settle();
    await write();
    const fresh = [read(0), read(0)];
    await settle();
    expect(runs()).toBe(2);
    finish(1, 'fresh');
    expect(await Promise.all(fresh)).toEqual(['fresh', 'fresh']);
    finish(0, 'stale');
    expect(await stale).toBe('stale');
    expect([await read(0), runs()]).toEqual(['fresh', 2]);
  });

  test('is not waited for if it was cancelled and its handler goes on', async () => {
    const { read, finish, runs } = openNodes(1);
    const leader = new TestContext();
    const led = read(0, leader);
    led.catch(() => {});
    await settle();
    const others = [read(0), read(0)];
    await settle();
    leader.stop(undefined);
    await settle();
    expect(runs()).toBe(2);
    finish(1, 'second');
    expect(await Promise.all(others)).toEqual(['second', 'second']);
    finish(0, 'first');
    await settle();
    expect([await read(0), runs()]).toEqual(['second', 2]);
  });

  test('500 misses on each of two nodes are one load', async () => {
    const { read, finish, runs, pass } = openNodes(2);
    const calls = Array.from({ length: 1000 }, (_, index) => read(index % 2));
    await settle();
    expect(runs()).toBe(1);
    finish(0, 'done');
    await pass(100);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['done']));
    expect(runs()).toBe(1);
  });
});
