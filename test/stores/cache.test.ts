import { describe, expect, test } from 'vitest';
import { RedisCacheStore } from '../../src/redis.ts';
import { createCacheHelpers, MemoryCacheStore } from '../../src/stores.ts';
import { packValue } from '../../src/stores/redis/connection/stored-value.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { cacheSuite } from './suites/cache.ts';
import { describeRedis, pass } from './support/redis-versions.ts';

const LONG = 60_000;

test('what JSON cannot hold is named', () => {
  expect(() => packValue([{ at: new Map() }])).toThrow('an object of the class Map');
  expect(() => packValue(() => 1)).toThrow('a function');
});

describe('MemoryCacheStore', () => {
  cacheSuite(() => {
    const clock = new FakeClock();
    return { store: new MemoryCacheStore({ clock, maxEntries: 10_000 }), pass: (ms) => clock.advance(ms) };
  });
});

describe('RedisCacheStore', () => {
  describeRedis((connect) => {
    cacheSuite(() => ({ store: new RedisCacheStore(connect()), pass }));

    /** Two nodes with one cache. */
    function openNodes(options?: { maxEntries: number }): [RedisCacheStore, RedisCacheStore] {
      const prefix = `nodes:${Math.random()}`;
      return [
        new RedisCacheStore(connect({ prefix }), options),
        new RedisCacheStore(connect({ prefix }), options),
      ];
    }

    test('nodes see the values of each other', async () => {
      const [one, two] = openNodes();
      await one.set('a', 1, LONG);
      expect(await two.get('a')).toBe(1);
      await two.deleteByPrefix('a');
      expect(await one.get('a')).toBeUndefined();
    });

    test('add keeps the first value', async () => {
      const [one, two] = openNodes();
      const added = await Promise.all([one.add('a', 'one', LONG), two.add('a', 'two', LONG)]);
      const stored = await one.get('a');
      expect(added.filter((value) => value === undefined)).toHaveLength(1);
      expect(added.filter((value) => value !== undefined)).toEqual([stored]);
    });

    test('500 concurrent misses on two nodes are one load', async () => {
      const nodes = openNodes().map((store) => createCacheHelpers(store));
      let loads = 0;
      const load = async (): Promise<string> => {
        loads += 1;
        await pass(50);
        return `load ${loads}`;
      };
      const calls = Array.from({ length: 500 }, async (_, index) => nodes[index % 2]?.wrap('a', load));
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['load 1']));
      expect(loads).toBe(1);
    });

    test('a failed load is repeated by the node that waited', async () => {
      const [one, two] = openNodes().map((store) => createCacheHelpers(store)) as [Helpers, Helpers];
      let begun = (): void => {};
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const failing = one.wrap('a', async () => {
        begun();
        await pass(50);
        throw new Error('down');
      });
      await hasBegun;
      const waiting = two.wrap('a', () => 'up');
      await expect(failing).rejects.toThrow('down');
      expect(await waiting).toBe('up');
    });

    test.each([
      ['deleted', (store: RedisCacheStore) => store.delete('a:1')],
      ['deleted by its prefix', (store: RedisCacheStore) => store.deleteByPrefix('a:')],
    ])('a value %s on one node during a load on another is not cached', async (_how, invalidate) => {
      const [one, two] = openNodes();
      let finish = (_value: string): void => {};
      const loading = new Promise<string>((resolve) => {
        finish = resolve;
      });
      let begun = (): void => {};
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const load = createCacheHelpers(one).wrap('a:1', () => {
        begun();
        return loading;
      });
      await hasBegun;
      await invalidate(two);
      finish('stale');
      expect(await load).toBe('stale');
      expect(await two.get('a:1')).toBeUndefined();
    });

    test('a claim is held by one, can be extended, and ends with its time', async () => {
      const [one, two] = openNodes();
      // Long enough for three commands on a busy machine.
      const claim = { holdMs: 1000, isRefresh: false };
      expect(await one.claims.claim('a', 't1', claim)).toEqual({ kind: 'claimed' });
      expect(await two.claims.claim('a', 't2', claim)).toEqual({ kind: 'taken' });
      expect(await one.claims.extend('a', 't1', LONG)).toBe(true);
      await pass(1000);
      expect(await two.claims.claim('a', 't2', claim)).toEqual({ kind: 'taken' });
      expect(await two.claims.extend('a', 't2', LONG)).toBe(false);
      await two.claims.settle('a', 't2', { value: 'wrong', ttlMs: LONG });
      await one.claims.settle('a', 't1', { value: 'right', ttlMs: LONG });
      expect(await two.claims.claim('a', 't2', claim)).toEqual({ kind: 'found', value: 'right' });
      expect(await two.claims.claim('b', 't2', { holdMs: 20, isRefresh: false })).toEqual({
        kind: 'claimed',
      });
      await pass(20);
      expect(await one.claims.claim('b', 't1', claim)).toEqual({ kind: 'claimed' });
    });

    test('is bounded: the entries that expire first make room, and expired ones do not stay', async () => {
      const connection = connect();
      const store = new RedisCacheStore(connection, { maxEntries: 160 });
      for (let index = 0; index < 400; index += 1) await store.set(`k${index}`, index, LONG + index * 1000);
      expect((await store.stats()).entries).toBeLessThanOrEqual(160);
      expect(await store.get('k399')).toBe(399);
      expect(await store.get('k0')).toBeUndefined();
    });

    test('a value that is not plain data is rejected, and named', async () => {
      const [store] = openNodes();
      await expect(store.set('k', { at: [new Map()] }, LONG)).rejects.toThrow(
        'RedisCacheStore: the value of "k" contains an object of the class Map. Cache plain data: objects, arrays, strings, numbers, booleans, bigints, dates and null.',
      );
      const cycle: unknown[] = [];
      cycle.push(cycle);
      await expect(store.set('k', cycle, LONG)).rejects.toThrow('a cycle, or more than 512 levels');
    });

    test.each([
      ['no JSON', 'garbage'],
      ['cut JSON', '{"a":'],
      ['a member __proto__', '{"a":{"__proto__":{"admin":true}}}'],
      ['an escaped member __proto__', '{"\\u005f_proto__":1}'],
      ['an unknown mark', '{"$toolwright":["eval","1"]}'],
      ['an invalid bigint', '{"$toolwright":["bigint","1e5"]}'],
      ['too many levels', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ])('a stored value with %s is a miss, and is loaded again', async (_kind, text) => {
      const connection = connect();
      const store = new RedisCacheStore(connection);
      await store.set('a', 1, LONG);
      const parts = connection.isCluster ? 16 : 1;
      for (let part = 0; part < parts; part += 1) {
        const key = connection.key('cache', String(part), ':values');
        const names = (await connection.send(key, ['HKEYS', key])) as string[];
        for (const name of names) await connection.send(key, ['HSET', key, name, text]);
      }
      expect(await store.get('a')).toBeUndefined();
      expect(await createCacheHelpers(store).wrap('a', () => 2)).toBe(2);
      expect(await store.get('a')).toBe(2);
      expect(({} as { admin?: unknown }).admin).toBeUndefined();
    });

    test('after Redis has evicted an index, deleteByPrefix clears the cache', async () => {
      const connection = connect();
      const store = new RedisCacheStore(connection);
      const keys = Array.from({ length: 40 }, (_, index) => `a:${index}`);
      for (const key of keys) await store.set(key, 1, LONG);
      for (let part = 0; part < 16; part += 1) {
        const key = connection.key('cache', String(part), ':names');
        await connection.send(key, ['DEL', key]);
      }
      await store.deleteByPrefix('a:');
      const left = await Promise.all(keys.map((key) => store.get(key)));
      expect(left.filter((value) => value !== undefined)).toEqual([]);
    });
  });
});

type Helpers = ReturnType<typeof createCacheHelpers>;
