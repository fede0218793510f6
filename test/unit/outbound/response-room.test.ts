import { lookup } from 'node:dns';
import { Agent, createServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import { exchange } from '../../../src/outbound/http-exchange.ts';
import type { Ending, ExchangeAnswer } from '../../../src/outbound/http-exchange.ts';
import { ResponseRoom } from '../../../src/outbound/response-room.ts';
import type { LongResponse } from '../../../src/outbound/response-room.ts';

const MB = 1024 * 1024;

/** Result of receiving bytes of a response. */
function take(response: LongResponse, bytes: number, source = new PassThrough()): { isIn: boolean } {
  const state = { isIn: false };
  const waiting = response.take(bytes, source);
  if (waiting === undefined) state.isIn = true;
  else
    void waiting.then(() => {
      state.isIn = true;
    });
  return state;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a room for long responses', () => {
  test('has 16 MiB for one server; the first response is always read on', async () => {
    const room = new ResponseRoom();
    const [first, second, third] = [room.enter('a'), room.enter('a'), room.enter('a')];
    expect(take(first, 8 * MB)).toEqual({ isIn: true });
    expect(take(second, 8 * MB)).toEqual({ isIn: true });
    const waiting = take(third, 1);
    expect(waiting).toEqual({ isIn: false });
    expect(take(first, 20 * MB)).toEqual({ isIn: true });
    expect(room.bytes).toBe(36 * MB);
    first.leave();
    await settle();
    expect(waiting).toEqual({ isIn: true });
    expect(room.bytes).toBe(8 * MB + 1);
    second.leave();
    third.leave();
    expect(room.bytes).toBe(0);
  });

  test('has 32 MiB for all servers, and something for each', async () => {
    const room = new ResponseRoom();
    const full = ['a', 'a', 'b', 'b'].map((origin) => room.enter(origin));
    for (const response of full) take(response, 8 * MB);
    const [other, another] = [room.enter('c'), room.enter('c')];
    expect(take(other, 8 * MB)).toEqual({ isIn: true });
    const waiting = take(another, 1);
    expect(waiting).toEqual({ isIn: false });
    full[3]?.leave();
    await settle();
    expect(waiting).toEqual({ isIn: false });
    other.leave();
    await settle();
    expect(waiting).toEqual({ isIn: true });
  });

  test('does not keep those waiting whose connection is closed', async () => {
    const room = new ResponseRoom();
    const [first, second] = [room.enter('a'), room.enter('a')];
    take(first, 16 * MB);
    const source = new PassThrough();
    const waiting = take(second, 100, source);
    source.destroy();
    await settle();
    expect(waiting).toEqual({ isIn: true });
    second.leave();
    expect(room.bytes).toBe(16 * MB);
  });
});

async function listen(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** Sends requests that share one response room. */
function sendIn(room: ResponseRoom, url: URL): (path: string, ending?: Ending) => Promise<ExchangeAnswer> {
  const agent = new Agent({ maxSockets: 64 });
  onTestFinished(() => agent.destroy());
  return (path, ending = { reason: undefined, stop: undefined }) =>
    exchange(
      { method: 'GET', url: new URL(path, url), headers: {}, body: undefined },
      {
        agent,
        lookup,
        maxResponseBytes: 8 * MB,
        maxHeaderBytes: 16_384,
        room,
        ending,
        onProgress: () => {},
      },
    );
}

describe('long responses', () => {
  const body = Buffer.alloc(4 * MB, 'x');

  test('all arrive, and what is read of them at any time has room', async () => {
    const url = await listen((_request, response) => response.end(body));
    const room = new ResponseRoom();
    const enter = room.enter.bind(room);
    let most = 0;
    room.enter = (origin) => {
      const response = enter(origin);
      return {
        leave: () => {
          most = Math.max(most, room.bytes);
          response.leave();
        },
        take: (bytes, source) => response.take(bytes, source),
      };
    };
    const send = sendIn(room, url);
    const answers = await Promise.all(Array.from({ length: 16 }, () => send('/')));
    expect(answers.filter((answer) => answer.body.equals(body))).toHaveLength(16);
    expect(most).toBeGreaterThanOrEqual(4 * MB);
    // 16 MiB, plus the whole first response.
    expect(most).toBeLessThanOrEqual(20 * MB);
    expect(room.bytes).toBe(0);
  });

  test('of a client are read in one room', async () => {
    const entered = vi.spyOn(ResponseRoom.prototype, 'enter');
    const url = await listen((_request, response) => response.end(body));
    const client = new OutboundClient({ allowPrivate: true, maxResponseBytes: 4 * MB });
    onTestFinished(() => {
      client.close();
      entered.mockRestore();
    });
    await Promise.all([client.send({ url }), client.send({ url })]);
    expect(entered.mock.contexts[0]).toBe(entered.mock.contexts[1]);
    expect(entered.mock.calls).toEqual([[url.origin], [url.origin]]);
  });

  test('that wait are given up when they are cancelled', async () => {
    const held: ServerResponse[] = [];
    const url = await listen((request, response) => {
      if (request.url === '/third') return void response.end(body);
      held.push(response);
      response.write(Buffer.alloc(8 * MB - 1));
    });
    const room = new ResponseRoom();
    const enter = vi.spyOn(room, 'enter');
    const send = sendIn(room, url);
    const first = [send('/first'), send('/second')];
    await expect.poll(() => room.bytes).toBe(16 * MB - 2);
    const third: Ending = { reason: undefined, stop: undefined };
    const cancelled = send('/third', third);
    cancelled.catch(() => {});
    await expect.poll(() => enter.mock.calls).toHaveLength(3);
    third.stop?.(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    for (const response of held) response.end('x');
    expect((await Promise.all(first)).map((answer) => answer.body.length)).toEqual([8 * MB, 8 * MB]);
    await expect.poll(() => room.bytes).toBe(0);
  });
});
