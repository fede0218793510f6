import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { startAsking } from './support/asking.ts';
import type { Weakness } from './support/weaken.ts';
import { within } from './support/patience.ts';
import { peakBytes } from './support/peak-memory.ts';
import { isLong, promise } from './support/promise.ts';

const MB = 1024 * 1024;
/** Time after a limit; the rest is for a busy machine. */
const LATE_MS = isLong ? 500 : 10_000;
/** The limit of the configuration, and that of the document. */
const DEADLINE_MS = 2000 + LATE_MS;
const IMPORTED_MS = 4000;
const GROWTH = 32 * MB;
const BOMB = gzipSync(Buffer.alloc(100 * MB), { level: 9 });
/** More than a million values in 4 MB, the size of a valid response. */
const MANY = `[${'{},'.repeat(1_300_000)}{}]`;

const flood = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(65_536, 120);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** Faults of an upstream server. */
const FAULTS: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>> = {
  hang: () => {},
  trickle: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 100);
    response.on('close', () => clearInterval(timer));
  },
  endless: flood,
  bomb: (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
    response.end(BOMB);
  },
  reset: (response, request) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('x', () => request.socket.resetAndDestroy());
  },
  wrong: (response) => {
    response.setHeader('content-type', 'application/json');
    response.end('<html>');
  },
  headers: (_response, { socket }) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(`x-${'y'.repeat(1000)}: z\r\n`));
    };
    socket.on('drain', more);
    more();
  },
  deep: (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(`${'['.repeat(400_000)}${']'.repeat(400_000)}`);
  },
  many: (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(MANY);
  },
  fails: (response) => {
    response.writeHead(500);
    response.end('no');
  },
  broken: (response) => {
    response.writeHead(503);
    response.end('no');
  },
};

const FAILURES = 'nor by failing: only what fails is left alone';
const IMPORTED = 'nor who is asked by an operation of a document';
const IMPORTED_FAILURES = 'nor by failing at an operation of a document';

promise('another server cannot hurt us', {
  checks: {
    'whatever its response is, or without one': checkAnswers,
    [FAILURES]: checkFailures,
    [IMPORTED]: checkImportedAnswers,
    [IMPORTED_FAILURES]: checkImportedFailures,
  },
  timeoutMs: 120_000,
  switches: [
    {
      defence: 'a size limit for responses',
      off: [{ module: 'outbound/http-exchange.js', defence: 'limit-of-an-answer' }],
      red: /memory|answered/,
    },
    {
      defence: 'the circuit breaker of a server',
      off: [{ module: 'base/time/circuit-breaker.js', defence: 'rest-for-a-failing-server' }],
      check: FAILURES,
      red: /requests in a storm/,
    },
    {
      defence: 'the rule that an error response is not a connection failure',
      off: [
        {
          module: 'outbound/upstream.js',
          defence: 'unavailable-statuses',
          by: 'new Set([500, 502, 503, 504])',
        },
      ],
      check: FAILURES,
      red: /the server after failures of one caller/,
    },
    {
      defence: 'the rule that a status counts for its operation only',
      off: [
        {
          module: 'outbound/upstream.js',
          defence: 'breaker-for-each-operation',
          by: `new (class extends Map {
 get() { return super.get(''); }
 set(_, breaker) { return super.set('', breaker); }
 delete() { return super.delete(''); }
 })()`,
        },
      ],
      check: FAILURES,
      red: /another operation of the same server/,
    },
    {
      defence: 'the rule that only failed connections count for the server',
      off: [{ module: 'outbound/upstream.js', defence: 'failures-of-an-operation' }],
      check: IMPORTED_FAILURES,
      red: /the API after one caller's/,
    },
    {
      defence: 'a size limit for responses of operations',
      off: [{ module: 'outbound/http-exchange.js', defence: 'limit-of-an-answer' }],
      check: IMPORTED,
      red: /memory|answered|is reported/,
    },
    {
      defence: 'a limit for the values of a response',
      off: [{ module: 'openapi/response/body/exact-json.js', defence: 'limit-of-values', by: 'Infinity' }],
      check: IMPORTED,
      red: /memory|many is answered in time/,
    },
    {
      defence: 'aborting of the upstream request',
      off: [{ module: 'openapi/mapping/call-operation.js', defence: 'signal-to-the-api', by: 'undefined' }],
      check: IMPORTED_FAILURES,
      red: /ms until the API is told/,
    },
  ],
});

async function checkAnswers(without: readonly Weakness[]): Promise<void> {
  const upstream = createServer((request, response) => {
    const what = (request.url ?? '').slice(1);
    if (what === 'well') response.end('well');
    else FAULTS[what]?.(response, request);
  });
  const { server, call } = await startAsking(upstream, without);
  expect(await call('ask', { what: 'well' })).toMatchObject({ isError: false, text: 'well' });
  const before = peakBytes(server.process.pid);
  for (const what of Object.keys(FAULTS)) {
    if (what === 'broken') continue;
    const { isError, ms } = await call('ask', { what });
    expect(isError, `${what} is reported`).toBe(true);
    expect(ms, `${what} is answered in time`).toBeLessThan(DEADLINE_MS);
    // A successful request in between: the circuit breaker does not open.
    await call('ask', { what: 'well' });
  }
  expect(peakBytes(server.process.pid) - before, 'memory that faults cost').toBeLessThanOrEqual(GROWTH);
  expect(server.isAlive, 'the server is alive').toBe(true);
}

