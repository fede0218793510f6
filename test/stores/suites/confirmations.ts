import { expect, test } from 'vitest';
import type { ConfirmationStore } from '../../../src/stores.ts';

/** A version of the store for one test, and the passing of time for it. */
export interface ConfirmationVersion {
  readonly store: ConfirmationStore;
  /** The store of another node; the same store if there is only one. */
  readonly other: ConfirmationStore;
  /** Lets at least this time pass. */
  readonly pass: (ms: number) => Promise<void> | void;
}

/** The tests that every confirmation store passes. */
export function confirmationSuite(open: () => ConfirmationVersion | Promise<ConfirmationVersion>): void {
  test('a confirmation is taken once, also on another node', async () => {
    const { store, other } = await open();
    await store.put('t1', 'binding', 60_000, 'ada');
    expect([await other.take('t1'), await store.take('t1')]).toEqual(['binding', undefined]);
  });

  test('of concurrent calls on all nodes, one gets it', async () => {
    const { store, other } = await open();
    await store.put('t1', 'binding', 60_000);
    const taken = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => (index % 2 === 0 ? store : other).take('t1')),
    );
    expect(taken.filter((binding) => binding !== undefined)).toEqual(['binding']);
  });

  test('a confirmation expires', async () => {
    const { store, pass } = await open();
    await store.put('short', 'a', 40);
    await store.put('long', 'b', 60_000);
    await pass(40);
    expect([await store.take('short'), await store.take('long')]).toEqual([undefined, 'b']);
  });

  test('a token that is put again has the new binding', async () => {
    const { store } = await open();
    await store.put('t', 'a', 60_000);
    await store.put('t', 'b', 60_000);
    expect([await store.take('t'), await store.take('t')]).toEqual(['b', undefined]);
  });

  test('tokens and bindings are as they were given, also odd and long ones', async () => {
    const { store } = await open();
    const texts = ['', '__proto__', 'constructor', '{a}', '*', '\u0000\u{1F600}', 'x'.repeat(3000)];
    for (const text of texts) await store.put(text, `binding ${text}`, 60_000);
    for (const text of ['toString', 'x']) expect(await store.take(text)).toBeUndefined();
    for (const text of texts) expect(await store.take(text)).toBe(`binding ${text}`);
  });
}
