import { describe, expect, test } from 'vitest';
import type { StateLimits, StateStore } from '../../../src/stores.ts';

/** A store under test, and its clock. */
export interface OpenState {
  readonly store: StateStore;
  /** Another store on the same data; the same store if there is only one process. */
  readonly other: StateStore;
  /** Lets time pass. */
  readonly advance: (ms: number) => Promise<void> | void;
  /** Accuracy of an expiry. Default: 1. */
  readonly accuracyMs?: number;
}

/** Opens an empty store. */
export type OpenStateStore = (limits?: StateLimits) => Promise<OpenState> | OpenState;

const HOUR = { ttlMs: 3_600_000 };
const FULL = expect.objectContaining({ code: 'STATE_FULL' }) as unknown;

/** The rejection of a promise or of a synchronous call. */
async function refusalOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The contract of a {@link StateStore}; all versions pass it. */
export function describeStateStore(name: string, open: OpenStateStore): void {
  describe(`${name}: values of owners`, () => {
    test('a value is there until it is deleted', async () => {
      const { store, other } = await open();
      expect(await store.get('ada', 'a')).toBeUndefined();
      expect(await store.set('ada', 'a', '{"n":1}', HOUR)).toBe(true);
      expect(await other.get('ada', 'a')).toBe('{"n":1}');
      expect(await store.set('ada', 'a', '2', HOUR)).toBe(true);
      expect(await other.get('ada', 'a')).toBe('2');
      await other.delete('ada', 'a');
      await other.delete('ada', 'a');
      expect(await store.get('ada', 'a')).toBeUndefined();
    });

    test('a value is as it was stored, whatever its characters', async () => {
      const { store, other } = await open();
      const values = [
        '',
        '"\u00fc\u{1f600}"',
        '"\\u0000"',
        `"${'x'.repeat(200_000)}"`,
        "'; DROP TABLE x; --",
      ];
      for (const [index, value] of values.entries()) await store.set('ada', `k${index}`, value, HOUR);
      const found = await Promise.all(values.map(async (_, index) => other.get('ada', `k${index}`)));
      expect(found).toEqual(values);
    });

    test('owners and keys are apart, whatever their characters', async () => {
      const { store } = await open();
      const places = [
        ['a', 'b:c'],
        ['a:b', 'c'],
        ['a', 'b'],
        ['A', 'b'],
        ['a', 'B'],
        ['a', '*'],
        ['a', '%'],
        ['a', '__proto__'],
        ['__proto__', 'a'],
        ['constructor', 'toString'],
        ['{a}', 'b'],
      ] as const;
      for (const [owner, key] of places) expect(await store.get(owner, key)).toBeUndefined();
      for (const [owner, key] of places) await store.set(owner, key, JSON.stringify([owner, key]), HOUR);
      for (const [owner, key] of places)
        expect(await store.get(owner, key)).toBe(JSON.stringify([owner, key]));
      await store.delete('a', '%');
      await store.delete('a', '*');
      expect(await store.get('a', 'b')).toBe('["a","b"]');
    });
  });
  describeStateExpiry(name, open);
  describeAtomicState(name, open);
  describeStateRoom(name, open);
}

function describeStateExpiry(name: string, open: OpenStateStore): void {
  describe(`${name}: expiry`, () => {
    test('a value is there until the moment it expires', async () => {
      const { store, advance, accuracyMs = 1 } = await open();
      await store.set('ada', 'short', '1', { ttlMs: 1000 });
      await store.set('ada', 'long', '2', HOUR);
      await store.set('ada', 'taken', '3', { ttlMs: 1000 });
      await advance(1000 - accuracyMs);
      expect(await store.get('ada', 'short')).toBe('1');
      await advance(accuracyMs);
      expect(await store.get('ada', 'short')).toBeUndefined();
      expect(await store.take('ada', 'taken')).toBeUndefined();
      expect(await store.get('ada', 'long')).toBe('2');
    });

    test('a value that is set again has the new time', async () => {
      const { store, advance } = await open();
      await store.set('ada', 'a', '1', { ttlMs: 1000 });
      await store.set('ada', 'a', '2', { ttlMs: 5000 });
      await store.set('ada', 'b', '1', { ttlMs: 5000 });
      await store.set('ada', 'b', '2', { ttlMs: 1000 });
      await advance(1000);
      expect([await store.get('ada', 'a'), await store.get('ada', 'b')]).toEqual(['2', undefined]);
    });
  });
}

function describeAtomicState(name: string, open: OpenStateStore): void {
  describe(`${name}: concurrent calls`, () => {
    test('with ifAbsent a value is stored only where there is none', async () => {
      const { store, other, advance } = await open();
      const ifAbsent = { ttlMs: 1000, ifAbsent: true };
      expect(await store.set('ada', 'a', '1', ifAbsent)).toBe(true);
      expect(await other.set('ada', 'a', '2', ifAbsent)).toBe(false);
      expect(await other.set('eve', 'a', '3', ifAbsent)).toBe(true);
      expect(await store.get('ada', 'a')).toBe('1');
      await advance(1000);
      expect(await other.set('ada', 'a', '4', ifAbsent)).toBe(true);
      expect(await store.get('ada', 'a')).toBe('4');
    });

    test('of concurrent calls with ifAbsent one stores its value', async () => {
      const { store, other } = await open();
      const stored = await Promise.all(
        Array.from({ length: 20 }, async (_, index) =>
          (index % 2 === 0 ? store : other).set('ada', 'a', `${index}`, { ...HOUR, ifAbsent: true }),
        ),
      );
      expect(stored.filter((isStored) => isStored)).toHaveLength(1);
      expect(await store.get('ada', 'a')).toBe(`${stored.indexOf(true)}`);
    });

    test('of concurrent calls one takes a value', async () => {
      const { store, other } = await open();
      await store.set('ada', 'a', '"once"', HOUR);
      const taken = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => (index % 2 === 0 ? store : other).take('ada', 'a')),
      );
      expect(taken.filter((value) => value !== undefined)).toEqual(['"once"']);
      expect(await store.get('ada', 'a')).toBeUndefined();
    });

    test('what one owner takes or deletes is still there for others', async () => {
      const { store } = await open();
      for (const owner of ['ada', 'bob', 'eve']) await store.set(owner, 'a', `"${owner}"`, HOUR);
      await store.delete('bob', 'a');
      expect(await store.take('eve', 'a')).toBe('"eve"');
      const left = await Promise.all(['ada', 'bob', 'eve'].map(async (owner) => store.get(owner, 'a')));
      expect(left).toEqual(['"ada"', undefined, undefined]);
    });
  });
}

