import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import { NodeBody } from '../../../src/transport/http/faces/node-body.ts';
import type { BodyEnd } from '../../../src/transport/http/faces/node-body.ts';
import { OpenBody, ReadingRoom } from '../../../src/transport/http/message/reading-room.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const MB = 1_048_576;

class OtherBody extends OpenBody {
  resume(): void {}
  refuse(): void {}
}

/** A message whose connection can be inspected. */
class FakeMessage extends EventEmitter {
  readonly httpVersionMajor = 1;
  readonly headers = { 'content-length': '100000' };
  isReading = true;
  complete = false;
  readonly socket = {
    _handle: { readStart: () => void (this.isReading = true), readStop: () => void (this.isReading = false) },
  };
}

function setUp(): { message: FakeMessage; ends: BodyEnd[]; memory: MemoryBudget } {
  const memory = new MemoryBudget(32 * MB);
  const room = new ReadingRoom(new FakeClock(), memory);
  const other = new OtherBody(memory.anonymous);
  room.take(other, 65_537, false);
  room.reserve(other, 4 * MB);
  const message = new FakeMessage();
  const ends: BodyEnd[] = [];
  new NodeBody(message as unknown as IncomingMessage, memory.anonymous, { maxBytes: 4 * MB, room }).read(
    (end) => ends.push(end),
  );
  return { message, ends, memory };
}

test('a connection whose body had to wait is read on after its end, which may have come already', () => {
  const { message, ends } = setUp();
  message.emit('data', Buffer.alloc(70_000));
  expect(message.isReading).toBe(false);
  message.emit('data', Buffer.alloc(30_000));
  message.emit('end');
  expect([message.isReading, (ends[0] as Buffer).length]).toEqual([true, 100_000]);
});

test('a body in thousands of tiny pieces is not read to its end', () => {
  const { message, ends, memory } = setUp();
  for (let count = 0; count < 4096; count += 1) message.emit('data', Buffer.alloc(1));
  expect(ends).toEqual([]);
  message.emit('data', Buffer.alloc(1));
  expect([ends, message.isReading, memory.usedBytes]).toEqual([['too-large'], false, 4 * MB]);
});

test('a body is refused when there is no memory for it', () => {
  const { message, ends, memory } = setUp();
  memory.take(24 * MB, undefined);
  message.emit('data', Buffer.alloc(60_000));
  expect(ends).toEqual(['no-room']);
});
