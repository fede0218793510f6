import { expect, test } from 'vitest';
import { MemoryStateStore } from '../../src/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { describeStateBounds, describeStateStore } from './suites/state.ts';
import type { OpenStateStore } from './suites/state.ts';

const open: OpenStateStore = (limits) => {
  const clock = new FakeClock();
  const store = new MemoryStateStore({ ...limits, clock });
  return { store, other: store, advance: (ms) => clock.advance(ms) };
};

describeStateStore('MemoryStateStore', open);
describeStateBounds('MemoryStateStore', open);

test('is bounded by default, per owner and in total', () => {
  const store = new MemoryStateStore({ clock: new FakeClock() });
  let rejected = 0;
  for (let owner = 0; owner < 150; owner += 1)
    for (let key = 0; key < 1001; key += 1)
      try {
        store.set(`o${owner}`, `k${key}`, '1', { ttlMs: 1000 });
      } catch {
        rejected += 1;
      }
  expect(store.size).toBeLessThanOrEqual(100_000);
  expect(store.size).toBeGreaterThan(99_000);
  expect(rejected).toBe(150 * 1001 - store.size);
});

test('expired values do not stay in memory while others are stored', () => {
  const clock = new FakeClock();
  const store = new MemoryStateStore({ maxEntries: 10, clock });
  for (let round = 0; round < 100; round += 1) {
    store.set(`o${round}`, 'a', '1', { ttlMs: 1000 });
    clock.advance(1000);
  }
  expect(store.size).toBeLessThanOrEqual(10);
});

test('sets no timers', () => {
  const clock = new FakeClock();
  new MemoryStateStore({ clock }).set('ada', 'a', '1', { ttlMs: 1000 });
  expect(clock.pending).toBe(0);
});

test.each([{ maxEntries: -1 }, { maxBytesPerOwner: 1.5 }, { maxSize: 1 }])(
  'rejects the options %j',
  (options) => {
    expect(() => new MemoryStateStore(options)).toThrow('MemoryStateStore');
  },
);
