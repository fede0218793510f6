import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, test } from 'vitest';
import { sqliteStores } from '../../src/sqlite.ts';
import type { SqliteOptions } from '../../src/sqlite.ts';
import { MemoryConfirmationStore } from '../../src/stores.ts';
import type { ConfirmationStore } from '../../src/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { openStores, query, sqlitePath } from './support/sqlite-file.ts';

type OpenConfirmations = (
  clock: FakeClock,
  maxWaiting: number,
) => readonly [ConfirmationStore, ConfirmationStore];

const CONFIRMATIONS: Readonly<Record<string, OpenConfirmations>> = {
  MemoryConfirmationStore: (clock, maxWaiting) => {
    const store = new MemoryConfirmationStore({ clock, maxWaiting });
    return [store, store];
  },
  sqliteStores: (clock, maxConfirmations) => {
    const path = sqlitePath();
    const open = (): ConfirmationStore => openStores(path, { clock, maxConfirmations }).confirmations;
    return [open(), open()];
  },
};

describe.each(Object.keys(CONFIRMATIONS))('%s: confirmations', (name) => {
  const open = (maxWaiting = 100) => {
    const clock = new FakeClock();
    const [store, other] = (CONFIRMATIONS[name] as OpenConfirmations)(clock, maxWaiting);
    return { clock, store, other };
  };

  test('a token is taken once', async () => {
    const { store, other } = open();
    await store.put('t1', 'binding', 1000, 'ada');
    for (const token of ['t2', '', 'constructor', '__proto__'])
      expect(await store.take(token)).toBeUndefined();
    const taken = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => (index % 2 === 0 ? store : other).take('t1')),
    );
    expect(taken.filter((binding) => binding !== undefined)).toEqual(['binding']);
  });

  test('a binding is as it was stored, whatever its characters', async () => {
    const { store, other } = open();
    await store.put('t1', 'a\u0000b "\u{1f600}"', 1000);
    expect(await other.take('t1')).toBe('a\u0000b "\u{1f600}"');
  });

  test('a token is valid until the moment it expires', async () => {
    const { clock, store, other } = open();
    await store.put('early', 'a', 1000);
    await store.put('late', 'b', 1000);
    clock.advance(999);
    expect(await other.take('early')).toBe('a');
    clock.advance(1);
    expect(await other.take('late')).toBeUndefined();
  });

  test('makes room at the expense of the owner who has most; of that, the oldest goes first', async () => {
    const { store } = open(3);
    await store.put('a1', 'a', 1000, 'ada');
    for (const token of ['m1', 'm2', 'm3', 'm4']) await store.put(token, token, 1000, 'mallory');
    const left: unknown[] = [];
    for (const token of ['m1', 'm2', 'm3', 'm4', 'a1']) left.push(await store.take(token));
    expect(left).toEqual([undefined, undefined, 'm3', 'm4', 'a']);
  });

  test('expired ones make room first', async () => {
    const { clock, store } = open(2);
    await store.put('old', 'a', 10, 'ada');
    clock.advance(10);
    await store.put('m1', 'b', 1000, 'mallory');
    await store.put('m2', 'c', 1000, 'mallory');
    expect([await store.take('m1'), await store.take('m2')]).toEqual(['b', 'c']);
  });
});

describe('a cache in a file', () => {
  test('keeps values until they expire or are deleted, for all processes', async () => {
    const [clock, path] = [new FakeClock(), sqlitePath()];
    const [first, second] = [openStores(path, { clock }).cache, openStores(path, { clock }).cache];
    await first.set('a:1', { n: [1, null, 'ü'] }, 1000);
    await first.set('a:2', 0, 2000);
    await first.set('a%', 'x', 2000);
    await first.set('A:3', 'y', 2000);
    expect(await second.get('a:1')).toEqual({ n: [1, null, 'ü'] });
    clock.advance(1000);
    expect([await second.get('a:1'), await second.get('a:2'), await second.get('b')]).toEqual([
      undefined,
      0,
      undefined,
    ]);
    await second.deleteByPrefix?.('a:');
    expect([await first.get('a:2'), await first.get('a%'), await first.get('A:3')]).toEqual([
      undefined,
      'x',
      'y',
    ]);
    await first.delete('a%');
    await first.set('A:3', undefined, 1000);
    expect([await second.get('a%'), await second.get('A:3')]).toEqual([undefined, undefined]);
  });

  test('keys and prefixes are apart, whatever their characters', async () => {
    const { cache } = openStores(sqlitePath(), { clock: new FakeClock() });
    const keys = ['\ud800a', '\udc00a', 'a\u0000b', 'a', '"', "'"];
    for (const key of keys) await cache.set(key, `value of ${key}`, 1000);
    for (const key of keys) expect(await cache.get(key)).toBe(`value of ${key}`);
    await cache.deleteByPrefix?.('a\u0000');
    expect([await cache.get('a'), await cache.get('a\u0000b')]).toEqual(['value of a', undefined]);
  });

  test('is bounded by entries and bytes: the value that was stored first is dropped first', async () => {
    const [clock, path] = [new FakeClock(), sqlitePath()];
    const { cache } = openStores(path, { clock, maxCacheEntries: 3, maxCacheBytes: 1000 });
    for (let index = 0; index < 5; index += 1) await cache.set(`k${index}`, index, 1000);
    expect(await cache.stats?.()).toEqual({ entries: 3, bytes: 9, evictions: 2 });
    await cache.set('large', 'x'.repeat(992), 1000);
    expect([await cache.get('k4'), await cache.get('large')]).toEqual([undefined, 'x'.repeat(992)]);
    clock.advance(1000);
    await cache.set('new', 1, 1000);
    expect(query(path, 'SELECT key FROM toolwright_cache')).toEqual([{ key: '"new"' }]);
  });
});