async function checkFailures(without: readonly Weakness[]): Promise<void> {
  let broken = 0;
  const upstream = createServer((request, response) => {
    const what = (request.url ?? '').slice(1);
    if (what === 'broken') broken += 1;
    if (what === 'well') response.end('well');
    else FAULTS[what]?.(response, request);
  });
  const { server, call } = await startAsking(upstream, without);
  // Requests that make the server fail must not block other callers.
  for (let round = 0; round < 20; round += 1)
    expect((await call('ask', { what: 'fails' })).isError, 'a failure of its own making').toBe(true);
  expect(await call('ask', { what: 'well' }), 'the server after failures of one caller').toMatchObject({
    isError: false,
    text: 'well',
  });
  for (let round = 0; round < 50; round += 1) await call('ask', { what: 'broken' });
  expect(broken, 'requests in a storm of failures').toBe(5);
  expect(await call('ask_other', {}), 'another operation of the same server').toMatchObject({
    isError: false,
    text: 'well',
  });
  expect(server.isAlive, 'the server is alive').toBe(true);
}

async function checkImportedAnswers(without: readonly Weakness[]): Promise<void> {
  const upstream = createServer((request, response) => {
    const what = (request.url ?? '').slice(1);
    if (what === 'well') response.end('well');
    else if (what === 'large') response.end('x'.repeat(8 * MB));
    else FAULTS[what]?.(response, request);
  });
  const { server, call } = await startAsking(upstream, without, 'imported-http.mjs');
  // The largest allowed response, returned in parts: its cost is not that of a fault.
  expect(await call('ask', { what: 'large' })).toMatchObject({ isError: false });
  const before = peakBytes(server.process.pid);
  for (const what of ['endless', 'bomb', 'reset', 'headers', 'hang']) {
    const { isError, ms } = await call('ask', { what });
    expect(isError, `${what} is reported`).toBe(true);
    expect(ms, `${what} is answered in time`).toBeLessThan(IMPORTED_MS + LATE_MS);
    await call('ask', { what: 'well' });
  }
  // Unusual responses are returned unchanged, and bounded.
  for (const what of ['wrong', 'deep', 'many']) {
    const { ms, text } = await call('ask', { what });
    expect(ms, `${what} is answered in time`).toBeLessThan(IMPORTED_MS + LATE_MS);
    expect(text.length, `${what} is shown`).toBeLessThan(60_000);
  }
  expect(peakBytes(server.process.pid) - before, 'memory that faults cost').toBeLessThanOrEqual(GROWTH);
  expect(server.isAlive, 'the server is alive').toBe(true);
}

async function checkImportedFailures(without: readonly Weakness[]): Promise<void> {
  let broken = 0;
  let hung: () => void = () => {};
  let told: () => void = () => {};
  const isTold = new Promise<void>((resolve) => {
    told = resolve;
  });
  const isHanging = new Promise<void>((resolve) => {
    hung = resolve;
  });
  const upstream = createServer((request, response) => {
    const what = (request.url ?? '').slice(1);
    if (what.endsWith('=cut')) return void request.socket.resetAndDestroy();
    if (what.endsWith('/hang/end')) return;
    if (what === 'well' || what.startsWith('api/')) return void response.end('well');
    if (what.startsWith('broken')) {
      broken += 1;
      return void response.writeHead(503).end();
    }
    if (what === 'cancelled') {
      hung();
      // Before the limit of the client is reached.
      request.socket.once('close', told);
    }
    FAULTS[what]?.(response, request);
  });
  const { server, call } = await startAsking(upstream, without, 'imported-http.mjs');
  for (let round = 0; round < 20; round += 1) await call('ask', { what: 'fails' });
  expect(await call('ask', { what: 'well' }), 'the API after failures of one caller').toMatchObject({
    isError: false,
  });
  // Its own deadline is shorter than that of the client.
  const { isError, ms } = await call('ask_soon', { what: 'hang' });
  expect(
    { isError, inTime: ms < (isLong ? 500 + LATE_MS : IMPORTED_MS) },
    'an operation with a deadline of its own',
  ).toEqual({
    isError: true,
    inTime: true,
  });
  // A caller who makes one operation fail or hang must not block the API for others.
  for (const [name, value] of [
    ['form_reserved', 'cut'],
    ['simple', 'hang'],
  ] as const) {
    const failed = await Promise.all(Array.from({ length: 5 }, () => call(name, { value })));
    expect(failed.filter(({ isError }) => isError)).toHaveLength(5);
    expect(await call('ask', { what: 'well' }), `the API after one caller's ${value}`).toMatchObject({
      isError: false,
    });
  }
  const client = new AbortController();
  const calling = call('ask', { what: 'cancelled' }, client.signal).catch(() => {});
  await within(isHanging, 20_000, 'the API was not asked');
  const since = performance.now();
  client.abort();
  await calling;
  await isTold;
  // Otherwise it is told when the limit is over.
  expect(performance.now() - since, 'ms until the API is told').toBeLessThan(IMPORTED_MS - 1000);
  for (let round = 0; round < 20; round += 1) await call('ask', { what: `broken?${round}` });
  expect(broken, 'requests in a storm of failures').toBe(5);
  expect(await call('form', { value: 'x' }), 'another operation of the same API').toMatchObject({
    isError: false,
  });
  expect(server.isAlive, 'the server is alive').toBe(true);
}
