import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import type { OutboundOptions } from '../../../src/outbound/outbound-client.ts';
import type { OutboundRequest } from '../../../src/outbound/outbound-request.ts';
import { OutboundError } from '../../../src/outbound/outbound-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { refused } from '../../support/refused.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));

function clientOf(options: OutboundOptions = {}): OutboundClient {
  const client = new OutboundClient({ allowPrivate: ['127.0.0.1'], random: () => 0, ...options });
  closers.push(() => client.close());
  return client;
}

async function failureOf(sent: Promise<unknown>): Promise<[string, string]> {
  try {
    await sent;
  } catch (error) {
    expect(error).toBeInstanceOf(OutboundError);
    const { failure, message } = error as OutboundError;
    return [failure, message];
  }
  throw new Error('nothing went wrong');
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('x-kind', ['one', 'two']);
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
}

describe('a request', () => {
  test('arrives unchanged, and its response is returned', async () => {
    const origin = await serve(echo);
    const answer = await clientOf().send({
      method: 'post',
      url: new URL(`${origin}/a/b?c=d`),
      headers: { 'Content-Type': 'application/json', 'X-Own': 'yes' },
      credentials: { origin, headers: { authorization: 'Bearer secret' } },
      body: '{"ä":1}',
    });
    expect([answer.status, answer.headers.get('x-kind')]).toEqual([200, 'one, two']);
    const seen = JSON.parse(answer.body.toString()) as { headers: Record<string, string> };
    expect(seen).toMatchObject({ method: 'POST', url: '/a/b?c=d', body: '{"ä":1}' });
    expect(seen.headers).toMatchObject({
      'content-type': 'application/json',
      'x-own': 'yes',
      authorization: 'Bearer secret',
      'user-agent': 'toolwright',
      'content-length': '8',
    });
  });

  test('uses a connection again', async () => {
    const ports = new Set<number | undefined>();
    const origin = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    const client = clientOf();
    for (let round = 0; round < 5; round += 1) await client.send({ url: new URL(origin) });
    expect(ports.size).toBe(1);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('may be answered packed: %s', async (encoding, pack) => {
    const origin = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(pack('hello'));
    });
    expect((await clientOf().send({ url: new URL(origin) })).body.toString()).toBe('hello');
  });

  test.each([
    ['HEAD', 200, 'gzip'],
    ['HEAD', 200, 'zstd'],
    ['GET', 204, 'gzip'],
    ['GET', 304, 'br'],
    ['GET', 200, 'gzip'],
    ['GET', 200, 'deflate'],
    ['GET', 200, 'br'],
    ['GET', 200, 'zstd'],
  ])('may be answered without a body: %s, %i, %s', async (method, status, encoding) => {
    const origin = await serve((_request, response) => {
      response.writeHead(status, { 'content-encoding': encoding }).end();
    });
    const client = clientOf();
    for (let round = 0; round < 2; round += 1) {
      const answer = await client.send({ method, url: new URL(origin) });
      expect([answer.status, answer.body.length]).toEqual([status, 0]);
    }
  });

  test('may be answered with a packed body that comes in pieces', async () => {
    const packed = gzipSync('hello');
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(packed.subarray(0, 5), () => response.end(packed.subarray(5)));
    });
    expect((await clientOf().send({ url: new URL(origin) })).body.toString()).toBe('hello');
  });

  test('follows no redirect', async () => {
    let count = 0;
    const origin = await serve((_request, response) => {
      count += 1;
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    });
    const answer = await clientOf().send({ url: new URL(origin) });
    expect([answer.status, answer.headers.get('location'), count]).toEqual([
      302,
      'http://169.254.169.254/',
      1,
    ]);
  });
});

