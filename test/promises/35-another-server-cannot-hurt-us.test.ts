import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { startAsking } from './support/asking.ts';
import type { Weakness } from './support/child-server.ts';
import { peakBytes } from './support/peak-memory.ts';
import { promise } from './support/promise.ts';

const MB = 1024 * 1024;
/** The limit of the configuration, and what a busy machine adds. */
const DEADLINE_MS = 2000 + 500;
const GROWTH = 32 * MB;
const BOMB = gzipSync(Buffer.alloc(100 * MB), { level: 9 });

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
  broken: (response) => {
    response.writeHead(500);
    response.end('no');
  },
};

promise('another server cannot hurt us', {
  checks: { 'whatever it answers, or does not': check },
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
  for (let round = 0; round < 50; round += 1) await call('ask', { what: 'broken' });
  expect(broken, 'requests in a storm of failures').toBe(5);
  expect(server.isAlive, 'the server is alive').toBe(true);
}
