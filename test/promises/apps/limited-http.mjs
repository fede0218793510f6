/**
 * A server over HTTP with limits: `LIMIT` calls for each caller, and tools with limits of their own. It has real authentication, which
 * `ANONYMOUS` makes optional, or none with `IS_OPEN`. With `IS_ASYNC` the store is asynchronous. `PROXIES` are addresses of proxies. `{ skew: ms }` changes the
 * time of day, and `{ advance: ms }` the clock of a tool.
 */
import { createServer, defineTool } from 'toolwright';
import { MemoryRateLimitStore } from 'toolwright/stores';
import { forwardedFor, serveHttp } from 'toolwright/http';
import { rateLimit } from 'toolwright/middleware';
import * as z from 'zod';
import { realAuth } from './real-auth.mjs';

const { LIMIT, IS_OPEN, IS_ASYNC, ANONYMOUS, PROXIES } = process.env;
const LONG_MS = 600_000;
/** Stands still until `{ advance: ms }`. */
const clock = { time: 0, now: () => clock.time, schedule: () => () => {} };
const handled = {};
let skewMs = 0;
const skewed = {
  now: () => performance.now(),
  wallTime: () => Date.now() + skewMs,
  schedule: (callback, delayMs) => {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};

const define = (name, middleware = []) =>
  defineTool({
    name,
    description: name,
    inputSchema: z.object({}),
    middleware,
    handler: ({ context }) => {
      const key = `${name} ${context.principal?.id ?? 'anonymous'}`;
      handled[key] = (handled[key] ?? 0) + 1;
      return 'done';
    },
  });

const memory = new MemoryRateLimitStore();
const slow = {
  async consume(key, rate) {
    await new Promise((resolve) => setImmediate(resolve));
    return memory.consume(key, rate);
  },
};
const server = createServer({
  name: 'limited',
  version: '1.0.0',
  tools: [
    define('count'),
    define('few', [rateLimit({ limit: 10, perMs: LONG_MS })]),
    define('brief', [rateLimit({ limit: 5, perMs: 1000, clock })]),
  ],
  rateLimit: { limit: Number(LIMIT), perMs: LONG_MS },
  clock: skewed,
  ...(IS_ASYNC === undefined ? {} : { rateLimitStore: slow }),
});

const { port } = await serveHttp(server, {
  port: 0,
  ...(IS_OPEN === undefined ? { auth: realAuth({ anonymous: ANONYMOUS !== undefined }) } : {}),
  ...(PROXIES === undefined ? {} : { clientAddress: forwardedFor(PROXIES.split(' ')) }),
  maxInFlight: 5000,
  maxInFlightPerCaller: 5000,
});
process.on('message', (message) => {
  if (message === 'handled') process.send({ handled });
  if (message.skew !== undefined) {
    skewMs = message.skew;
    process.send({ skewMs });
  }
  if (message.advance === undefined) return;
  clock.time += message.advance;
  process.send({ time: clock.time });
});
process.send({ port });
