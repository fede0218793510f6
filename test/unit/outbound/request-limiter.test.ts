import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { fromOpenAPI } from '../../../src/openapi.ts';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import { RequestLimiter } from '../../../src/outbound/limits/request-limiter.ts';
import type { RequestLimiterOptions } from '../../../src/outbound/limits/request-limiter.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const URL_A = 'https://a.example/x';

function limiterOf(options: RequestLimiterOptions): { clock: FakeClock; limiter: RequestLimiter } {
  const clock = new FakeClock();
  return { clock, limiter: new RequestLimiter({ clock, ...options }) };
}

/** Requests that record their start, and end when they are told to. */
function createSends(): {
  left: string[];
  send: (name: string) => () => Promise<string>;
  end: (name: string) => void;
} {
  const left: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (name: string) => () => {
    left.push(name);
    return new Promise<string>((resolve) => {
      ends.set(name, () => resolve(name));
    });
  };
  return { left, send, end: (name) => ends.get(name)?.() };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a limit', () => {
  test('is a rolling one: a request leaves when the oldest is so long ago', async () => {
    const { clock, limiter } = limiterOf({ limit: 2, perMs: 1000 });
    const { left, send } = createSends();
    void limiter.run({ url: URL_A }, send('1'));
    clock.advance(400);
    void limiter.run({ url: URL_A }, send('2'));
    void limiter.run({ url: URL_A }, send('3'));
    void limiter.run({ url: URL_A }, send('4'));
    await settle();
    expect(left).toEqual(['1', '2']);
    clock.advance(599);
    expect(left).toEqual(['1', '2']);
    clock.advance(1);
    expect(left).toEqual(['1', '2', '3']);
    clock.advance(400);
    expect(left).toEqual(['1', '2', '3', '4']);
    expect(clock.pending).toBe(0);
  });

  test('holds for each origin by itself, or as `by` says', async () => {
    const { limiter } = limiterOf({ limit: 1, perMs: 1000 });
    const { left, send } = createSends();
    void limiter.run({ url: URL_A }, send('a'));
    void limiter.run({ url: new URL('https://b.example/x') }, send('b'));
    void limiter.run({ url: 'https://a.example/other' }, send('a again'));
    await settle();
    expect(left).toEqual(['a', 'b']);
    const { limiter: byToken } = limiterOf({
      limit: 1,
      perMs: 1000,
      by: ({ accessToken = '' }) => accessToken,
    });
    for (const accessToken of ['t1', 't2', 't1'])
      void byToken.run({ url: URL_A, accessToken }, send(accessToken));
    await settle();
    expect(left).toEqual(['a', 'b', 't1', 't2']);
  });

  test('refuses at once what would wait too long, and says for how long', async () => {
    const { clock, limiter } = limiterOf({ limit: 2, perMs: 3_600_000 });
    const { left, send } = createSends();
    void limiter.run({ url: URL_A }, send('1'));
    void limiter.run({ url: URL_A }, send('2'));
    clock.advance(60_000);
    await expect(limiter.run({ url: URL_A }, send('3'))).rejects.toMatchObject({
      code: 'UPSTREAM_LIMITED',
      retryAfterMs: 3_540_000,
      message:
        'The rate limit of 2 requests in 3600 s to https://a.example is exceeded. Try again in 3540 s.',
    });
    expect(left).toEqual(['1', '2']);
    expect(limiter.status({ url: URL_A })).toEqual({
      remaining: 0,
      resetAt: 1_000_000 + 3_600_000,
      running: 2,
      waiting: 0,
    });
    clock.advance(3_540_000);
    expect(limiter.status({ url: URL_A })).toMatchObject({ remaining: 2, resetAt: undefined });
  });

  test('counts those that wait: the wait of the last may be several periods', async () => {
    const { limiter } = limiterOf({ limit: 1, perMs: 4000 });
    const { send } = createSends();
    for (const name of ['1', '2', '3']) void limiter.run({ url: URL_A }, send(name));
    await expect(limiter.run({ url: URL_A }, send('4'))).rejects.toMatchObject({ retryAfterMs: 12_000 });
  });

  test('keeps waiting requests in order, also if a timer is late', async () => {
    let now = 0;
    const clock = { now: () => now, schedule: () => () => {} };
    const limiter = new RequestLimiter({ limit: 1, perMs: 1000, clock });
    const { left, send } = createSends();
    void limiter.run({ url: URL_A }, send('1'));
    void limiter.run({ url: URL_A }, send('2'));
    now = 1000;
    void limiter.run({ url: URL_A }, send('3'));
    await settle();
    expect(left).toEqual(['1', '2']);
  });

  test('of many requests that end together does not block the process', () => {
    const { clock, limiter } = limiterOf({ limit: 200_000, perMs: 1000 });
    const send = async (): Promise<void> => {};
    for (let count = 0; count < 200_000; count += 1) void limiter.run({ url: URL_A }, send);
    clock.advance(1000);
    // Some milliseconds; seconds if each of them moved all the others.
    expect(cpuMsOf(() => void limiter.run({ url: URL_A }, send))).toBeLessThan(500);
    expect(limiter.status({ url: URL_A }).remaining).toBe(199_999);
  });

  test('counts those that remain where the older ones are no longer counted', async () => {
    const { clock, limiter } = limiterOf({ limit: 5, perMs: 1000, maxWaitMs: 0 });
    const run = (): Promise<void> => limiter.run({ url: URL_A }, async () => {});
    for (let count = 0; count < 5; count += 1) {
      await run();
      clock.advance(100);
    }
    clock.advance(500);
    await run();
    await expect(run()).rejects.toMatchObject({ retryAfterMs: 100 });
    clock.advance(300);
    for (let count = 0; count < 3; count += 1) await run();
    await expect(run()).rejects.toMatchObject({ retryAfterMs: 100 });
    expect(limiter.status({ url: URL_A })).toMatchObject({ remaining: 0, resetAt: 1_000_000 + 1400 });
  });

  test('makes room for a key at the expense of one whose requests are long gone', async () => {
    const by = ({ accessToken = '' }: { accessToken?: string | undefined }): string => accessToken;
    const { clock, limiter } = limiterOf({ limit: 3, perMs: 1000, by });
    const run = (accessToken: string): Promise<void> =>
      limiter.run({ url: URL_A, accessToken }, async () => {});
    for (let index = 0; index < 10_000; index += 1) await run(`${index}`);
    clock.advance(900);
    await run('0');
    clock.advance(100);
    await run('new');
    expect(limiter.status({ url: URL_A, accessToken: '0' }).remaining).toBe(2);
  });

  test('cannot be bypassed with new keys', async () => {
    const { limiter } = limiterOf({
      limit: 1,
      perMs: 1000,
      maxWaitMs: 0,
      by: ({ accessToken = '' }) => accessToken,
    });
    const send = async (): Promise<void> => {};
    for (let index = 0; index < 10_000; index += 1)
      await limiter.run({ url: URL_A, accessToken: `${index}` }, send);
    const refused = { code: 'UPSTREAM_LIMITED' };
    await expect(limiter.run({ url: URL_A, accessToken: 'new' }, send)).rejects.toMatchObject(refused);
    await expect(limiter.run({ url: URL_A, accessToken: '0' }, send)).rejects.toMatchObject(refused);
  });
});

