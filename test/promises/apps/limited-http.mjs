/**
 * A server over HTTP with limits: `LIMIT` calls for each caller, and tools with limits of their own. The bearer token is `user` or
 * `user.anything`; without `IS_OPEN` it is required. With `IS_ASYNC` the store is asynchronous.
 */
import { createServer, defineTool } from 'toolwright';
import { MemoryRateLimitStore } from 'toolwright/stores';
import { serveHttp } from 'toolwright/http';
import { rateLimit } from 'toolwright/middleware';
import * as z from 'zod';

const { LIMIT, IS_OPEN, IS_ASYNC } = process.env;
const LONG_MS = 600_000;
/** Stands still until `{ advance: ms }`. */
const clock = { time: 0, now: () => clock.time, schedule: () => () => {} };
const handled = {};

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
  ...(IS_ASYNC === undefined ? {} : { rateLimitStore: slow }),
});

function authenticate({ headers }) {
  const user = /^Bearer ([^.]+)/.exec(headers.get('authorization') ?? '')?.[1];
  return { id: user };
}

const { port } = await serveHttp(server, {
  port: 0,
  ...(IS_OPEN === undefined ? { authenticate } : {}),
  maxInFlight: 5000,
  maxInFlightPerCaller: 5000,
});
process.on('message', (message) => {
  if (message === 'handled') process.send({ handled });
  if (message.advance === undefined) return;
  clock.time += message.advance;
  process.send({ time: clock.time });
});
process.send({ port });
