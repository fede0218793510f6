import { describe, expect, test, vi } from 'vitest';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import { FetchRequest, FetchSink } from '../../../src/transport/http/faces/fetch-face.ts';
import type { Body, StreamSink } from '../../../src/transport/http/message/http-message.ts';
import { ReadingRoom } from '../../../src/transport/http/message/reading-room.ts';
import { UnreadResponses } from '../../../src/transport/http/faces/unread-responses.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const MB = 1_048_576;
const STALL_MS = 30_000;

/** A chunked body; `read` counts the requested chunks. */
class Pieces {
  read = 0;
  isCancelled = false;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(bytes: Uint8Array, pieceBytes: number) {
    let at = 0;
    this.stream = new ReadableStream(
      {
        pull: (controller) => {
          if (at >= bytes.length) return controller.close();
          this.read += 1;
          controller.enqueue(bytes.slice(at, at + pieceBytes));
          at += pieceBytes;
        },
        cancel: () => {
          this.isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
  }
}

interface Reading {
  readonly body: Body;
  readonly usedBytes: number;
}

async function read(
  stream: ReadableStream<Uint8Array>,
  { length, hasBuffer = true }: { readonly length?: string; readonly hasBuffer?: boolean } = {},
): Promise<Reading> {
  const memory = new MemoryBudget(64 * MB);
  const request = new FetchRequest(
    toRequest(stream, length === undefined ? {} : { 'content-length': length }),
  );
  const room = new ReadingRoom(new FakeClock(), memory);
  if (!hasBuffer) vi.stubGlobal('Buffer', undefined);
  const body = await request.readBody({ maxBytes: 4 * MB, room }, memory.anonymous);
  vi.unstubAllGlobals();
  return { body, usedBytes: memory.usedBytes };
}

function toRequest(
  body: ReadableStream<Uint8Array>,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Request {
  const init = { method: 'POST', headers, body, duplex: 'half', ...(signal === undefined ? {} : { signal }) };
  return new Request('http://localhost/mcp', init as RequestInit);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a body in pieces', () => {
  test('is refused after 4,096 tiny ones', async () => {
    const pieces = new Pieces(new Uint8Array(100_000).fill(120), 1);
    expect(await read(pieces.stream)).toEqual({ body: { kind: 'too-large' }, usedBytes: 0 });
    expect([pieces.read, pieces.isCancelled]).toEqual([4097, true]);
  });

  test('is refused after 4,096 empty ones', async () => {
    let left = 10_000;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        left -= 1;
        if (left === 0) controller.close();
        else controller.enqueue(new Uint8Array(0));
      },
    });
    expect((await read(stream)).body).toEqual({ kind: 'too-large' });
  });

  test('of 64 bytes is read, however many they are, without a Buffer', async () => {
    const text = 'grüße '.repeat(50_000);
    const { stream } = new Pieces(bytesOf(text), 64);
    const { body, usedBytes } = await read(stream, { hasBuffer: false });
    expect(body.kind === 'text' && body.text === text).toBe(true);
    expect(usedBytes).toBe(0);
  });

  test('is decoded once, as a whole', async () => {
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    const { body } = await read(new Pieces(bytesOf('{"a":"ü"}'), 1).stream);
    expect([body, decode.mock.calls.length]).toEqual([{ kind: 'text', text: '{"a":"ü"}' }, 1]);
    decode.mockRestore();
  });

  test('that is not UTF-8 cannot be read', async () => {
    const { stream } = new Pieces(new Uint8Array([34, 195]), 1);
    expect((await read(stream)).body).toEqual({ kind: 'unreadable', bytes: new Uint8Array([34, 195]) });
  });
});

describe('Content-Length', () => {
  test.each(['abc', '70000, 70000', '-5', '', '1e3', '0x10', '7e9', 'Infinity', 'NaN'])(
    'that is no number says nothing: %j',
    async (length) => {
      const { body, usedBytes } = await read(new Pieces(new Uint8Array(200_000).fill(120), 10_000).stream, {
        length,
      });
      expect([body.kind, usedBytes]).toEqual(['text', 0]);
    },
  );

  test.each(['1', '65536', '199999'])('of %s: a longer body is refused', async (length) => {
    const pieces = new Pieces(new Uint8Array(200_000).fill(120), 10_000);
    expect(await read(pieces.stream, { length })).toEqual({ body: { kind: 'unreadable' }, usedBytes: 0 });
    expect(pieces.isCancelled).toBe(true);
  });

  test.each(['4194305', '99999999999999999999'])(
    'beyond the limit is refused before anything is read: %s',
    async (length) => {
      const pieces = new Pieces(bytesOf('{}'), 1);
      expect((await read(pieces.stream, { length })).body).toEqual({ kind: 'too-large' });
      expect(pieces.read).toBe(0);
    },
  );
});

interface Opened {
  readonly clock: FakeClock;
  readonly memory: MemoryBudget;
  readonly stream: StreamSink;
  readonly response: Response;
  /** Whether the sink was complete, for each close. */
  readonly ends: boolean[];
}

async function open(signal?: AbortSignal): Promise<Opened> {
  const clock = new FakeClock();
  const memory = new MemoryBudget(64 * MB);
  const owner = { stallLimit: { clock, stallMs: STALL_MS }, unread: new UnreadResponses(memory, clock) };
  const request = new Request('http://localhost/mcp', signal === undefined ? {} : { signal });
  const sink = new FetchSink(request, owner);
  sink.account = memory.anonymous;
  const ends: boolean[] = [];
  sink.onClose((isComplete) => void ends.push(isComplete));
  const stream = sink.openStream(200, {});
  return { clock, memory, stream, response: await sink.response, ends };
}

