import { describe, expect, test } from 'vitest';
import { CallRefusedError, InputPendingError } from '../../../src/errors/errors.ts';
import { createCacheHelpers } from '../../../src/stores/cache-helpers.ts';
import { MemoryCacheStore } from '../../../src/stores/cache-store.ts';
import type { CacheStore } from '../../../src/stores/cache-store.ts';
import { FakeClock } from '../../support/fake-clock.ts';

test.each([
  [{ ttlMs: -1 }, 'cache: ttlMs must be a number of at least 0; received -1.'],
  [{ ttlMs: Number.NaN }, 'cache: ttlMs must be a number of at least 0; received NaN.'],
  [{ staleMs: Infinity }, 'cache: staleMs must be a number of at least 0; received Infinity.'],
  [{ staleMs: '60' as never }, 'cache: staleMs must be a number of at least 0; received "60".'],
])('set and wrap refuse %j', async (options, message) => {
  const cache = createCacheHelpers(new MemoryCacheStore());
  await expect(cache.set('a', 1, options)).rejects.toThrow(message);
  await expect(cache.wrap('b', () => 1, options)).rejects.toThrow(message);
});

describe('MemoryCacheStore', () => {
  test('a value lives for its time and not a moment longer', () => {
    const clock = new FakeClock();
    const store = new MemoryCacheStore({ clock });
    store.set('a', 1, 100);
    clock.advance(99);
    expect(store.get('a')).toBe(1);
    clock.advance(1);
    expect(store.get('a')).toBeUndefined();
    expect(store.size).toBe(0);
  });

  test('reading does not prolong a value, setting does', () => {
    const clock = new FakeClock();
    const store = new MemoryCacheStore({ clock });
    store.set('a', 1, 100);
    clock.advance(60);
    store.get('a');
    clock.advance(60);
    expect(store.get('a')).toBeUndefined();
    store.set('a', 1, 100);
    clock.advance(60);
    store.set('a', 2, 100);
    clock.advance(60);
    expect(store.get('a')).toBe(2);
  });

  test('the entry unused for longest goes first', () => {
    const store = new MemoryCacheStore({ maxEntries: 3, clock: new FakeClock() });
    for (const key of ['a', 'b', 'c']) store.set(key, key, 1000);
    store.get('a');
    store.set('b', 'B', 1000);
    store.set('d', 'd', 1000);
    expect(['a', 'b', 'c', 'd'].map((key) => store.get(key))).toEqual(['a', 'B', undefined, 'd']);
  });

  test('never holds more than its bound: 1,000 by default', () => {
    const store = new MemoryCacheStore({ clock: new FakeClock() });
    for (let index = 0; index < 5000; index += 1) store.set(`k${index}`, index, 1000);
    expect(store.size).toBe(1000);
    expect([store.get('k3999'), store.get('k4000'), store.get('k4999')]).toEqual([undefined, 4000, 4999]);
  });

  test('a bound of zero keeps nothing', () => {
    const store = new MemoryCacheStore({ maxEntries: 0 });
    store.set('a', 1, 1000);
    expect(store.get('a')).toBeUndefined();
  });

  test('names of members of objects are keys like any other', () => {
    const store = new MemoryCacheStore();
    expect(['__proto__', 'constructor', 'toString'].map((key) => store.get(key))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    store.set('__proto__', 1, 1000);
    expect(store.get('__proto__')).toBe(1);
  });

  test('a deleted value is gone', () => {
    const store = new MemoryCacheStore();
    store.set('a', 1, 1000);
    store.delete('a');
    store.delete('b');
    expect(store.get('a')).toBeUndefined();
  });
});

describe('wrap', () => {
  function createCache(): {
    cache: ReturnType<typeof createCacheHelpers>;
    clock: FakeClock;
    store: MemoryCacheStore;
  } {
    const clock = new FakeClock();
    const store = new MemoryCacheStore({ clock });
    return { cache: createCacheHelpers(store, clock), clock, store };
  }

  test('loads once and then takes the cached value, for five minutes by default', async () => {
    const { cache, clock } = createCache();
    let loads = 0;
    const load = (): number => (loads += 1);
    expect([await cache.wrap('a', load), await cache.wrap('a', load)]).toEqual([1, 1]);
    clock.advance(299_999);
    expect(await cache.wrap('a', load)).toBe(1);
    clock.advance(1);
    expect(await cache.wrap('a', load)).toBe(2);
  });

  test('honours the time it is given', async () => {
    const { cache, clock } = createCache();
    await cache.wrap('a', () => 1, { ttlMs: 10 });
    clock.advance(10);
    expect(await cache.get('a')).toBeUndefined();
  });

  test('callers of one key at the same time share one load, callers of another do not', async () => {
    const { cache } = createCache();
    const loaded: string[] = [];
    const load = (key: string) => async (): Promise<string> => {
      loaded.push(key);
      return key;
    };
    const values = await Promise.all([
      cache.wrap('a', load('a')),
      cache.wrap('a', load('a again')),
      cache.wrap('b', load('b')),
    ]);
    expect(values).toEqual(['a', 'a', 'b']);
    expect(loaded).toEqual(['a', 'b']);
  });

  test('a failure reaches everyone who waits, and the next caller tries again', async () => {
    const { cache } = createCache();
    let loads = 0;
    const load = (): string => {
      loads += 1;
      if (loads === 1) throw new Error('down');
      return 'up';
    };
    const results = await Promise.allSettled([cache.wrap('a', load), cache.wrap('a', load)]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(await cache.wrap('a', load)).toBe('up');
    expect(loads).toBe(2);
  });

  test.each([
    ['cancelled', new DOMException('The client hung up.', 'AbortError')],
    ['refused as cancelled', new CallRefusedError('CANCELLED', 'The call was cancelled.')],
    ['to ask its client', new InputPendingError('name')],
  ])(
    'a call that is %s fails alone: the next that waits loads, once, for all others',
    async (_how, error) => {
      const { cache } = createCache();
      const loaded: string[] = [];
      const load = (caller: string) => (): string => {
        loaded.push(caller);
        if (caller === 'mallory') throw error;
        return caller;
      };
      const [mallory, ...others] = await Promise.allSettled(
        ['mallory', 'alice', 'bob', 'carol'].map((caller) => cache.wrap('a', load(caller))),
      );
      expect(mallory).toEqual({ status: 'rejected', reason: error });
      expect(others).toEqual([1, 2, 3].map(() => ({ status: 'fulfilled', value: 'alice' })));
      expect([loaded, await cache.get('a')]).toEqual([['mallory', 'alice'], 'alice']);
    },
  );

  test('callers that are all cancelled load once each, and no more', async () => {
    const { cache } = createCache();
    let loads = 0;
    const load = (): never => {
      loads += 1;
      throw new DOMException('The client hung up.', 'AbortError');
    };
    const results = await Promise.allSettled([1, 2, 3].map(() => cache.wrap('a', load)));
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(loads).toBe(3);
  });

  test('undefined is not cached, null, 0 and false are', async () => {
    const { cache } = createCache();
    let loads = 0;
    for (const value of [undefined, null, 0, false]) {
      const key = String(value);
      const load = (): unknown => {
        loads += 1;
        return value;
      };
      await cache.wrap(key, load);
      await cache.wrap(key, load);
    }
    expect(loads).toBe(5);
  });

  test('a key deleted or set during a load is not overwritten by what was loaded before', async () => {
    const { cache } = createCache();
    let finish: (value: string) => void = () => {};
    const slow = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const deleted = cache.wrap('a', () => slow);
    const replaced = cache.wrap('b', () => slow);
    await cache.delete('a');
    await cache.set('b', 'newer');
    const reloaded = cache.wrap('a', () => 'fresh');
    finish('stale');
    expect(await Promise.all([deleted, replaced, reloaded])).toEqual(['stale', 'stale', 'fresh']);
    expect([await cache.get('a'), await cache.get('b')]).toEqual(['fresh', 'newer']);
  });

  test('works on a store that answers later', async () => {
    const values = new Map<string, unknown>();
    const remote: CacheStore = {
      get: async (key) => values.get(key),
      set: async (key, value) => {
        values.set(key, value);
      },
      delete: async (key) => {
        values.delete(key);
      },
    };
    const cache = createCacheHelpers(remote);
    expect(await cache.wrap('a', () => 1)).toBe(1);
    expect(await cache.wrap('a', () => 2)).toBe(1);
    await cache.delete('a');
    expect(await cache.get('a')).toBeUndefined();
  });

  test('a store that fails is reported, and does not block the key', async () => {
    let isDown = true;
    const { store } = createCache();
    const cache = createCacheHelpers({
      get: (key) => {
        if (isDown) throw new Error('store down');
        return store.get(key);
      },
      set: (key, value, ttlMs) => store.set(key, value, ttlMs),
      delete: (key) => store.delete(key),
    });
    await expect(cache.wrap('a', () => 1)).rejects.toThrow('store down');
    isDown = false;
    expect(await cache.wrap('a', () => 1)).toBe(1);
  });

  describe('with staleMs', () => {
    const TIMES = { ttlMs: 100, staleMs: 50 };

    test('returns an expired value at once while one load refreshes it', async () => {
      const { cache, clock } = createCache();
      await cache.wrap('a', () => 'old', TIMES);
      clock.advance(100);
      const slow = createSlow();
      let loads = 0;
      const load = (): Promise<string> => {
        loads += 1;
        return slow.load();
      };
      const both = [cache.wrap('a', load, TIMES), cache.wrap('a', load, TIMES)];
      expect(await Promise.all(both)).toEqual(['old', 'old']);
      expect(await cache.wrap('a', load, TIMES)).toBe('old');
      expect(loads).toBe(1);
      slow.finish('new');
      await expect.poll(() => cache.get('a')).toBe('new');
      clock.advance(99);
      expect(await cache.wrap('a', load, TIMES)).toBe('new');
      expect(loads).toBe(1);
    });

    test('serves the old value while refreshing fails, and fails after it', async () => {
      const { cache, clock } = createCache();
      await cache.wrap('a', () => 'old', TIMES);
      clock.advance(149);
      const fail = (): never => {
        throw new Error('down');
      };
      expect(await cache.wrap('a', fail, TIMES)).toBe('old');
      await expect.poll(async () => (await cache.stats()).failedRefreshes).toBe(1);
      expect(await cache.wrap('a', fail, TIMES)).toBe('old');
      clock.advance(1);
      await expect(cache.wrap('a', fail, TIMES)).rejects.toThrow('down');
    });

    test('an expired value is no value for get, nor for wrap without it', async () => {
      const { cache, clock } = createCache();
      await cache.set('a', 'old', TIMES);
      expect(await cache.get('a')).toBe('old');
      clock.advance(100);
      expect(await cache.get('a')).toBeUndefined();
      expect(await cache.wrap('a', () => 'new')).toBe('new');
    });

    test('a key deleted or set during a refresh keeps what it was given', async () => {
      const { cache, clock } = createCache();
      await cache.wrap('a', () => 'old', TIMES);
      await cache.wrap('b', () => 'old', TIMES);
      clock.advance(100);
      const slow = createSlow();
      await cache.wrap('a', slow.load, TIMES);
      await cache.wrap('b', slow.load, TIMES);
      await cache.delete('a');
      await cache.set('b', 'newer');
      slow.finish('late');
      await slow.load();
      expect([await cache.get('a'), await cache.get('b')]).toEqual([undefined, 'newer']);
    });
  });

  test('deleteByPrefix deletes what begins so, and what is being loaded', async () => {
    const { cache } = createCache();
    await cache.set('budget:1:accounts', 1);
    await cache.set('budget:10:accounts', 2);
    const slow = createSlow();
    const late = cache.wrap('budget:1:payees', slow.load);
    await cache.deleteByPrefix('budget:1:');
    slow.finish('late');
    expect(await late).toBe('late');
    const keys = ['budget:1:accounts', 'budget:1:payees', 'budget:10:accounts'];
    expect(await Promise.all(keys.map((key) => cache.get(key)))).toEqual([undefined, undefined, 2]);
  });

  test('deleteByPrefix of a store that cannot do it is an error, not nothing', async () => {
    const cache = createCacheHelpers({ get: () => 1, set: () => {}, delete: () => {} });
    await expect(cache.deleteByPrefix('a')).rejects.toMatchObject({
      code: 'INVALID_DEFINITION',
      option: 'cache',
    });
  });

  test('stats counts hits, misses and what the store counts', async () => {
    const clock = new FakeClock();
    const store = new MemoryCacheStore({ clock, maxEntries: 2 });
    const cache = createCacheHelpers(store, clock);
    const slow = createSlow();
    const both = [cache.wrap('a', slow.load), cache.wrap('a', slow.load)];
    slow.finish('x');
    await Promise.all(both);
    await cache.get('a');
    await cache.get('b');
    await cache.wrap('b', () => 1, { ttlMs: 10, staleMs: 10 });
    await cache.set('c', 1);
    clock.advance(10);
    await cache.wrap('b', () => 1, { ttlMs: 10, staleMs: 10 });
    const { bytes, ...counts } = await cache.stats();
    expect(bytes).toBeGreaterThan(0);
    expect(counts).toEqual({
      hits: 3,
      staleHits: 1,
      misses: 3,
      failedRefreshes: 0,
      entries: 2,
      evictions: 1,
    });
    const plain = createCacheHelpers({ get: () => {}, set: () => {}, delete: () => {} });
    expect(await plain.stats()).toEqual({ hits: 0, staleHits: 0, misses: 0, failedRefreshes: 0 });
  });

  /** A load that ends when it is told to. */
  function createSlow(): { load: () => Promise<string>; finish: (value: string) => void } {
    let finish: (value: string) => void = () => {};
    const result = new Promise<string>((resolve) => {
      finish = resolve;
    });
    return { load: () => result, finish };
  }

  test('a load that does not end is shared for a minute and no longer', async () => {
    const { cache, clock } = createCache();
    const { load, finish } = createSlow();
    const first = cache.wrap('a', load);
    clock.advance(59_999);
    const joined = cache.wrap('a', () => 'not loaded');
    clock.advance(1);
    expect(await cache.wrap('a', () => 'fresh')).toBe('fresh');
    finish('late');
    expect(await Promise.all([first, joined])).toEqual(['late', 'late']);
    expect(await cache.get('a')).toBe('fresh');
  });

  test('a thousand loads are shared; one more runs for its caller alone and is not cached', async () => {
    const { cache } = createCache();
    const { load, finish } = createSlow();
    const running = Array.from({ length: 1000 }, (_, index) => cache.wrap(`k${index}`, load));
    expect(await Promise.all([cache.wrap('x', () => 1), cache.wrap('x', () => 2)])).toEqual([1, 2]);
    expect(await cache.get('x')).toBeUndefined();
    const joined = cache.wrap('k999', () => 'not loaded');
    finish('late');
    expect(await joined).toBe('late');
    await Promise.all(running);
    expect(await cache.wrap('x', () => 3)).toBe(3);
    expect(await cache.get('x')).toBe(3);
  });

  test('a thousand loads that never end do not keep later ones from being shared', async () => {
    const { cache, clock } = createCache();
    const { load } = createSlow();
    for (let index = 0; index < 1000; index += 1) void cache.wrap(`k${index}`, load);
    clock.advance(60_000);
    expect(await Promise.all([cache.wrap('x', () => 1), cache.wrap('x', () => 2)])).toEqual([1, 1]);
    expect(await cache.get('x')).toBe(1);
  });
});
