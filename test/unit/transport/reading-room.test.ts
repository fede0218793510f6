import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { OpenBody, ReadingRoom } from '../../../src/transport/http/message/reading-room.ts';

const MB = 1_048_576;

class FakeBody extends OpenBody {
  state: 'reads' | 'waits' | 'refused' = 'reads';

  resume(): void {
    this.state = 'reads';
  }

  refuse(): void {
    this.state = 'refused';
  }
}

/** A room for two bodies of 4 MB. */
function setUp(): { clock: FakeClock; room: ReadingRoom; memory: MemoryBudget; open: () => FakeBody } {
  const clock = new FakeClock();
  const memory = new MemoryBudget(64 * MB);
  const room = new ReadingRoom(clock, memory);
  const open = (): FakeBody => {
    const body = new FakeBody(memory.anonymous);
    room.take(body, 65_537, false);
    body.state = room.reserve(body, 4 * MB);
    return body;
  };
  return { clock, room, memory, open };
}

describe('room for long bodies', () => {
  test('those beyond it wait until others are done, in order', () => {
    const { room, open } = setUp();
    const bodies = [open(), open(), open(), open()];
    expect(bodies.map(({ state }) => state)).toEqual(['reads', 'reads', 'waits', 'waits']);
    room.leave(bodies[1] as FakeBody);
    expect(bodies.map(({ state }) => state)).toEqual(['reads', 'reads', 'reads', 'waits']);
  });

  test('the shortest go first', () => {
    const { room, memory, open } = setUp();
    const [first, , long] = [open(), open(), open()];
    const short = new FakeBody(memory.anonymous);
    room.take(short, 65_537, false);
    short.state = room.reserve(short, MB);
    room.leave(first);
    expect([long.state, short.state]).toEqual(['waits', 'reads']);
  });

  test('a body that stops arriving is refused when others wait, and not before', () => {
    const { clock, room, open } = setUp();
    const [first, second] = [open(), open()];
    clock.advance(10_000);
    expect([first.state, second.state]).toEqual(['reads', 'reads']);
    room.take(second, 4096, false);
    const third = open();
    clock.advance(25);
    expect([first.state, second.state, third.state]).toEqual(['refused', 'reads', 'reads']);
  });

  test('a body that arrives byte by byte has stopped arriving', () => {
    const { clock, room, open } = setUp();
    const [first, second, third] = [open(), open(), open()];
    for (let ms = 0; ms < 250; ms += 1) {
      clock.advance(1);
      room.take(first, 1, false);
      if (ms % 50 === 0) room.take(second, 4096, false);
    }
    expect([first.state, second.state, third.state]).toEqual(['refused', 'reads', 'reads']);
  });

  test('every wait ends', () => {
    const { clock, room, open } = setUp();
    const [first, second, third] = [open(), open(), open()];
    for (let ms = 0; ms < 10_000; ms += 100) {
      clock.advance(100);
      for (const body of [first, second]) room.take(body, 4096, false);
    }
    expect([first.state, second.state, third.state]).toEqual(['reads', 'reads', 'refused']);
  });

  test('everything is given back, and no timer is left behind', () => {
    const { clock, room, memory, open } = setUp();
    const bodies = [open(), open(), open()];
    expect(memory.usedBytes).toBe(8 * MB + 65_537);
    for (const body of bodies) room.leave(body);
    clock.advance(250);
    expect([memory.usedBytes, clock.pending]).toEqual([0, 0]);
  });

  test('bodies that stopped arriving, short ones too, make room for whatever needs memory', () => {
    const { clock, room, memory } = setUp();
    const [stalled, moving] = [new FakeBody(memory.anonymous), new FakeBody(memory.anonymous)];
    room.take(stalled, 40 * MB, false);
    clock.advance(250);
    room.take(moving, 16 * MB, false);
    expect([memory.anonymous.take(8 * MB), stalled.state, moving.state]).toEqual([true, 'refused', 'reads']);
    expect([memory.anonymous.take(40 * MB), moving.state]).toEqual([false, 'reads']);
  });
});