function describeStateRoom(name: string, open: OpenStateStore): void {
  describe(`${name}: room`, () => {
    test('an owner has at most so many values; no value is dropped for another', async () => {
      const { store } = await open({ maxEntriesPerOwner: 3 });
      for (const key of ['a', 'b', 'c']) await store.set('ada', key, '1', HOUR);
      expect(await refusalOf(() => store.set('ada', 'd', '1', HOUR))).toEqual(FULL);
      expect(await store.set('ada', 'c', '2', HOUR)).toBe(true);
      expect(await store.set('eve', 'd', '1', HOUR)).toBe(true);
      const kept = await Promise.all(['a', 'b', 'c', 'd'].map(async (key) => store.get('ada', key)));
      expect(kept).toEqual(['1', '1', '2', undefined]);
      await store.delete('ada', 'a');
      expect(await store.set('ada', 'd', '1', HOUR)).toBe(true);
      await store.take('ada', 'b');
      expect(await store.set('ada', 'e', '1', HOUR)).toBe(true);
      expect(await refusalOf(() => store.set('ada', 'f', '1', HOUR))).toEqual(FULL);
    });

    test('an owner has at most so many bytes', async () => {
      const { store } = await open({ maxBytesPerOwner: 10_000 });
      const large = 'x'.repeat(4000);
      await store.set('ada', 'a', large, HOUR);
      await store.set('ada', 'b', large, HOUR);
      expect(await refusalOf(() => store.set('ada', 'c', large, HOUR))).toEqual(FULL);
      expect(await refusalOf(() => store.set('ada', 'a', `${large}${large}`, HOUR))).toEqual(FULL);
      expect(await store.get('ada', 'a')).toBe(large);
      expect(await store.set('ada', 'a', 'small', HOUR)).toBe(true);
      expect(await store.set('ada', 'c', large, HOUR)).toBe(true);
      expect(await refusalOf(() => store.set('eve', 'a', 'x'.repeat(10_001), HOUR))).toEqual(FULL);
    });

    test('a value that expires makes room', async () => {
      const { store, advance } = await open({ maxEntriesPerOwner: 2 });
      await store.set('ada', 'a', '1', { ttlMs: 1000 });
      await store.set('ada', 'b', '1', HOUR);
      expect(await refusalOf(() => store.set('ada', 'c', '1', HOUR))).toEqual(FULL);
      await advance(1000);
      expect(await store.set('ada', 'c', '1', HOUR)).toBe(true);
      expect(await store.get('ada', 'b')).toBe('1');
    });

    test('a message for the caller says what to do', async () => {
      const { store } = await open({ maxEntriesPerOwner: 1, maxBytesPerOwner: 500 });
      await store.set('ada', 'a', '1', HOUR);
      expect(await refusalOf(() => store.set('ada', 'b', '1', HOUR))).toMatchObject({
        message:
          'The state of this caller is full: at most 1 values and 500 bytes. Delete values that are not needed, or wait until some expire.',
      });
    });
  });
}

/** The contract of a store that bounds the values of all owners together; elsewhere the database does. */
export function describeStateBounds(name: string, open: OpenStateStore): void {
  describe(`${name}: room of all owners`, () => {
    test('the owner that has most is rejected first, and others find room', async () => {
      const { store, advance } = await open({ maxEntries: 8 });
      const fill = async (owner: string): Promise<number> => {
        for (let count = 0; count < 9; count += 1)
          if ((await refusalOf(() => store.set(owner, `k${count}`, '1', { ttlMs: 5000 }))) !== undefined)
            return count;
        return 9;
      };
      expect([await fill('ada'), await fill('bob'), await fill('eve'), await fill('zoe')]).toEqual([
        4, 2, 1, 1,
      ]);
      expect(await refusalOf(() => store.set('new', 'a', '1', HOUR))).toMatchObject({
        code: 'STATE_FULL',
        message: 'The state store is full. Try again when values have expired.',
      });
      expect(await store.get('ada', 'k3')).toBe('1');
      expect(await store.set('ada', 'k3', '2', HOUR)).toBe(true);
      await advance(5000);
      expect(await store.set('new', 'a', '1', HOUR)).toBe(true);
      expect(await store.get('ada', 'k3')).toBe('2');
    });

    test('all values have at most so many bytes', async () => {
      const { store } = await open({ maxBytes: 10_000 });
      expect(await store.set('ada', 'a', 'x'.repeat(4500), HOUR)).toBe(true);
      expect(await refusalOf(() => store.set('ada', 'b', 'x'.repeat(4500), HOUR))).toEqual(FULL);
      expect(await store.set('eve', 'a', 'x'.repeat(2000), HOUR)).toBe(true);
      expect(await refusalOf(() => store.set('eve', 'b', 'x'.repeat(2500), HOUR))).toEqual(FULL);
    });
  });
}
