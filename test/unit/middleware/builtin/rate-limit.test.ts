import { describe, expect, test } from 'vitest';
import { rateLimit } from '../../../../src/middleware/builtin/rate-limit.ts';
import type { RateLimitStore } from '../../../../src/stores/rate-limit-store.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { chainOf, subjectOf, TestContext } from './harness.ts';

const ADA = { principal: { id: 'ada' } };

/** A store that allows every call and records the keys. */
function recordingStore(): { store: RateLimitStore; keys: string[] } {
  const keys: string[] = [];
  return { store: { consume: (key) => (keys.push(key), { allowed: true }) }, keys };
}

describe('rateLimit', () => {
  test('refuses the call over the limit, says how long to wait, and lets the next window in', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const chain = chainOf(() => (runs += 1), [rateLimit({ limit: 2, perMs: 10_000, clock })]);
    const call = (): Promise<unknown> => chain({}, new TestContext(ADA));
    await call();
    clock.advance(2500);
    await call();
    await expect(call()).rejects.toMatchObject({
      name: 'CallRefusedError',
      code: 'RATE_LIMITED',
      message: "'things' was called too often. Try again in 8 s.",
      retryAfterMs: 7500,
    });
    expect(runs).toBe(2);
    clock.advance(7500);
    expect(await call()).toBe(3);
  });

  test('callers and tools are counted apart', async () => {
    const middleware = [rateLimit({ limit: 1, perMs: 1000, clock: new FakeClock() })];
    const chain = chainOf(() => 'done', middleware);
    for (const given of [ADA, { principal: { id: 'bob' } }, { accessToken: 'ada' }, {}])
      expect(await chain({}, new TestContext(given))).toBe('done');
    expect(
      await chainOf(() => 'other', middleware, subjectOf({ name: 'other' }))({}, new TestContext(ADA)),
    ).toBe('other');
    await expect(chain({}, new TestContext())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('no store ever sees an access token, and no message the key', async () => {
    const { store, keys } = recordingStore();
    const chain = chainOf(() => 1, [rateLimit({ limit: 1, perMs: 1000, store })]);
    for (const accessToken of ['canary-1', 'canary-1', 'canary-2'])
      await chain({}, new TestContext({ accessToken }));
    expect(keys.join()).not.toContain('canary');
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false]);
    const refusing: RateLimitStore = { consume: () => ({ allowed: false, retryAfterMs: 1 }) };
    const refused = chainOf(
      () => 1,
      [rateLimit({ limit: 1, perMs: 1000, store: refusing, by: () => 'canary' })],
    )();
    await expect(refused).rejects.toMatchObject({
      message: "'things' was called too often. Try again in 1 s.",
    });
  });

  test('names that look like other keys are other keys', async () => {
    const { store, keys } = recordingStore();
    const middleware = [rateLimit({ limit: 1, perMs: 1000, store })];
    await chainOf(() => 1, middleware)({}, new TestContext({ principal: { id: 'a","b' } }));
    await chainOf(() => 1, middleware)({}, new TestContext({ principal: { id: 'anonymous' } }));
    await chainOf(() => 1, middleware)({}, new TestContext());
    expect(new Set(keys).size).toBe(3);
  });

  test('a store that fails allows no call', async () => {
    let runs = 0;
    const store: RateLimitStore = { consume: () => Promise.reject(new Error('down')) };
    const chain = chainOf(() => (runs += 1), [rateLimit({ limit: 1, perMs: 1000, store })]);
    await expect(chain()).rejects.toThrow('down');
    expect(runs).toBe(0);
  });
});