describe('a file', () => {
  test('keeps its values, and may belong to an application with tables and a version of its own', async () => {
    const path = sqlitePath();
    const own = new Libsql(path);
    own.exec('PRAGMA user_version = 41; CREATE TABLE state (a); INSERT INTO state VALUES (7)');
    own.close();
    for (const value of ['1', '2']) {
      const stores = sqliteStores(path);
      await stores.state.set('ada', value, value, { ttlMs: 3_600_000 });
      stores.close();
    }
    const { state } = openStores(path);
    expect([await state.get('ada', '1'), await state.get('ada', '2')]).toEqual(['1', '2']);
    expect(query(path, 'PRAGMA user_version')).toEqual([{ user_version: 41 }]);
    expect(query(path, 'SELECT a FROM state')).toEqual([{ a: 7 }]);
    expect(query(path, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  });

  test('of a newer version is rejected, and so is one that is no database or has no folder', () => {
    const path = sqlitePath();
    sqliteStores(path).close();
    const newer = new Libsql(path);
    newer.exec('UPDATE toolwright_version SET version = 99');
    newer.close();
    expect(() => sqliteStores(path)).toThrow(
      `The file ${path} has version 99 of the stores, but this version of Toolwright knows versions up to 1. Update Toolwright, or use another file.`,
    );
    const text = join(dirname(path), 'text.db');
    writeFileSync(
      text,
      'this is not a database, but a text that is long enough to look like one\n'.repeat(20),
    );
    expect(() => sqliteStores(text)).toThrow(
      `Cannot use the file ${text} of sqliteStores: file is not a database.`,
    );
    const missing = join(dirname(path), 'missing', 'stores.db');
    expect(() => sqliteStores(missing)).toThrow(
      `Cannot open the file ${missing} of sqliteStores: check that its folder exists and is writable.`,
    );
    mkdirSync(dirname(missing));
    sqliteStores(missing).close();
  });

  test('`:memory:` is none', async () => {
    const { state } = openStores(':memory:');
    await state.set('ada', 'a', '1', { ttlMs: 1000 });
    expect([await state.get('ada', 'a'), await openStores(':memory:').state.get('ada', 'a')]).toEqual([
      '1',
      undefined,
    ]);
  });

  test('that is closed says so, and may be closed again', () => {
    const path = sqlitePath();
    const stores = sqliteStores(path);
    stores.close();
    stores.close();
    expect(() => stores.state.get('ada', 'a')).toThrow(`The stores of the file ${path} are closed.`);
    expect(() => stores.rateLimits.consume('a', { limit: 1, perMs: 1 })).toThrow('are closed');
  });

  test.each([
    ['', {}, 'sqliteStores: path must be a non-empty string; received "".'],
    ['a.db', { maxTask: 1 }, 'Unknown option "maxTask" of sqliteStores. Did you mean "maxTasks"?'],
    [
      'a.db',
      { taskLeaseMs: 10 },
      'sqliteStores: taskLeaseMs must be an integer of at least 1000; received 10.',
    ],
    [
      'a.db',
      { state: { maxEntries: -1 } },
      'sqliteStores: state.maxEntries must be an integer of at least 0; received -1.',
    ],
  ])('with the path %j and the options %j is rejected', (path, options, message) => {
    expect(() => sqliteStores(path, options as SqliteOptions)).toThrow(message);
  });
});
