import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryRateLimitStore } from '../../../src/stores/rate-limit-store.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const RATE = { limit: 3, perMs: 1000 };

function createStore(maxKeys?: number): { store: MemoryRateLimitStore; clock: FakeClock } {
  const clock = new FakeClock();
  return { store: new MemoryRateLimitStore({ clock, ...(maxKeys === undefined ? {} : { maxKeys }) }), clock };
}

test('exactly the limit is allowed in a window, and the wait is the rest of it', () => {
  const { store, clock } = createStore();
  const decisions = [];
  for (let call = 0; call < 5; call += 1) {
    decisions.push(store.consume('a', RATE));
    clock.advance(100);
  }
  expect(decisions).toEqual([
    { allowed: true },
    { allowed: true },
    { allowed: true },
    { allowed: false, retryAfterMs: 700 },
    { allowed: false, retryAfterMs: 600 },
  ]);
});

test('a caller is allowed again after the given wait, and not a moment earlier', () => {
  const { store, clock } = createStore();
  for (let call = 0; call < 3; call += 1) store.consume('a', RATE);
  clock.advance(999);
  expect(store.consume('a', RATE)).toEqual({ allowed: false, retryAfterMs: 1 });
  clock.advance(1);
  expect(store.consume('a', RATE)).toEqual({ allowed: true });
});

test('refused calls do not prolong the window', () => {
  const { store, clock } = createStore();
  for (let call = 0; call < 50; call += 1) store.consume('a', RATE);
  clock.advance(1000);
  expect(store.consume('a', RATE)).toEqual({ allowed: true });
});

test('callers are counted apart, also under odd names', () => {
  const { store } = createStore();
  const once = { limit: 1, perMs: 1000 };
  for (const key of ['a', 'b', '__proto__', 'constructor', '']) {
    expect(store.consume(key, once)).toEqual({ allowed: true });
    expect(store.consume(key, once)).toEqual({ allowed: false, retryAfterMs: 1000 });
  }
});

test('a limit of zero allows nothing', () => {
  expect(createStore().store.consume('a', { limit: 0, perMs: 10 })).toEqual({
    allowed: false,
    retryAfterMs: 10,
  });
});

test('in every window of any sequence of calls, at most the limit is allowed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 60 }), (pauses) => {
      const { store, clock } = createStore();
      let [windowEnd, allowed] = [0, 0];
      for (const pause of pauses) {
        clock.advance(pause);
        if (clock.now() >= windowEnd) [windowEnd, allowed] = [clock.now() + 1000, 0];
        const decision = store.consume('a', RATE);
        if (decision.allowed) allowed += 1;
        else expect(decision.retryAfterMs).toBe(windowEnd - clock.now());
        expect(decision.allowed).toBe(allowed <= 3 && (decision.allowed || allowed < 3));
      }
    }),
  );
});

test('only so many callers are remembered: the one whose window began first is forgotten', () => {
  const { store, clock } = createStore(2);
  const once = { limit: 1, perMs: 1000 };
  store.consume('a', once);
  clock.advance(1);
  store.consume('b', once);
  store.consume('c', once);
  expect(store.consume('b', once).allowed).toBe(false);
  expect(store.consume('c', once).allowed).toBe(false);
  expect(store.consume('a', once).allowed).toBe(true);
});

test('a caller whose window begins anew is not the first to be forgotten', () => {
  const { store, clock } = createStore(2);
  const once = { limit: 1, perMs: 1000 };
  store.consume('a', once);
  clock.advance(500);
  store.consume('b', once);
  clock.advance(500);
  store.consume('a', once);
  store.consume('c', once);
  expect(store.consume('a', once).allowed).toBe(false);
});

describe('a store that is full', () => {
  const twice = { limit: 2, perMs: 1000 };

  function block(store: MemoryRateLimitStore, key: string): void {
    for (let call = 0; call < 3; call += 1) store.consume(key, twice);
  }

  test('a caller that is blocked does not get free by flooding the store with other names', () => {
    const { store } = createStore(10);
    block(store, 'a');
    for (let index = 0; index < 100; index += 1) store.consume(`other${index}`, twice);
    expect(store.consume('a', twice)).toEqual({ allowed: false, retryAfterMs: 1000 });
  });

  test('nor with names that have used up their calls', () => {
    const { store } = createStore(10);
    block(store, 'a');
    for (let index = 0; index < 100; index += 1) {
      store.consume(`other${index}`, twice);
      store.consume(`other${index}`, twice);
    }
    expect(store.consume('a', twice)).toEqual({ allowed: false, retryAfterMs: 1000 });
  });

  test('a caller without calls left is kept before one with calls left', () => {
    const { store } = createStore(2);
    store.consume('spent', twice);
    store.consume('spent', twice);
    store.consume('fresh', twice);
    store.consume('newcomer', twice);
    expect(store.consume('spent', twice)).toEqual({ allowed: false, retryAfterMs: 1000 });
  });

  test('windows that have ended go first, even those of blocked callers', () => {
    const { store, clock } = createStore(2);
    block(store, 'ended');
    clock.advance(500);
    store.consume('running', twice);
    store.consume('running', twice);
    clock.advance(500);
    store.consume('newcomer', twice);
    expect(store.consume('running', twice)).toEqual({ allowed: false, retryAfterMs: 500 });
  });

  test('a short window that ended goes before a long one that began earlier', () => {
    const { store, clock } = createStore(2);
    const [long, short] = [
      { limit: 1, perMs: 10_000 },
      { limit: 1, perMs: 10 },
    ];
    store.consume('long', long);
    store.consume('short', short);
    clock.advance(10);
    store.consume('newcomer', long);
    expect(store.consume('long', long)).toEqual({ allowed: false, retryAfterMs: 9990 });
  });

  test('when all that are remembered are blocked, the one blocked first is forgotten', () => {
    const { store } = createStore(2);
    for (const key of ['a', 'b']) block(store, key);
    block(store, 'c');
    expect(['b', 'c', 'a'].map((key) => store.consume(key, twice).allowed)).toEqual([false, false, true]);
  });
});