describe('new keys', () => {
  test('do not lift the limit of a key that has requests left', async () => {
    const by = ({ accessToken = '' }: { accessToken?: string | undefined }): string => accessToken;
    const { clock, limiter } = limiterOf({ limit: 5, perMs: 1000, maxWaitMs: 0, by });
    const left: string[] = [];
    const run = (accessToken: string): Promise<unknown> =>
      limiter
        .run({ url: URL_A, accessToken }, async () => left.push(accessToken))
        .catch((error: unknown) => error);
    for (let count = 0; count < 4; count += 1) await run('me');
    for (let index = 0; index < 10_000; index += 1) await run(`${index}`);
    for (let count = 0; count < 8; count += 1) await run('me');
    expect(left.filter((name) => name === 'me')).toEqual(['me', 'me', 'me', 'me', 'me']);
    expect(await run('new')).toMatchObject({
      code: 'UPSTREAM_LIMITED',
      message: 'Too many keys share the limit of requests to https://a.example. Try again later.',
    });
    clock.advance(1000);
    await run('new');
    expect(left.at(-1)).toBe('new');
  });
});

describe('maxConcurrent', () => {
  test('holds requests until others have ended, in order, also those that failed', async () => {
    const { limiter } = limiterOf({ maxConcurrent: 1 });
    const { left, send, end } = createSends();
    const fail = (): Promise<never> => {
      throw new Error('no');
    };
    void limiter.run({ url: URL_A }, send('1'));
    const failed = limiter.run({ url: URL_A }, fail);
    const last = limiter.run({ url: URL_A }, send('3'));
    await settle();
    expect(left).toEqual(['1']);
    end('1');
    await expect(failed).rejects.toThrow('no');
    await settle();
    expect(left).toEqual(['1', '3']);
    end('3');
    expect(await last).toBe('3');
  });

  test('lets a bounded number wait', async () => {
    const { limiter } = limiterOf({ maxConcurrent: 1, maxWaiting: 1 });
    const { send } = createSends();
    void limiter.run({ url: URL_A }, send('1'));
    void limiter.run({ url: URL_A }, send('2'));
    await expect(limiter.run({ url: URL_A }, send('3'))).rejects.toMatchObject({
      code: 'UPSTREAM_LIMITED',
      message: 'Too many requests to https://a.example are waiting already. Try again in a moment.',
    });
  });
});

