import { expect, test } from 'vitest';
import type { RateDecision, RateLimitStore } from '../../../src/stores.ts';

/** A version of the store for one test, and the passing of time for it. */
export interface RateLimitVersion {
  readonly store: RateLimitStore;
  /** Lets at least this time pass. */
  readonly pass: (ms: number) => Promise<void> | void;
}

const RATE = { limit: 3, perMs: 60_000 };

/** The tests that every rate limit store passes. */
export function rateLimitSuite(open: () => RateLimitVersion | Promise<RateLimitVersion>): void {
  test('exactly the limit is allowed in a window, also of concurrent calls', async () => {
    const { store } = await open();
    const decisions = await Promise.all(Array.from({ length: 20 }, async () => store.consume('a', RATE)));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect((await store.consume('a', RATE)).allowed).toBe(false);
  });

  test('the wait is the rest of the window', async () => {
    const { store, pass } = await open();
    for (let call = 0; call < 3; call += 1) await store.consume('a', RATE);
    const first = waitOf(await store.consume('a', RATE));
    expect(first).toBeGreaterThan(30_000);
    expect(first).toBeLessThanOrEqual(60_000);
    await pass(20);
    expect(waitOf(await store.consume('a', RATE))).toBeLessThanOrEqual(first - 20);
  });

  test('a window ends after its length, also if calls were refused in it', async () => {
    const { store, pass } = await open();
    // Long enough for two calls of a store in real time on a busy machine.
    const short = { limit: 1, perMs: 1000 };
    await store.consume('a', short);
    const before = await store.consume('a', short);
    await pass(1000);
    expect([before.allowed, (await store.consume('a', short)).allowed]).toEqual([false, true]);
  });

  test('keys are counted apart, also odd and long ones', async () => {
    const { store } = await open();
    const once = { limit: 1, perMs: 60_000 };
    const long = 'x'.repeat(2000);
    for (const key of [
      'a',
      '__proto__',
      'constructor',
      '',
      '{a}',
      '}{',
      'a b',
      '\u{1F600}',
      long,
      `${long}y`,
    ])
      expect([key, (await store.consume(key, once)).allowed]).toEqual([key, true]);
    for (const key of ['a', '__proto__', '{a}', long])
      expect([key, (await store.consume(key, once)).allowed]).toEqual([key, false]);
  });

  test('a limit of zero allows nothing', async () => {
    const { store } = await open();
    expect((await store.consume('a', { limit: 0, perMs: 1000 })).allowed).toBe(false);
  });

  test('a window may be shorter than a millisecond and longer than a month', async () => {
    const { store } = await open();
    expect((await store.consume('short', { limit: 1, perMs: 0.5 })).allowed).toBe(true);
    const month = { limit: 1, perMs: 3_000_000_000 };
    expect((await store.consume('long', month)).allowed).toBe(true);
    expect(waitOf(await store.consume('long', month))).toBeGreaterThan(2_999_000_000);
  });
}

function waitOf(decision: RateDecision): number {
  if (decision.allowed) throw new Error('The call was allowed.');
  return decision.retryAfterMs;
}
