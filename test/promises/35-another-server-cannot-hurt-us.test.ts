import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { startAsking } from './support/asking.ts';
import type { Weakness } from './support/child-server.ts';
import { within } from './support/patience.ts';
import { peakBytes } from './support/peak-memory.ts';
import { promise } from './support/promise.ts';

const MB = 1024 * 1024;
/** The limit of the configuration, and what a busy machine adds. */
const DEADLINE_MS = 2000 + 500;
const GROWTH = 32 * MB;
const BOMB = gzipSync(Buffer.alloc(100 * MB), { level: 9 });
/** More than a million values in 4 MB, which is as long as an answer that is no fault. */
const MANY = `[${'{},'.repeat(1_300_000)}{}]`;

const flood = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(65_536, 120);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** What another server may do to whoever asks it. */
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

const IMPORTED = 'nor who is asked by an operation of a document';

promise('another server cannot hurt us', {
  checks: { 'whatever it answers, or does not': check, [IMPORTED]: checkImported },
  timeoutMs: 120_000,
  switches: [
    {
      defence: 'a limit for answers',
      off: [{ module: 'outbound/http-exchange.js', find: 'if (size > max) {', replace: 'if (false) {' }],
      red: /memory|answered/,
    },
    {
      defence: 'a rest for a server that fails',
      off: [
        {
          module: 'outbound/circuit-breaker.js',
          find: 'if (this.#inARow >= this.#failures)',
          replace: 'if (false)',
        },
      ],
      red: /requests in a storm/,
    },
    {
      defence: 'the rule that a failure of the server is no failure to reach it',
      off: [
        {
          module: 'outbound/upstream.js',
          find: 'new Set([502, 503, 504])',
          replace: 'new Set([500, 502, 503, 504])',
        },
      ],
      red: /the server after failures of one caller/,
    },
    {
      defence: 'the rule that a status counts for its operation alone',
      off: [
        {
          module: 'outbound/upstream.js',
          find: 'enter(operation) {',
          replace: "enter() { const operation = '';",
        },
        {
          module: 'outbound/upstream.js',
          find: 'answered(operation, status) {',
          replace: "answered(_, status) { const operation = '';",
        },
      ],
      red: /another operation of the same server/,
    },
    {
      defence: 'the rule that only connections that cannot be made count for the server',
      off: [
        {
          module: 'outbound/outbound-client.js',
          find: "else if (progress === 'connected')",
          replace: 'else if (false)',
        },
      ],
      check: IMPORTED,
      red: /the API after one caller's/,
    },
    {
      defence: 'a limit for answers to operations',
      off: [{ module: 'outbound/http-exchange.js', find: 'if (size > max) {', replace: 'if (false) {' }],
      check: IMPORTED,
      red: /memory|answered|is reported/,
    },
    {
      defence: 'a limit for the values of an answer',
      off: [
        {
          module: 'openapi/response/body/exact-json.js',
          find: 'MAX_JSON_VALUES = 100_000',
          replace: 'MAX_JSON_VALUES = Infinity',
        },
      ],
      check: IMPORTED,
      red: /memory|many is answered in time/,
    },
    {
      defence: 'a word to the API that nobody waits any more',
      off: [
        {
          module: 'openapi/mapping/call-operation.js',
          find: 'signal: calling.signal,',
          replace: '',
        },
      ],
      check: IMPORTED,
      red: /the API is told/,
    },
  ],
});

async function check(without: readonly Weakness[]): Promise<void> {
  let broken = 0;
  const upstream = createServer((request, response) => {
    const what = (request.url ?? '').slice(1);
    if (what === 'broken') broken += 1;
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
    // One that works in between: what failed is not yet left alone.
    await call('ask', { what: 'well' });
  }
  expect(peakBytes(server.process.pid) - before, 'memory that faults cost').toBeLessThanOrEqual(GROWTH);
  // A caller who finds something that the server fails at takes it away from nobody.
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

async function checkImported(without: readonly Weakness[]): Promise<void> {
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
    if (what === 'large') return void response.end('x'.repeat(4 * MB));
    if (what === 'cancelled') {
      hung();
      // Before the limit of the client is reached.
      request.socket.once('close', told);
    }
    FAULTS[what]?.(response, request);
  });
  const { server, call } = await startAsking(upstream, without, 'imported-http.mjs');
  // Such answers are allowed, and shown in parts: what they cost is no fault.
  expect(await call('ask', { what: 'large' })).toMatchObject({ isError: false });
  const before = peakBytes(server.process.pid);
  for (const what of ['endless', 'bomb', 'reset', 'headers', 'hang']) {
    const { isError, ms } = await call('ask', { what });
    expect(isError, `${what} is reported`).toBe(true);
    expect(ms, `${what} is answered in time`).toBeLessThan(DEADLINE_MS);
    await call('ask', { what: 'well' });
  }
  // What is strange is shown as it is, and bounded.
  for (const what of ['wrong', 'deep', 'many']) {
    const { ms, text } = await call('ask', { what });
    expect(ms, `${what} is answered in time`).toBeLessThan(DEADLINE_MS);
    expect(text.length, `${what} is shown`).toBeLessThan(60_000);
  }
  expect(peakBytes(server.process.pid) - before, 'memory that faults cost').toBeLessThanOrEqual(GROWTH);
  for (let round = 0; round < 20; round += 1) await call('ask', { what: 'fails' });
  expect(await call('ask', { what: 'well' }), 'the API after failures of one caller').toMatchObject({
    isError: false,
  });
  // Its own deadline is shorter than that of the client.
  const { isError, ms } = await call('ask_soon', { what: 'hang' });
  expect({ isError, inTime: ms < 500 + 500 }, 'an operation with a deadline of its own').toEqual({
    isError: true,
    inTime: true,
  });
  // A caller who finds something that one operation breaks or hangs at takes the API away from nobody.
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
  const started = performance.now();
  const calling = call('ask', { what: 'cancelled' }, client.signal).catch(() => {});
  await within(isHanging, 5000, 'the API was not asked');
  client.abort();
  await calling;
  await within(isTold, 1500, 'the API is told that nobody waits');
  expect(performance.now() - started, 'the time until the API is told').toBeLessThan(2000);
  for (let round = 0; round < 20; round += 1) await call('ask', { what: `broken?${round}` });
  expect(broken, 'requests in a storm of failures').toBe(5);
  expect(await call('form', { value: 'x' }), 'another operation of the same API').toMatchObject({
    isError: false,
  });
  expect(server.isAlive, 'the server is alive').toBe(true);
}
