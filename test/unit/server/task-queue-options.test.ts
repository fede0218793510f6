import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createServer } from '../../../src/index.ts';
import type { ServerOptions } from '../../../src/index.ts';
import { MemoryTaskStore } from '../../../src/stores.ts';
import { BullMqTaskQueue, startTaskWorker } from '../../../src/tasks.ts';
import type { TaskQueue } from '../../../src/tasks.ts';
import { createScratchFolder } from '../../support/dist.ts';
import { runCli } from '../cli/run-cli.ts';

const scratch = createScratchFolder();
afterAll(() => scratch.remove());

const QUEUE: TaskQueue = {
  hasRoom: async () => true,
  add: async () => {},
  has: async () => true,
  promote: async () => true,
  remove: async () => {},
  post: async () => {},
  findPosted: async () => [],
  forget: async () => {},
  claim: async () => true,
  findClaimed: async () => [],
  release: async () => {},
  work: () => ({ ready: Promise.resolve(), close: async () => {}, kill: () => {} }),
};

/** Not a `MemoryTaskStore`, so that it counts as shared. */
const STORE = { put: () => {}, get: () => undefined, delete: () => {} };

function create(options: Partial<ServerOptions>): unknown {
  return createServer({ name: 'films', version: '1.0.0', taskQueue: QUEUE, ...options });
}

test.each([
  [
    {},
    'createServer: taskQueue requires a taskStore that all processes share, and the tasks are stored in memory. Pass taskStore: redisStores(client).tasks of toolwright/redis.',
  ],
  [
    { taskStore: new MemoryTaskStore() },
    'createServer: taskQueue requires a taskStore that all processes share, and the tasks are stored in memory. Pass taskStore: redisStores(client).tasks of toolwright/redis.',
  ],
  [
    { taskStore: STORE },
    'createServer: taskQueue requires requestStateKeys, with the same secrets in all processes: they encrypt the tasks. Pass an array of secrets of at least 32 characters each.',
  ],
])('a queue needs tasks that all processes find and decrypt: %o', (options, message) => {
  expect(() => create(options)).toThrow(message);
});

test('a queue needs a client of ioredis', () => {
  expect(() => new BullMqTaskQueue('redis://127.0.0.1' as never)).toThrow(
    'BullMqTaskQueue: client must be a client of "ioredis" (Redis, Cluster); received "redis://127.0.0.1".',
  );
});

test('a server without a queue has no worker', async () => {
  const server = createServer({ name: 'films', version: '1.0.0' });
  await expect(startTaskWorker(server)).rejects.toThrow(
    'Server "films" has no task queue: its tasks run in the process that receives the call. Pass taskQueue to createServer: taskQueue: new BullMqTaskQueue(redis).',
  );
  writeFileSync(join(scratch.path, 'films.json'), '{ "name": "films" }');
  const { err } = await runCli(['worker', 'films.json'], { cwd: scratch.path });
  expect(err).toContain(
    'Server "films" has no task queue: its tasks run in the process that serves it. Pass taskQueue to createServer, such as a BullMqTaskQueue of toolwright/tasks.',
  );
});
