import { expect, test } from 'vitest';
import { createCacheHelpers } from '../../../src/stores.ts';
import type { CacheStore } from '../../../src/stores.ts';

/** A version of the store for one test, and the passing of time for it. */
export interface CacheVersion {
  readonly store: CacheStore;
  /** Lets at least this time pass. */
  readonly pass: (ms: number) => Promise<void> | void;
}

const LONG = 60_000;

/** The tests that every cache store passes. */
export function cacheSuite(open: () => CacheVersion | Promise<CacheVersion>): void {
  test('a value is there until it is deleted', async () => {
    const { store } = await open();
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', { list: [1, 'two', null] }, LONG);
    expect(await store.get('a')).toEqual({ list: [1, 'two', null] });
    await store.set('a', 'other', LONG);
    expect(await store.get('a')).toBe('other');
    await store.delete('a');
    await store.delete('never there');
    expect(await store.get('a')).toBeUndefined();
  });

  test('a value expires, and its new lifetime counts when it is set again', async () => {
    const { store, pass } = await open();
    await store.set('a', 1, 60);
    await store.set('b', 1, 60);
    await store.set('b', 2, LONG);
    await pass(60);
    expect([await store.get('a'), await store.get('b')]).toEqual([undefined, 2]);
    await store.set('c', 1, 0);
    expect(await store.get('c')).toBeUndefined();
  });

  test('values keep their types', async () => {
    const { store } = await open();
    const values: readonly unknown[] = [
      null,
      0,
      -0,
      '',
      false,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      2n ** 70n,
      new Date(86_400_000),
      [undefined, { at: new Date(5), none: undefined }],
      { $toolwright: ['date', 5] },
      '\u0000\u{1F600}\ud800',
      { constructor: 1, toString: [] },
    ];
    for (const [index, value] of values.entries()) await store.set(`v${index}`, value, LONG);
    for (const [index, value] of values.entries()) expect(await store.get(`v${index}`)).toStrictEqual(value);
    expect(await store.get('v8')).toBeInstanceOf(Date);
  });

  test('keys are apart, also odd and long ones', async () => {
    const { store } = await open();
    const long = 'x'.repeat(3000);
    const keys = [
      '',
      '__proto__',
      'constructor',
      '{a}',
      '*',
      'a b',
      '\ud800',
      '\ud801',
      '\u{1F600}',
      long,
      `${long}y`,
    ];
    for (const key of keys) await store.set(key, `value of ${key}`, LONG);
    for (const key of keys) expect(await store.get(key)).toBe(`value of ${key}`);
  });

  test('deleteByPrefix deletes the keys with the prefix and no others', async () => {
    const { store } = await open();
    const long = 'x'.repeat(3000);
    const keys = ['budget:1:a', 'budget:1:\u{1F600}', 'budget:10:a', 'budget', `budget:1:${long}`, 'other'];
    for (const key of keys) await store.set(key, 1, LONG);
    await store.deleteByPrefix?.('budget:1:');
    const left = await Promise.all(keys.map(async (key) => store.get(key)));
    expect(left).toEqual([undefined, undefined, 1, 1, undefined, 1]);
    await store.deleteByPrefix?.('');
    expect(await Promise.all(keys.map(async (key) => store.get(key)))).toEqual(keys.map(() => undefined));
  });

  test('deleteByPrefix deletes thousands of keys', async () => {
    const { store } = await open();
    await Promise.all(Array.from({ length: 2500 }, async (_, index) => store.set(`many:${index}`, 1, LONG)));
    await store.set('one', 1, LONG);
    await store.deleteByPrefix?.('many:');
    const left = await Promise.all(
      Array.from({ length: 2500 }, async (_, index) => store.get(`many:${index}`)),
    );
    expect(left.filter((value) => value !== undefined)).toEqual([]);
    expect(await store.get('one')).toBe(1);
  });

  test('stats counts the entries', async () => {
    const { store } = await open();
    for (const key of ['a', 'b', 'c']) await store.set(key, 1, LONG);
    await store.delete('b');
    expect((await store.stats?.())?.entries).toBe(2);
  });

  test('with the helpers, concurrent callers share one load, and a failed load is not cached', async () => {
    const { store } = await open();
    const cache = createCacheHelpers(store);
    let loads = 0;
    const values = await Promise.all(
      Array.from({ length: 50 }, () => cache.wrap('a', async () => (loads += 1))),
    );
    expect([new Set(values), loads]).toEqual([new Set([1]), 1]);
    const failing = (): never => {
      throw new Error('down');
    };
    await expect(cache.wrap('b', failing)).rejects.toThrow('down');
    expect(await cache.wrap('b', () => 'up')).toBe('up');
    expect(await cache.get('b')).toBe('up');
  });

  test('with the helpers, a stale value is returned while one load refreshes it', async () => {
    const { store, pass } = await open();
    const cache = createCacheHelpers(store);
    await cache.wrap('a', () => 'old', { ttlMs: 0, staleMs: LONG });
    await pass(1);
    expect(await cache.wrap('a', () => 'new', { ttlMs: LONG, staleMs: LONG })).toBe('old');
    await expect.poll(() => cache.get('a')).toBe('new');
  });
}