describe('a signal', () => {
  test('ends the wait, and its place goes to the next', async () => {
    const { clock, limiter } = limiterOf({ limit: 1, perMs: 1000 });
    const { left, send } = createSends();
    const controller = new AbortController();
    void limiter.run({ url: URL_A }, send('1'));
    const aborted = limiter.run({ url: URL_A, signal: controller.signal }, send('2'));
    void limiter.run({ url: URL_A }, send('3'));
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    clock.advance(1000);
    expect(left).toEqual(['1', '3']);
    await expect(limiter.run({ url: URL_A, signal: controller.signal }, send('4'))).rejects.toBe(reason);
  });

  test('of the last that waits leaves no timer behind', async () => {
    const { clock, limiter } = limiterOf({ limit: 1, perMs: 1000 });
    const { send } = createSends();
    const controller = new AbortController();
    void limiter.run({ url: URL_A }, send('1'));
    const aborted = limiter.run({ url: URL_A, signal: controller.signal }, send('2'));
    await settle();
    expect(clock.pending).toBe(1);
    controller.abort();
    await expect(aborted).rejects.toThrow();
    expect(clock.pending).toBe(0);
  });
});

test.each([
  [{}, 'RequestLimiter: set limit together with perMs, or maxConcurrent.'],
  [{ limit: 5 }, 'RequestLimiter: set limit together with perMs, or maxConcurrent.'],
  [{ limit: 0, perMs: 1 }, 'RequestLimiter: limit must be an integer from 1 to 1000000; received 0.'],
])('%j is refused', (options, message) => {
  expect(() => new RequestLimiter(options)).toThrow(message);
});

describe('a limiter that fails', () => {
  const url = new URL('http://127.0.0.1:9/x');

  test.each([
    [
      '`by` throws',
      new RequestLimiter({
        limit: 1,
        perMs: 1000,
        by: () => {
          throw new TypeError('no tenant');
        },
      }),
      'no tenant',
    ],
    ['`run` throws', { run: () => Promise.reject(new Error('no store')) }, 'no store'],
    ['`run` does not send', { run: () => Promise.resolve() }, undefined],
  ])('does not count as a server that cannot be reached: %s', async (_, limiter, cause) => {
    const client = new OutboundClient({
      allowPrivate: ['127.0.0.1'],
      limiter: limiter as RequestLimiter,
      breaker: { failures: 1 },
      random: () => 0,
    });
    closers.push(() => client.close());
    for (let count = 0; count < 12; count += 1) {
      const error: unknown = await client.send({ url }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        failure: 'limiter-failed',
        code: 'UPSTREAM_FAILED',
        message: 'The request limiter failed.',
      });
      expect(((error as Error).cause as Error | undefined)?.message).toBe(cause);
    }
  });
});