describe('a stream that has ended', () => {
  test('counts until it is read', async () => {
    const { clock, memory, stream, response, ends } = await open();
    void stream.write('x'.repeat(MB));
    void stream.write('y'.repeat(1000));
    stream.end();
    expect([memory.usedBytes, ends]).toEqual([MB + 1000, []]);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBe(MB);
    expect([memory.usedBytes, ends]).toEqual([1000, []]);
    expect((await reader?.read())?.value?.length).toBe(1000);
    expect((await reader?.read())?.done).toBe(true);
    expect([memory.usedBytes, ends, clock.pending]).toEqual([0, [true], 0]);
  });

  test('counts also when it is short', async () => {
    const { memory, stream, response, ends } = await open();
    void stream.write('x'.repeat(1000));
    stream.end();
    expect([memory.usedBytes, ends]).toEqual([1000, []]);
    expect(await response.text()).toBe('x'.repeat(1000));
    expect([memory.usedBytes, ends]).toEqual([0, [true]]);
  });

  test('is cut when the client does not read it', async () => {
    const { clock, memory, stream, response, ends } = await open();
    void stream.write('x'.repeat(MB));
    stream.end();
    clock.advance(STALL_MS);
    expect([memory.usedBytes, ends]).toEqual([0, [false]]);
    await expect(response.text()).rejects.toThrow('The connection was closed.');
  });

  test('frees its memory when it is cancelled', async () => {
    const { clock, memory, stream, response, ends } = await open();
    void stream.write('x'.repeat(MB));
    stream.end();
    await response.body?.cancel();
    expect([memory.usedBytes, ends, clock.pending]).toEqual([0, [false], 0]);
  });

  test('makes room for others', async () => {
    const { clock, memory, stream, response } = await open();
    void stream.write('x'.repeat(30 * MB));
    stream.end();
    clock.advance(1000);
    expect([memory.take(40 * MB, undefined), memory.usedBytes]).toEqual([true, 40 * MB]);
    await expect(response.text()).rejects.toThrow('The connection was closed.');
  });

  test('takes nothing more', async () => {
    const { stream, response } = await open();
    void stream.write('one');
    stream.end();
    void stream.write('two');
    stream.end();
    expect(await response.text()).toBe('one');
  });
});

describe('a client that hangs up', () => {
  test('before there is a response: the handler is done with 499', async () => {
    const memory = new MemoryBudget(64 * MB);
    const clock = new FakeClock();
    const stallLimit = { clock, stallMs: STALL_MS };
    const hangUp = new AbortController();
    const request = new Request('http://localhost/mcp', { signal: hangUp.signal });
    const sink = new FetchSink(request, { stallLimit, unread: new UnreadResponses(memory, clock) });
    let status = 0;
    void sink.response.then((response) => {
      status = response.status;
    });
    hangUp.abort();
    sink.respond(200, {}, 'late');
    await new Promise(setImmediate);
    expect([status, sink.isClosed]).toEqual([499, true]);
  });

  test('during a stream: the reader gets an error', async () => {
    const hangUp = new AbortController();
    const { memory, stream, response, ends } = await open(hangUp.signal);
    void stream.write('x'.repeat(MB));
    hangUp.abort();
    stream.end();
    expect([memory.usedBytes, ends]).toEqual([0, [false]]);
    let end = 'none';
    void response.text().catch((error: Error) => {
      end = error.message;
    });
    await new Promise(setImmediate);
    expect(end).toBe('The connection was closed.');
  });

  test('during a stream of which everything was read: it ends', async () => {
    const hangUp = new AbortController();
    const { stream, response, ends } = await open(hangUp.signal);
    let text = '';
    void response.text().then((read) => {
      text = read;
    });
    void stream.write('hello');
    await new Promise(setImmediate);
    hangUp.abort();
    await new Promise(setImmediate);
    expect([text, ends]).toEqual(['hello', [false]]);
  });

  test.each([
    ['while its body arrives', 20],
    ['while a long body arrives', 100_000],
  ])('%s: the rest is not waited for', async (_when, bytes) => {
    const memory = new MemoryBudget(64 * MB);
    const hangUp = new AbortController();
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(bytes).fill(120)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const request = new FetchRequest(toRequest(stream, {}, hangUp.signal));
    const room = new ReadingRoom(new FakeClock(), memory);
    let kind = 'none';
    void request.readBody({ maxBytes: 4 * MB, room }, memory.anonymous).then((body) => {
      kind = body.kind;
    });
    await new Promise(setImmediate);
    hangUp.abort();
    await new Promise(setImmediate);
    expect([kind, isCancelled, memory.usedBytes]).toEqual(['unreadable', true, 0]);
  });

  test('before its body is read: nothing of it is', async () => {
    const memory = new MemoryBudget(64 * MB);
    const pieces = new Pieces(bytesOf('{}'), 1);
    const request = new FetchRequest(toRequest(pieces.stream, {}, AbortSignal.abort()));
    const room = new ReadingRoom(new FakeClock(), memory);
    const body = await request.readBody({ maxBytes: 4 * MB, room }, memory.anonymous);
    expect([body, pieces.read, pieces.isCancelled]).toEqual([{ kind: 'unreadable' }, 0, true]);
  });
});
