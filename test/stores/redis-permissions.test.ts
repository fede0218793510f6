import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { serveHttp } from '../../src/http.ts';
import { createServer, silentLogger } from '../../src/index.ts';
import type { ToolwrightServer } from '../../src/index.ts';
import { redisStores } from '../../src/redis.ts';
import { BullMqTaskQueue, startTaskWorker } from '../../src/tasks.ts';
import { ROOT } from '../support/dist.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { getTask, send, startTask, untilTask } from './support/task-nodes.ts';

const SECTION = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8').split('### Permissions')[1] ?? '';
/** The rules of the stores and those of the queue. */
const RULES = [...SECTION.matchAll(/```text\n([^`]+)```/g)].flatMap(([, rules = '']) =>
  rules.trim().split(/\s+/),
);

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

/** A server whose Redis user has the rules of the documentation, and these. */
async function start(
  ...rules: readonly string[]
): Promise<AsyncDisposable & { readonly url: string; readonly server: ToolwrightServer }> {
  expect(await redis.execute('ACL', 'SETUSER', 'app', 'reset', 'on', '>pw', ...RULES, ...rules)).toBe('+OK');
  await redis.execute('ACL', 'LOG', 'RESET');
  const client = new Redis(redis.url.replace('//', '//app:pw@'), { lazyConnect: true });
  const settings = { prefix: 'shop', timeoutMs: 10_000, logger: silentLogger };
  const stores = redisStores(client, settings);
  const taskQueue = new BullMqTaskQueue(client, settings);
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    logger: silentLogger,
    rateLimitStore: stores.rateLimits,
    cache: stores.cache,
    stateStore: stores.state,
    taskStore: stores.tasks,
    eventBus: stores.eventBus,
    taskQueue,
    requestStateKeys: ['the secret of all nodes, of 32 characters'],
    tools: [
      {
        name: 'order',
        description: 'Orders shoes',
        inputSchema: z.object({}),
        task: { support: 'required', pollIntervalMs: 50 },
        handler: async ({ context }) => {
          await context.state.set('price', await context.cache.wrap('price', () => 20));
          const schema = z.object({ size: z.int() });
          const asked = await context.ask('size', { message: 'Size?', schema });
          return asked.action === 'accept' ? `size ${asked.content.size}` : 'no size';
        },
      },
    ],
  });
  const running = await serveHttp(server, { port: 0, authenticate: () => ({ id: 'ada' }) });
  return {
    url: running.url,
    server,
    [Symbol.asyncDispose]: async () => {
      await running.close();
      await server.close();
      taskQueue.close();
      stores.close();
    },
  };
}

test('the documented permissions suffice for the stores and the queue', async () => {
  await using node = await start();
  const { url, server } = node;
  const worker = await startTaskWorker(server);
  const [ended, cancelled] = [await startTask(url, 'order', {}), await startTask(url, 'order', {})];
  await untilTask(url, ended, 'input_required');
  await untilTask(url, cancelled, 'input_required');
  await send(url, 'tasks/cancel', { taskId: cancelled });
  const inputResponses = { size: { action: 'accept', content: { size: 42 } } };
  await send(url, 'tasks/update', { taskId: ended, inputResponses });
  expect((await untilTask(url, ended, 'completed', 'failed')).result?.content[0]?.text).toBe('size 42');
  expect((await getTask(url, cancelled)).status).toBe('cancelled');
  await worker.close();
  expect(await redis.execute('ACL', 'LOG')).toBe('*0');
});

test('without the permission for INFO, no worker starts, and tasks are accepted when it is granted', async () => {
  await using node = await start('-info');
  await expect(startTaskWorker(node.server)).rejects.toThrow(
    /^The task worker cannot use Redis: NOPERM .*'info' command.*\. Check the version of Redis and the permissions of its user: docs\/scaling\.md lists the commands of BullMqTaskQueue\.$/,
  );
  const { status, error } = await send(node.url, 'tools/call', { name: 'order', arguments: {} });
  expect([status, error?.message]).toEqual([503, 'The store of tasks is not available. Try again later.']);
  await redis.execute('ACL', 'SETUSER', 'app', '+info');
  const order = { name: 'order', arguments: {} };
  const again = await until(
    () => send(node.url, 'tools/call', order),
    (answer) => answer.status === 200,
    30_000,
  );
  expect(again.result?.['resultType']).toBe('task');
});

test('a worker without the permission for another command waits between its attempts, and can be closed', async () => {
  await using node = await start('-hmget');
  const begin = Date.now();
  const worker = await startTaskWorker(node.server);
  const attempts = async (): Promise<number> =>
    Number(/count\r\n:(\d+)/.exec(await redis.execute('ACL', 'LOG'))?.[1] ?? 0);
  expect(await until(attempts, (count) => count >= 2, 30_000)).toBeGreaterThanOrEqual(2);
  expect(Date.now() - begin).toBeGreaterThanOrEqual(490);
  await worker.close();
});
