import { describe, expect, test } from 'vitest';
import { StallWatch } from '../../../src/transport/stall-watch.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function watch(): { clock: FakeClock; reader: { waiting: number; isCut: boolean }; stall: StallWatch } {
  const clock = new FakeClock();
  const reader = { waiting: 100, isCut: false };
  const stall = new StallWatch(
    { clock, stallMs: 1000 },
    {
      waitingBytes: () => reader.waiting,
      cut: () => {
        reader.isCut = true;
      },
    },
  );
  return { clock, reader, stall };
}

describe('a reader', () => {
  test('that stands still is cut off', () => {
    const { clock, reader, stall } = watch();
    stall.start();
    clock.advance(999);
    stall.start();
    expect(reader.isCut).toBe(false);
    clock.advance(1);
    expect([reader.isCut, clock.pending]).toEqual([true, 0]);
  });

  test('that is only slow is left alone until it stands still', () => {
    const { clock, reader, stall } = watch();
    stall.start();
    for (const waiting of [90, 40, 39]) {
      reader.waiting = waiting;
      clock.advance(1000);
    }
    expect(reader.isCut).toBe(false);
    clock.advance(1000);
    expect(reader.isCut).toBe(true);
  });

  test('that has caught up is not watched any more', () => {
    const { clock, reader, stall } = watch();
    stall.start();
    stall.stop();
    clock.advance(5000);
    expect([reader.isCut, clock.pending]).toEqual([false, 0]);
  });
});

test('a reader that has read everything is not watched any longer, and not cut off when more data waits', () => {
  const clock = new FakeClock();
  const reader = { unread: 100, isCut: false };
  const stall = new StallWatch(
    { clock, stallMs: 1000 },
    {
      waitingBytes: () => 100,
      isRead: () => reader.unread === 0,
      cut: () => {
        reader.isCut = true;
      },
    },
  );
  stall.start();
  reader.unread = 0;
  clock.advance(1000);
  expect([reader.isCut, clock.pending]).toEqual([false, 0]);
  reader.unread = 50;
  stall.start();
  clock.advance(999);
  expect(reader.isCut).toBe(false);
  clock.advance(1);
  expect(reader.isCut).toBe(true);
});
