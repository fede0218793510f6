// One node of a server that runs on several machines. All nodes share their state in Redis: docs/scaling.md explains each store.
import { createClient } from 'redis';
import { createServer } from 'toolwright';
import { forwardedFor, serveHttp } from 'toolwright/http';
import { redisStores } from 'toolwright/redis';
import * as z from 'zod';

const required = (name) => process.env[name] ?? fail(name);
const list = (name) => process.env[name]?.split(',').map((entry) => entry.trim());

const stores = redisStores(createClient({ url: required('REDIS_URL') }), {
  prefix: 'shop',
  nodes: Number(process.env.NODES ?? 2), // the largest number of nodes: each allows its share of the rate limit while Redis is not available
});
const server = createServer({
  name: 'shop',
  version: '1.0.0',
  rateLimit: { limit: 600, perMs: 60_000 },
  rateLimitStore: stores.rateLimits,
  cache: stores.cache,
  confirmationStore: stores.confirmations,
  stateStore: stores.state,
  taskStore: stores.tasks,
  eventBus: stores.eventBus,
  requestStateKeys: required('REQUEST_STATE_KEYS').split(','), // the first one encrypts, all decrypt
  tools: [
    {
      name: 'report',
      description: 'Returns the report of today',
      inputSchema: z.object({}),
      handler: ({ context }) => context.cache.wrap('report', () => `Written by process ${process.pid}`),
    },
  ],
});
const running = await serveHttp(server, {
  host: process.env.HOST ?? '127.0.0.1',
  port: Number(process.env.PORT ?? 3000),
  allowedHosts: list('ALLOWED_HOSTS') ?? ['127.0.0.1', 'localhost'],
  clientAddress: forwardedFor(list('TRUSTED_PROXIES') ?? []),
  sessions: { shared: stores.state, eventStore: stores.events },
  // auth: … verifies the token of a request; without it every caller is anonymous
});
console.log(`Listening at ${running.url}`);

async function stop() {
  await running.close();
  await server.close();
  stores.close();
}
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());

function fail(name) {
  console.error(`Set ${name}.`);
  process.exit(1);
}