describe('a request is refused', () => {
  const send = (request: Partial<OutboundRequest>): Promise<[string, string]> =>
    failureOf(clientOf().send({ url: new URL('http://127.0.0.1:9/'), ...request }));

  test.each([
    [{ url: new URL('http://127.0.0.2/') }, '127.0.0.2 is not a public address'],
    [{ url: new URL('file:///etc/passwd') }, 'Unsupported protocol "file:"'],
    [{ url: new URL('http://a:b@127.0.0.1/') }, 'The URL must not have a user name or password.'],
    [{ method: 'GET / HTTP/1.1\r\nX: 1' }, 'Invalid HTTP method'],
    [{ headers: { 'x-a': 'b\r\nx-c: d' } }, 'The value of the header "x-a" has characters'],
    [{ headers: { 'x-a': '\u{1F600}' } }, 'The value of the header "x-a" has characters'],
    [{ headers: { 'x a': 'b' } }, 'The header "x a" cannot be set.'],
    [{ headers: { Host: 'evil.example' } }, 'The header "Host" cannot be set.'],
    [{ headers: { 'transfer-encoding': 'chunked' } }, 'The header "transfer-encoding" cannot be set.'],
    [
      { credentials: { origin: 'https://api.example', headers: { authorization: 'x' } } },
      'The credentials are for https://api.example, not for http://127.0.0.1:9.',
    ],
  ])('%o', async (request, message) => {
    expect(await send(request)).toEqual(['blocked', expect.stringContaining(message)]);
  });
});

test('an address that must not be asked is refused every time, also beside one that may be', async () => {
  const client = clientOf();
  const url = await serve((_request, response) => response.end('ok'));
  for (let round = 0; round < 2; round += 1) {
    expect((await client.send({ url: new URL(url) })).status).toBe(200);
    expect(await failureOf(client.send({ url: new URL('http://127.0.0.2/') }))).toEqual([
      'blocked',
      expect.stringContaining('127.0.0.2 is not a public address'),
    ]);
  }
});

test('a name that leads to this machine is refused when the connection is made', async () => {
  const client = new OutboundClient();
  closers.push(() => client.close());
  expect(await failureOf(client.send({ url: new URL('http://localhost:9/') }))).toEqual([
    'blocked',
    expect.stringMatching(/^localhost resolves to (?:127\.0\.0\.1|::1), which is not a public address/),
  ]);
});

