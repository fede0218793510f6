import { describe, expect, test } from 'vitest';
import { MemoryConfirmationStore } from '../../../src/stores.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('MemoryConfirmationStore', () => {
  test('returns the value of a token once', () => {
    const store = new MemoryConfirmationStore({ clock: new FakeClock() });
    store.put('t1', 'binding', 1000);
    expect(store.take('t1')).toBe('binding');
    expect(store.take('t1')).toBeUndefined();
    expect(store.size).toBe(0);
  });

  test('knows nothing of other tokens, not even those that every object has', () => {
    const store = new MemoryConfirmationStore({ clock: new FakeClock() });
    store.put('t1', 'binding', 1000);
    for (const token of ['t2', '', 'constructor', '__proto__', 'toString'])
      expect(store.take(token)).toBeUndefined();
    expect(store.take('t1')).toBe('binding');
  });

  test('a token is good until the moment it expires', () => {
    const clock = new FakeClock();
    const store = new MemoryConfirmationStore({ clock });
    store.put('early', 'a', 1000);
    store.put('late', 'b', 1000);
    clock.advance(999);
    expect(store.take('early')).toBe('a');
    clock.advance(1);
    expect(store.take('late')).toBeUndefined();
    expect(store.size).toBe(0);
  });

  test('each token has its own time', () => {
    const clock = new FakeClock();
    const store = new MemoryConfirmationStore({ clock });
    store.put('short', 'a', 10);
    store.put('long', 'b', 1000);
    clock.advance(500);
    expect([store.take('short'), store.take('long')]).toEqual([undefined, 'b']);
  });

  test('keeps so many and no more; the oldest goes first', () => {
    const store = new MemoryConfirmationStore({ maxWaiting: 3, clock: new FakeClock() });
    for (let index = 0; index < 100; index += 1) store.put(`t${index}`, `b${index}`, 1000);
    expect(store.size).toBe(3);
    expect(store.take('t96')).toBeUndefined();
    expect([store.take('t97'), store.take('t98'), store.take('t99')]).toEqual(['b97', 'b98', 'b99']);
  });

  test('makes room at the expense of the owner who has most; of that, the oldest goes first', () => {
    const store = new MemoryConfirmationStore({ maxWaiting: 3, clock: new FakeClock() });
    store.put('a1', 'a', 1000, 'ada');
    for (const token of ['m1', 'm2', 'm3', 'm4']) store.put(token, token, 1000, 'mallory');
    expect(['m1', 'm2', 'm3', 'm4'].map((token) => store.take(token))).toEqual([
      undefined,
      undefined,
      'm3',
      'm4',
    ]);
    expect(store.take('a1')).toBe('a');
  });

  test('expired entries are evicted first', () => {
    const clock = new FakeClock();
    const store = new MemoryConfirmationStore({ maxWaiting: 2, clock });
    store.put('old', 'a', 10, 'ada');
    clock.advance(10);
    store.put('m1', 'b', 1000, 'mallory');
    store.put('m2', 'c', 1000, 'mallory');
    expect([store.size, store.take('m1'), store.take('m2')]).toEqual([2, 'b', 'c']);
  });

  test('is bounded by default', () => {
    const store = new MemoryConfirmationStore({ clock: new FakeClock() });
    for (let index = 0; index < 10_050; index += 1) store.put(`t${index}`, 'b', 1000);
    expect(store.size).toBe(10_000);
  });

  test('sets no timers', () => {
    const clock = new FakeClock();
    new MemoryConfirmationStore({ clock }).put('t', 'b', 1000);
    expect(clock.pending).toBe(0);
  });
});
