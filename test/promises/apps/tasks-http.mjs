/**
 * A node that serves over HTTP and runs tasks of a queue, with everything shared in the Redis at `REDIS_PORT`. The bearer token is the user.
 * `LOG` is a file with one line for the begin of each run of a handler, with its process, and one for its end. `LEASE_MS` is the lease of a task.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createServer, silentLogger as logger } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { redisStores } from 'toolwright/redis';
import { BullMqTaskQueue, startTaskWorker } from 'toolwright/tasks';
import * as z from 'zod';

const { REDIS_PORT, PREFIX: prefix, LOG, LEASE_MS } = process.env;
const redis = new Redis(`redis://127.0.0.1:${REDIS_PORT}`, { lazyConnect: true });
// On a busy machine a reply may take longer than the default timeout.
const common = { prefix, logger, timeoutMs: 5000 };
const stores = redisStores(redis, common);
const inputSchema = z.object({ id: z.string(), ms: z.int() });

async function work({ input: { id, ms }, context }) {
  appendFileSync(LOG, `${id} at ${process.pid}\n`);
  await wait(ms, undefined, { signal: context.signal });
  appendFileSync(LOG, `ended ${id}\n`);
  return `${id} for ${context.principal.id}`;
}

const server = createServer({
  name: 'tasks',
  version: '1.0.0',
  logger,
  rateLimit: false,
  limits: { maxRunningTasksPerCaller: 1000 },
  stateStore: stores.state,
  taskStore: stores.tasks,
  taskQueue: new BullMqTaskQueue(redis, { ...common, leaseMs: Number(LEASE_MS) }),
  eventBus: stores.eventBus,
  requestStateKeys: ['a secret of all nodes, of 32 characters'],
  tools: [
    {
      name: 'again',
      description: 'Can run again',
      inputSchema,
      task: { support: 'optional', retries: 100 },
      handler: work,
    },
    { name: 'once', description: 'Runs once', inputSchema, task: 'optional', handler: work },
    { name: 'plain', description: 'Is no task', inputSchema: z.object({}), handler: () => 'plain' },
    {
      name: 'endless',
      description: 'Is no task and does not end',
      inputSchema: z.object({}),
      timeoutMs: 600_000,
      handler: ({ context }) => wait(600_000, undefined, { signal: context.signal }),
    },
  ],
});
await startTaskWorker(server, { concurrency: 20 });
const { port } = await serveHttp(server, {
  port: 0,
  authenticate: ({ headers }) => ({ id: (headers.get('authorization') ?? '').slice(7) }),
  sessions: { shared: stores.state, eventStore: stores.events },
});
process.send({ port });