describe('another server that', () => {
  const get = async (listener: RequestListener, options: OutboundOptions = {}): Promise<[string, string]> =>
    failureOf(clientOf({ maxRetries: 0, ...options }).send({ url: new URL(await serve(listener)) }));

  test('never responds times out', async () => {
    const [failure, message] = await get(() => {}, { timeoutMs: 50 });
    expect([failure, message.replace(/:\d+ /, ' ')]).toEqual([
      'timed-out',
      'http://127.0.0.1 did not respond within 50 ms.',
    ]);
  });

  test('responds a byte at a time times out', async () => {
    let timer: NodeJS.Timeout | undefined;
    const [failure] = await get(
      (_request, response) => {
        response.writeHead(200);
        timer = setInterval(() => response.write('x'), 5);
      },
      { timeoutMs: 100 },
    );
    clearInterval(timer);
    expect(failure).toBe('timed-out');
  });

  test('answers with too much is not listened to', async () => {
    const endless: RequestListener = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    expect(await get(endless, { maxResponseBytes: 100_000 })).toEqual([
      'too-large',
      expect.stringContaining('is larger than the limit of 100000 bytes.'),
    ]);
  });

  test('packs too much into little is not listened to', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const [failure] = await get((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(bomb);
    });
    expect([failure, bomb.length < 30_000]).toEqual(['too-large', true]);
  });

  test('packs in a way of its own is not understood', async () => {
    const [failure] = await get((_request, response) => {
      response.setHeader('content-encoding', 'zstd');
      response.end('x');
    });
    expect(failure).toBe('invalid-answer');
  });

  test('ends in the middle of what it packed is not understood', async () => {
    const [failure] = await get((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('hello').subarray(0, 12));
    });
    expect(failure).toBe('invalid-answer');
  });

  test('says that it is packed when it is not is not understood', async () => {
    const [failure] = await get((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end('not packed');
    });
    expect(failure).toBe('invalid-answer');
  });

  test('hangs up in the middle is reported', async () => {
    const [failure, message] = await get((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x', () => response.destroy());
    });
    expect([failure, message]).toEqual(['unreachable', expect.stringContaining('it closed the connection')]);
  });

  test('sends headers without end is not listened to', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`x-${'y'.repeat(1000)}: z\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    const origin = await listen(server);
    expect(await failureOf(clientOf({ maxRetries: 0 }).send({ url: new URL(origin) }))).toEqual([
      'invalid-answer',
      expect.stringContaining('its headers are too long'),
    ]);
  });

  test('speaks no HTTP is not understood', async () => {
    const origin = await listen(
      createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0\r\n\r\n')),
    );
    const [failure] = await failureOf(clientOf({ maxRetries: 0 }).send({ url: new URL(origin) }));
    expect(failure).toBe('invalid-answer');
  });

  test('is not there is reported', async () => {
    const server = createServer();
    const origin = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(clientOf({ maxRetries: 0 }).send({ url: new URL(origin) }))).toEqual([
      'unreachable',
      `${origin} could not be reached: it refused the connection.`,
    ]);
  });
});

test('a cancelled request is aborted at the upstream server too', async () => {
  const controller = new AbortController();
  let closed: () => void = () => {};
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const origin = await serve((_request, response) => {
    response.on('close', closed);
    controller.abort();
  });
  const [failure] = await failureOf(clientOf().send({ url: new URL(origin), signal: controller.signal }));
  await gone;
  expect(failure).toBe('cancelled');
  const [late] = await failureOf(clientOf().send({ url: new URL(origin), signal: controller.signal }));
  expect(late).toBe('cancelled');
});

test('a request that is cancelled while its response is read fails with the reason', async () => {
  const controller = new AbortController();
  const origin = await serve((_request, response) => {
    // So much is written only while the client reads.
    response.write(Buffer.alloc(16 * 1024 * 1024), () => controller.abort());
  });
  const client = clientOf({ maxResponseBytes: 32 * 1024 * 1024 });
  expect(await failureOf(client.send({ url: new URL(origin), signal: controller.signal }))).toEqual([
    'cancelled',
    'The request was cancelled.',
  ]);
});

describe('a server in trouble', () => {
  /** Fails as long as it is told to, and counts. */
  async function flaky(
    isDown: (count: number) => boolean,
    status = 503,
  ): Promise<{ origin: string; count: () => number }> {
    let count = 0;
    const origin = await serve((_request, response) => {
      count += 1;
      response.writeHead(isDown(count) ? status : 200).end();
    });
    return { origin, count: () => count };
  }

  test('is asked again, if it may be', async () => {
    const once = await flaky((count) => count === 1);
    const clock = new FakeClock();
    const client = clientOf({ clock });
    const sent = client.send({ url: new URL(once.origin) });
    await expect.poll(() => clock.pending).toBe(2);
    clock.advance(50);
    expect([(await sent).status, once.count()]).toEqual([200, 2]);

    const post = await flaky((count) => count === 1);
    expect((await clientOf().send({ method: 'POST', url: new URL(post.origin) })).status).toBe(503);
    expect(post.count()).toBe(1);
  });

  test('is not waited for by who has taken the request back', async () => {
    const { origin, count } = await flaky(() => true);
    const clock = new FakeClock();
    const controller = new AbortController();
    const sent = clientOf({ clock }).send({ url: new URL(origin), signal: controller.signal });
    await expect.poll(() => clock.pending).toBe(2);
    controller.abort();
    expect([(await sent).status, count(), clock.pending]).toEqual([503, 1, 0]);
  });

  test('is not asked again after 500, which may have done something', async () => {
    const { origin, count } = await flaky(() => true, 500);
    expect((await clientOf().send({ url: new URL(origin) })).status).toBe(500);
    expect(count()).toBe(1);
  });

  test('gets at most a tenth more, however much of it fails', async () => {
    const { origin, count } = await flaky(() => true);
    const client = clientOf({
      breaker: { failures: 1_000_000 },
      retryBudget: { ratio: 0.1, reserve: 1 },
      timeoutMs: 20_000,
    });
    for (let round = 0; round < 100; round += 1) await client.send({ url: new URL(origin) });
    expect(count()).toBeLessThanOrEqual(111);
    expect(count()).toBeGreaterThan(100);
  });

  test('gets no requests after five failures; then one request probes it', async () => {
    let isDown = true;
    const { origin, count } = await flaky(() => isDown);
    const clock = new FakeClock();
    const client = clientOf({ clock, maxRetries: 0 });
    const url = new URL(origin);
    for (let round = 0; round < 5; round += 1) await client.send({ url });
    for (let round = 0; round < 20; round += 1)
      expect(await failureOf(client.send({ url }))).toEqual([
        'resting',
        expect.stringContaining('its circuit breaker is open'),
      ]);
    expect(count()).toBe(5);

    clock.advance(5000);
    const probes = await Promise.allSettled(Array.from({ length: 10 }, () => client.send({ url })));
    expect(probes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(count()).toBe(6);

    clock.advance(5000);
    isDown = false;
    expect((await client.send({ url })).status).toBe(200);
    expect((await client.send({ url })).status).toBe(200);
    expect(count()).toBe(8);
  });

  test('does not make another one look ill', async () => {
    const ill = await flaky(() => true);
    const well = await flaky(() => false);
    const client = clientOf({ maxRetries: 0 });
    for (let round = 0; round < 7; round += 1)
      await client.send({ url: new URL(ill.origin) }).catch(() => {});
    expect((await client.send({ url: new URL(well.origin) })).status).toBe(200);
  });
});

describe('the circuit breaker', () => {
  interface Asking {
    /** The status, or the error. */
    ask: (path: string, operation?: string) => Promise<string>;
    client: OutboundClient;
  }

  function asking(origin: string, options: OutboundOptions = {}): Asking {
    const client = clientOf({ maxRetries: 0, clock: new FakeClock(), ...options });
    const ask = (path: string, operation?: string): Promise<string> =>
      client.send({ url: new URL(path, origin), ...(operation === undefined ? {} : { operation }) }).then(
        ({ status }) => String(status),
        ({ failure }: OutboundError) => failure,
      );
    return { ask, client };
  }

  /** A server whose name can be removed, so that no connection is possible, or whose lookup hangs. */
  async function named(options: OutboundOptions = {}): Promise<
    Asking & {
      url: (path: string) => URL;
      setDown: (is: boolean) => void;
      setStuck: (onLookup: (() => void) | undefined) => void;
      isHanging: () => boolean;
    }
  > {
    let isDown = false;
    let isHanging = false;
    let stuck: (() => void) | undefined;
    const origin = await serve((request, response) => {
      if (request.url === '/hang') isHanging = true;
      else if (request.url === '/cut') request.socket.destroy();
      else response.writeHead(request.url === '/busy' ? 503 : 200, { connection: 'close' }).end();
    });
    const host = origin.replace('127.0.0.1', 'api.test');
    const made = asking(host, {
      resolve: (_host, _options, done) => {
        if (stuck !== undefined) return stuck();
        if (isDown) done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
        else done(null, [{ address: '127.0.0.1', family: 4 }]);
      },
      ...options,
    });
    return {
      ...made,
      url: (path) => new URL(path, host),
      setDown: (is) => {
        isDown = is;
      },
      setStuck: (onLookup) => {
        stuck = onLookup;
      },
      isHanging: () => isHanging,
    };
  }

  /** Responds with the status in the path; `/cut` closes the connection. */
  async function byPath(): Promise<Asking> {
    const origin = await serve((request, response) => {
      const said = (request.url ?? '').split('?')[0]?.split('/').at(-1) ?? '';
      if (said === 'cut') request.socket.destroy();
      else response.writeHead(Number(said)).end();
    });
    return asking(origin);
  }

  test.each(['500', '501', '505', '400', '404', '429'])('is never opened by %s', async (status) => {
    const { ask } = await byPath();
    for (let round = 0; round < 20; round += 1)
      expect(await ask(`/users/${status}`, 'GET /users/{id}')).toBe(status);
    expect(await ask('/users/200', 'GET /users/{id}')).toBe('200');
  });

  test.each(['502', '503', '504'])('is opened by %s for its operation alone', async (status) => {
    const { ask } = await byPath();
    for (let round = 0; round < 5; round += 1)
      expect(await ask(`/users/${round}/${status}`, 'GET /users/{id}')).toBe(status);
    expect(await ask('/users/5/200', 'GET /users/{id}')).toBe('resting');
    expect(await ask('/orders/200', 'GET /orders/{id}')).toBe('200');
    expect(await ask('/users/5/200')).toBe('200');
  });

  test('counts by method and path where no operation is named', async () => {
    const { ask } = await byPath();
    for (let round = 0; round < 5; round += 1) expect(await ask('/users/503?page=1')).toBe('503');
    expect(await ask('/users/503?page=2')).toBe('resting');
    expect(await ask('/users/200')).toBe('200');
  });

  test('is opened for its operation alone by connections that break', async () => {
    const { ask } = await byPath();
    for (let round = 0; round < 5; round += 1)
      expect(await ask('/users/cut', 'GET /users/{id}')).toBe('unreachable');
    expect(await ask('/users/200', 'GET /users/{id}')).toBe('resting');
    expect(await ask('/orders/200', 'GET /orders/{id}')).toBe('200');
  });

  test('is opened for its operation alone by a response that does not come in time', async () => {
    const clock = new FakeClock();
    let hanging = 0;
    const origin = await serve((request, response) => {
      if (request.url === '/hang') hanging += 1;
      else response.end();
    });
    const { ask } = asking(origin, { clock });
    const late = Array.from({ length: 5 }, () => ask('/hang', 'GET /hang'));
    await expect.poll(() => hanging).toBe(5);
    clock.advance(30_000);
    expect(await Promise.all(late)).toEqual(Array.from({ length: 5 }, () => 'timed-out'));
    expect(await ask('/hang', 'GET /hang')).toBe('resting');
    expect(await ask('/orders', 'GET /orders')).toBe('200');
  });

  test('is not opened by the time that requests wait for a connection that others use', async () => {
    const clock = new FakeClock();
    let hanging = 0;
    const origin = await serve((request, response) => {
      if (request.url === '/hang') hanging += 1;
      else response.end();
    });
    const { ask } = asking(origin, { clock, maxConnections: 1 });
    const first = ask('/hang', 'GET /hang');
    await expect.poll(() => hanging).toBe(1);
    const waiting = Array.from({ length: 5 }, () => ask('/orders', 'GET /orders'));
    clock.advance(30_000);
    expect(await Promise.all([first, ...waiting])).toEqual(Array.from({ length: 6 }, () => 'timed-out'));
    expect(await ask('/orders', 'GET /orders')).toBe('200');
  });

  test('is opened for the whole server by connections that cannot be made', async () => {
    const { ask, setDown } = await named();
    setDown(true);
    for (let round = 0; round < 5; round += 1) expect(await ask('/', `GET /${round}`)).toBe('unreachable');
    setDown(false);
    expect(await ask('/', 'GET /orders')).toBe('resting');
  });

  test.each([
    ['ends', 'unreachable'],
    ['does not answer', 'timed-out'],
  ])('is opened for the whole server by a TLS handshake that it %s', async (what, failure) => {
    const clock = new FakeClock();
    let hello = 0;
    const origin = await listen(
      createTcpServer((socket) => {
        closers.push(() => socket.destroy());
        socket.on('error', () => {});
        socket.once('data', () => {
          hello += 1;
          if (what === 'ends') socket.destroy();
        });
      }),
    );
    const { ask } = asking(origin.replace('http:', 'https:'), { clock });
    const failed = Array.from({ length: 5 }, (_, round) => ask('/', `GET /${round}`));
    await expect.poll(() => hello).toBe(5);
    if (what !== 'ends') clock.advance(30_000);
    expect(await Promise.all(failed)).toEqual(Array.from({ length: 5 }, () => failure));
    expect(await ask('/', 'GET /orders')).toBe('resting');
  });

  test('counts connections that cannot be made in a row: one that can begins anew', async () => {
    const { ask, setDown } = await named();
    for (let round = 0; round < 12; round += 1) {
      setDown(round % 4 !== 3);
      expect(await ask(round % 4 === 3 ? '/cut' : '/', `GET /${round}`)).toBe('unreachable');
    }
  });

  test('is closed for all operations by a probe that gets a connection, whatever becomes of it', async () => {
    const clock = new FakeClock();
    const { ask, setDown, isHanging } = await named({ clock });
    setDown(true);
    for (let round = 0; round < 5; round += 1) await ask('/', 'GET /orders');
    setDown(false);
    expect(await ask('/', 'GET /orders')).toBe('resting');
    clock.advance(5000);
    const probe = ask('/hang', 'GET /hang');
    await expect.poll(isHanging).toBe(true);
    expect(await ask('/', 'GET /orders')).toBe('200');
    clock.advance(30_000);
    expect(await probe).toBe('timed-out');
    expect(await ask('/', 'GET /orders')).toBe('200');
  });

  test('is not kept open by callers who take their requests back', async () => {
    const controller = new AbortController();
    const clock = new FakeClock();
    const { ask, client, setDown, setStuck, url } = await named({ clock });
    setDown(true);
    for (let round = 0; round < 5; round += 1) expect(await ask('/')).toBe('unreachable');
    setDown(false);
    expect(await ask('/')).toBe('resting');
    clock.advance(5000);
    setStuck(() => controller.abort());
    const taken = client.send({ url: url('/'), signal: controller.signal });
    expect((await failureOf(taken))[0]).toBe('cancelled');
    setStuck(undefined);
    expect(await ask('/')).toBe('200');
  });

  test('tries server and operation with one request, and only when neither has to wait', async () => {
    const clock = new FakeClock();
    const { ask, setDown } = await named({ clock });
    for (let round = 0; round < 5; round += 1) expect(await ask('/busy', 'GET /busy')).toBe('503');
    clock.advance(1000);
    setDown(true);
    for (let round = 0; round < 5; round += 1) expect(await ask('/')).toBe('unreachable');
    setDown(false);
    clock.advance(4500);
    // The breaker of the server is still open, so this is not an attempt of the operation.
    expect(await ask('/', 'GET /busy')).toBe('resting');
    clock.advance(500);
    expect([await ask('/', 'GET /busy'), await ask('/', 'GET /busy')]).toEqual(['200', '200']);
  });
});

test.each([
  [{ timeoutMs: 0 }, 'OutboundClient: timeoutMs must be an integer from 1 to 2147483647; received 0.'],
  [
    { timeoutMs: 3_000_000_000 },
    'OutboundClient: timeoutMs must be an integer from 1 to 2147483647; received 3000000000.',
  ],
  [{ maxConnections: 0 }, 'OutboundClient: maxConnections must be an integer of at least 1; received 0.'],
  [{ userAgent: 'a\nb' }, refused('userAgent')],
  [{ maxRetries: -1 }, 'OutboundClient: maxRetries must be an integer of at least 0; received -1.'],
  [{ timeout: 5 }, refused('timeout', { reason: 'unknown-option' })],
])('%o is refused', (options, message) => {
  expect(() => new OutboundClient(options as OutboundOptions)).toThrow(message);
});
