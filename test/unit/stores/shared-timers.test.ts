import { expect, test } from 'vitest';
import { SharedTimers } from '../../../src/base/time/shared-timers.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function prepare(): {
  clock: FakeClock;
  timers: SharedTimers;
  called: string[];
  call: (name: string) => () => void;
} {
  const clock = new FakeClock();
  const called: string[] = [];
  return { clock, timers: new SharedTimers(clock), called, call: (name) => () => called.push(name) };
}

test('everybody is called back at their own time, with one timer for all', () => {
  const { clock, timers, called, call } = prepare();
  timers.schedule(call('a'), 100);
  clock.advance(60);
  timers.schedule(call('b'), 100);
  timers.schedule(call('c'), 100);
  expect(clock.pending).toBe(1);
  clock.advance(40);
  expect(called).toEqual(['a']);
  clock.advance(59);
  expect(called).toEqual(['a']);
  clock.advance(1);
  expect(called).toEqual(['a', 'b', 'c']);
  expect(clock.pending).toBe(0);
});

test('those that wait longer do not keep others waiting', () => {
  const { clock, timers, called, call } = prepare();
  timers.schedule(call('long'), 500);
  timers.schedule(call('short'), 10);
  clock.advance(10);
  expect(called).toEqual(['short']);
  clock.advance(490);
  expect(called).toEqual(['short', 'long']);
});

test('what is taken back is not called, and the timer goes once nobody waits', () => {
  const { clock, timers, called, call } = prepare();
  const cancel = timers.schedule(call('a'), 100);
  cancel();
  cancel();
  expect(clock.pending).toBe(1);
  clock.advance(100);
  expect([called, clock.pending]).toEqual([[], 0]);
  timers.schedule(call('b'), 100);
  clock.advance(100);
  expect(called).toEqual(['b']);
});

test('one that throws does not keep the others from being called', () => {
  const { clock, timers, called, call } = prepare();
  timers.schedule(() => {
    throw new Error('broken');
  }, 100);
  timers.schedule(call('b'), 100);
  expect(() => clock.advance(100)).toThrow('broken');
  clock.advance(1);
  expect(called).toEqual(['b']);
});

test('what is scheduled or taken back from a callback counts', () => {
  const { clock, timers, called, call } = prepare();
  let cancel = (): void => {};
  timers.schedule(() => {
    cancel();
    timers.schedule(call('again'), 100);
  }, 100);
  cancel = timers.schedule(call('taken back'), 100);
  clock.advance(100);
  expect(called).toEqual([]);
  clock.advance(100);
  expect(called).toEqual(['again']);
});

test('a time that jumps back keeps nobody waiting for longer than they asked', () => {
  const called: string[] = [];
  const scheduled: { callback: () => void; delayMs: number }[] = [];
  let now = 10_000_000;
  const timers = new SharedTimers({
    now: () => now,
    schedule: (callback, delayMs) => {
      scheduled.push({ callback, delayMs });
      return () => {};
    },
  });
  timers.schedule(() => called.push('a'), 50_000);
  now -= 3_600_000;
  scheduled[0]?.callback();
  expect(scheduled[1]?.delayMs).toBe(50_000);
});
