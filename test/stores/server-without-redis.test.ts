import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { serveHttp } from '../../src/http.ts';
import { createServer, silentLogger } from '../../src/index.ts';
import { postModern } from '../support/raw-http.ts';
import { RedisServer } from '../support/redis-server.ts';
import { CLIENTS, openNode } from './support/faulty-redis.ts';

const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

describe.each(Object.keys(CLIENTS))('a server whose Redis is gone, %s', (name) => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.stop());

  test('plain calls work, up to the local share of the limit; tasks and confirmations are rejected', async () => {
    const node = await openNode(name, redis.port);
    const ran: string[] = [];
    const inputSchema = z.object({});
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      logger: silentLogger,
      rateLimit: { limit: 20, perMs: 600_000 },
      rateLimitStore: node.rateLimits,
      confirmationStore: node.confirmations,
      taskStore: node.tasks,
      cache: node.cache,
      eventBus: node.eventBus,
      tools: [
        {
          name: 'plain',
          description: 'Answers',
          inputSchema,
          handler: ({ context }) => context.cache.wrap('a', () => 'here'),
        },
        {
          name: 'long',
          description: 'Runs as a task',
          inputSchema,
          task: 'required',
          handler: () => void ran.push('long'),
        },
        {
          name: 'wipe',
          description: 'Deletes',
          inputSchema,
          confirm: 'preview',
          preview: () => 'will delete',
          handler: () => void ran.push('wipe'),
        },
      ],
    });
    const running = await serveHttp(server, { port: 0 });
    onTestFinished(async () => {
      await running.close();
      await server.close();
    });
    const post = (method: string, params: object): ReturnType<typeof postModern> =>
      postModern(running.url, { method, params: { ...params }, capabilities: CAPABILITIES });
    const call = (tool: string): ReturnType<typeof postModern> =>
      post('tools/call', { name: tool, arguments: {} });
    expect(await call('plain')).toMatchObject({
      status: 200,
      result: { content: [{ text: 'here' }] },
    });
    await redis.kill();
    expect(await call('plain')).toMatchObject({
      status: 200,
      result: { content: [{ text: 'here' }] },
    });
    const busy = {
      code: -32603,
      data: { code: 'BUSY' },
      message: 'The store of tasks is not available. Try again later.',
    };
    expect(await call('long')).toMatchObject({ status: 503, error: busy });
    expect(await post('tasks/get', { taskId: 'x' })).toMatchObject({
      status: 503,
      error: busy,
    });
    expect(await call('wipe')).toMatchObject({
      result: {
        isError: true,
        content: [{ text: 'The store of confirmations is not available. Try again later.' }],
      },
    });
    expect(ran).toEqual([]);
    const statuses = [];
    for (let index = 0; index < 20; index += 1)
      statuses.push(JSON.stringify(await call('plain')).includes('here'));
    // Ten calls for this node; two were made above. The task was rejected before it was counted.
    expect(statuses.filter(Boolean)).toHaveLength(8);
    await redis.restart();
  });
});