describe('real requests', () => {
  async function serve(statuses: number[] = []): Promise<{ origin: string; arrived: string[] }> {
    const arrived: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      arrived.push(url);
      response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
  }

  test('of fetch are counted, with the signal of either argument', async () => {
    const { origin, arrived } = await serve();
    const { limiter } = limiterOf({ limit: 1, perMs: 1000 });
    expect((await limiter.fetch(`${origin}/1`)).status).toBe(200);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(limiter.fetch(new Request(`${origin}/2`, { signal }))).rejects.toThrow('gone');
    const controller = new AbortController();
    const waiting = limiter.fetch(new URL(`${origin}/3`), { signal: controller.signal });
    controller.abort(new Error('gone too'));
    await expect(waiting).rejects.toThrow('gone too');
    expect(arrived).toEqual(['/1']);
  });

  test('of a client are counted with their retries', async () => {
    const { origin, arrived } = await serve([503, 200, 200]);
    const limiter = new RequestLimiter({ limit: 3, perMs: 60_000 });
    const client = new OutboundClient({ allowPrivate: ['127.0.0.1'], limiter, random: () => 0 });
    closers.push(() => client.close());
    const url = new URL(`${origin}/x`);
    expect((await client.send({ url })).status).toBe(200);
    expect(limiter.status({ url }).remaining).toBe(1);
    await client.send({ url });
    await expect(client.send({ url })).rejects.toMatchObject({
      name: 'OutboundError',
      failure: 'limited',
      code: 'UPSTREAM_LIMITED',
    });
    expect(arrived).toEqual(['/x', '/x', '/x']);
  });

  test('of a client that wait end with their deadline or their signal', async () => {
    const { origin, arrived } = await serve();
    const { clock, limiter } = limiterOf({ limit: 1, perMs: 9000 });
    const client = new OutboundClient({ allowPrivate: ['127.0.0.1'], limiter, clock, timeoutMs: 5000 });
    closers.push(() => client.close());
    const url = new URL(`${origin}/x`);
    await client.send({ url });
    const late = client.send({ url });
    clock.advance(5000);
    await expect(late).rejects.toMatchObject({ failure: 'timed-out' });
    const controller = new AbortController();
    const cancelled = client.send({ url, signal: controller.signal });
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ failure: 'cancelled' });
    await expect(client.send({ url, signal: controller.signal })).rejects.toMatchObject({
      failure: 'cancelled',
    });
    expect(arrived).toEqual(['/x']);
  });

  test('of an OpenAPI import are counted, for each caller where the limiter says so', async () => {
    const { origin, arrived } = await serve();
    const limiter = new RequestLimiter({
      limit: 1,
      perMs: 60_000,
      by: ({ principal }) => principal?.id ?? '',
    });
    const api = await fromOpenAPI(
      {
        openapi: '3.1.0',
        info: { title: 'A', version: '1' },
        paths: { '/x': { get: { operationId: 'get' } } },
      },
      { baseUrl: origin, outbound: { allowPrivate: ['127.0.0.1'], limiter } },
    );
    closers.push(() => api.close());
    await api.call('get', {}, { caller: { principal: { id: 'ada' } } });
    await api.call('get', {}, { caller: { principal: { id: 'bob' } } });
    const again = api.call('get', {}, { caller: { principal: { id: 'ada' } } });
    await expect(again).rejects.toMatchObject({ code: 'UPSTREAM_LIMITED' });
    expect(arrived).toEqual(['/x', '/x']);
  });
});

test('20 waiting requests with one signal make Node warn of nothing, and all are cancelled', async () => {
  const warnings: string[] = [];
  const keep = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', keep);
  onTestFinished(() => void process.off('warning', keep));
  const { limiter } = limiterOf({ maxConcurrent: 1 });
  const { send, end } = createSends();
  const first = limiter.run({ url: URL_A }, send('first'));
  const controller = new AbortController();
  const request = { url: URL_A, signal: controller.signal };
  const waiting = Array.from({ length: 20 }, () => limiter.run(request, send('waiting')));
  const ended = Promise.allSettled(waiting);
  await settle();
  controller.abort(new Error('cancelled'));
  expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(20);
  end('first');
  expect(await first).toBe('first');
  expect(warnings).toEqual([]);
});
