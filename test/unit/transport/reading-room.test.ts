import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../support/fake-clock.ts';
import { ReadingRoom } from '../../../src/transport/http/reading-room.ts';

/** A long body that reads ten bytes at a time. */
function body(room: ReadingRoom): { read: () => boolean; leave: () => void; isReading: () => boolean } {
  let taken = 0;
  let isReading = true;
  const goOn = (): void => {
    isReading = true;
  };
  room.start();
  return {
    read: () => {
      room.take(10);
      taken += 10;
      isReading = !room.mustWait(goOn);
      return isReading;
    },
    leave: () => room.leave(taken, goOn),
    isReading: () => isReading,
  };
}

const clock = new FakeClock();

describe('room for long bodies', () => {
  test('what is beyond it waits until others are done', () => {
    const room = new ReadingRoom(clock, 30);
    const [first, second] = [body(room), body(room)];
    expect([first.read(), first.read(), second.read()]).toEqual([true, true, false]);
    first.leave();
    expect(second.isReading()).toBe(true);
  });

  test('one always goes on, however much it takes', () => {
    const room = new ReadingRoom(clock, 30);
    const only = body(room);
    expect([1, 2, 3, 4, 5].map(() => only.read())).toEqual([true, true, true, true, true]);
  });

  test('the last that could go on does, when the others wait', () => {
    const room = new ReadingRoom(clock, 20);
    const [first, second, third] = [body(room), body(room), body(room)];
    expect([first.read(), second.read(), third.read()]).toEqual([true, false, false]);
    expect(first.read()).toBe(true);
    first.leave();
    expect([second.isReading(), third.isReading()]).toEqual([true, false]);
    second.leave();
    expect(third.isReading()).toBe(true);
  });

  test('who leaves while it waits gives its bytes back and calls nobody too many', () => {
    const room = new ReadingRoom(clock, 20);
    const [first, second, third] = [body(room), body(room), body(room)];
    expect([first.read(), second.read(), third.read()]).toEqual([true, false, false]);
    second.leave();
    expect(third.isReading()).toBe(false);
    first.leave();
    expect(third.isReading()).toBe(true);
  });

  test('who fills it and does nothing more keeps nobody waiting for ever', () => {
    const time = new FakeClock();
    const room = new ReadingRoom(time, 20);
    const [stalled, other] = [body(room), body(room)];
    expect([stalled.read(), other.read()]).toEqual([true, false]);
    time.advance(999);
    expect(other.isReading()).toBe(false);
    time.advance(1);
    expect(other.isReading()).toBe(true);
    expect(other.read()).toBe(false);
    time.advance(1000);
    expect(other.isReading()).toBe(true);
    other.leave();
    stalled.leave();
    expect(time.pending).toBe(0);
  });
});
