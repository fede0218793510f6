import { once } from 'node:events';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt } from '../support/dist.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { getTask, send, startTask, TaskNodes, untilTask } from './support/task-nodes.ts';

/** Each test waits for processes, which is slow on a busy machine. */
const SLOW_MS = 120_000;

let redis: RedisServer;
let nodes: TaskNodes;
let one: string;
let two: string;

beforeAll(async () => {
  assertBuilt();
  redis = await RedisServer.start();
  nodes = new TaskNodes(redis.url);
  [one, two] = await Promise.all([nodes.startNode(), nodes.startNode()]);
}, SLOW_MS);
afterAll(async () => {
  await nodes[Symbol.asyncDispose]();
  await redis.stop();
}, SLOW_MS);

describe('tasks in worker processes', { timeout: SLOW_MS }, () => {
  test('a task is accepted without a worker, and runs when one is there: as its caller, without the access token', async () => {
    const taskId = await startTask(one, 'once', { id: 'first' });
    expect((await getTask(two, taskId)).status).toBe('working');
    const client = new Redis(redis.url);
    expect(await client.llen(`${nodes.prefix}:{queue:queued}:jobs:wait`)).toBe(1);
    client.disconnect();
    await nodes.startWorker();
    const { status, result } = await untilTask(two, taskId, 'completed', 'failed');
    expect([status, result?.content]).toEqual([
      'completed',
      [{ type: 'text', text: 'first by ada, token undefined' }],
    ]);
    expect(nodes.lines.filter((line) => line.startsWith('begin first'))).toHaveLength(1);
  });

  test('a task that asks ends its leg; answers reach it from other nodes, and steps run once', async () => {
    const taskId = await startTask(one, 'order', { id: 'shoes', ms: 400 });
    const asked = await untilTask(two, taskId, 'input_required');
    expect(asked.inputRequests?.['size']?.params.message).toBe('Size?');
    const wrong = { size: { action: 'accept', content: { size: 'large' } } };
    await send(one, 'tasks/update', { taskId, inputResponses: wrong });
    const legs = (): number => nodes.lines.filter((line) => line.startsWith('leg shoes')).length;
    // Answered again while the leg of the wrong answer runs.
    expect(await until(legs, (count) => count === 2, 60_000)).toBe(2);
    const size = { size: { action: 'accept', content: { size: 42 } } };
    await send(two, 'tasks/update', { taskId, inputResponses: size });
    const again = await until(
      () => getTask(one, taskId),
      ({ inputRequests }) => inputRequests?.['colour'] !== undefined,
      60_000,
    );
    expect(Object.keys(again.inputRequests ?? {})).toEqual(['colour']);
    const colour = { colour: { action: 'accept', content: { colour: 'red' } } };
    await send(one, 'tasks/update', { taskId, inputResponses: colour });
    const { status, result } = await untilTask(two, taskId, 'completed', 'failed');
    expect([status, result?.content[0]?.text]).toEqual(['completed', '42 red for 20']);
    expect(nodes.lines.filter((line) => line === 'price shoes')).toHaveLength(1);
  });

  test('a call that asks before its task goes on in a worker, after the answer', async () => {
    const call = { name: 'wipe', arguments: { id: 'disk' } };
    const asked = await send(one, 'tools/call', call);
    expect(asked.result?.['resultType']).toBe('input_required');
    const inputResponses = { sure: { action: 'accept', content: { ok: true } } };
    const requestState = asked.result?.['requestState'];
    const { result } = await send(two, 'tools/call', { ...call, inputResponses, requestState });
    expect(result?.['resultType']).toBe('task');
    const ended = await untilTask(one, String(result?.['taskId']), 'completed', 'failed');
    expect(ended.result?.content[0]?.text).toBe('wiped: true, another process');
    expect(nodes.lines.filter((line) => line === 'wipe disk')).toHaveLength(1);
  });

  test('a task is cancelled from another node: its handler is aborted', async () => {
    const taskId = await startTask(one, 'once', { id: 'long', ms: 600_000 });
    await nodes.noted('begin long');
    await send(two, 'tasks/cancel', { taskId });
    await nodes.noted('abort long');
    expect((await getTask(one, taskId)).status).toBe('cancelled');
  });

  test('the policy is evaluated again in the worker', async () => {
    const open = await nodes.startNode({ IS_OPEN: '1' });
    const taskId = await startTask(open, 'managers', { id: 'x' });
    const { status, error } = await untilTask(one, taskId, 'completed', 'failed');
    expect([status, error?.code, error?.message]).toEqual(['failed', -32602, 'Unknown tool: managers']);
  });

  test('Redis has neither the arguments, the caller nor the answers of a task in clear', async () => {
    const taskId = await startTask(one, 'order', { id: 'canary-argument' });
    await untilTask(one, taskId, 'input_required');
    const keys = (await redis.execute('KEYS', `${nodes.prefix}*`)).split('\r\n');
    expect(keys.filter((key) => key.includes(taskId)).length).toBeGreaterThan(0);
    const record = await redis.execute('HGET', `${nodes.prefix}:{task:${taskId}}`, 'record');
    expect(record).toContain('"work":"v2.');
    expect(record).not.toContain('canary-argument');
    expect(record).not.toContain('"ada"');
    await send(one, 'tasks/cancel', { taskId });
  });
});

/** Takes a job like a worker that is lost before it begins. */
async function takeJob(prefix: string): Promise<void> {
  const connection = { url: redis.url };
  const worker = new Worker('jobs', undefined, {
    prefix: `${prefix}:{queue:queued}`,
    connection,
    lockDuration: 1000,
  });
  expect((await worker.getNextJob('lost'))?.name).toBe('leg');
  await worker.close(true);
}

/** The texts of a reply with an array. */
async function findAll(...command: readonly string[]): Promise<string[]> {
  const lines = (await redis.execute(...command)).split('\r\n');
  return lines.filter((line) => !/^[*$]/.test(line));
}

test(
  'a caller has at most the number of tasks that the limit allows, at all nodes together',
  async () => {
    await using own = new TaskNodes(redis.url, { MAX: '2' });
    const urls = await Promise.all([own.startNode(), own.startNode()]);
    const begin = async (at: number, user?: string): Promise<unknown> => {
      const call = { name: 'once', arguments: { id: 'x' }, ...(user === undefined ? {} : { user }) };
      const { status, result, error } = await send(urls[at] ?? '', 'tools/call', call);
      return result?.['taskId'] ?? [status, error?.message];
    };
    const first = await begin(0);
    expect([first, await begin(1)]).toEqual([expect.any(String), expect.any(String)]);
    const busy = [503, 'Too many tasks are running. Try again when one has ended.'];
    expect([await begin(0), await begin(1)]).toEqual([busy, busy]);
    expect(await begin(0, 'bob')).toEqual(expect.any(String));
    await send(urls[1], 'tasks/cancel', { taskId: first });
    expect(await begin(0)).toEqual(expect.any(String));
    expect(await begin(1)).toEqual(busy);
    // The processes of two tasks ended before their records were stored; until a minute has passed, they may still be stored.
    for (const key of await findAll('KEYS', `${own.prefix}:{task:*`)) await redis.execute('DEL', key);
    expect(await begin(1)).toEqual(busy);
    const minuteAgo = String(Date.now() - 60_001);
    for (const key of await findAll('KEYS', `${own.prefix}:{tasks-of:*`))
      for (const taskId of await findAll('ZRANGE', key, '0', '-1'))
        await redis.execute('ZADD', key, 'XX', minuteAgo, taskId);
    expect([await begin(1), await begin(0)]).toEqual([expect.any(String), expect.any(String)]);
    // Redis ended before it stored the jobs of two tasks: nothing will run them.
    expect(await begin(1)).toEqual(busy);
    for (const key of await findAll('KEYS', `${own.prefix}:{queue:*`)) await redis.execute('DEL', key);
    expect(await begin(1)).toEqual(busy);
    for (const key of await findAll('KEYS', `${own.prefix}:{tasks-of:*`))
      for (const taskId of await findAll('ZRANGE', key, '0', '-1'))
        await redis.execute('ZADD', key, 'XX', minuteAgo, taskId);
    expect(await begin(1)).toEqual(expect.any(String));
  },
  SLOW_MS,
);

test(
  'a cancelled task makes room for another one, whether it waits for a worker or for input',
  async () => {
    await using own = new TaskNodes(redis.url);
    const url = await own.startNode();
    const jobs = async (): Promise<string[]> => {
      const keys = await findAll('KEYS', `${own.prefix}:{*`);
      return keys.filter((key) => /:jobs:[\da-f]{32}-\d$|\{inbox:|\{tasks-of:/.test(key));
    };
    const waiting = await startTask(url, 'order', { id: 'waits' });
    expect(await jobs()).toHaveLength(2);
    await send(url, 'tasks/cancel', { taskId: waiting });
    expect(await until(jobs, (left) => left.length === 0)).toEqual([]);
    await own.startWorker();
    const asked = await startTask(url, 'order', { id: 'asks' });
    await untilTask(url, asked, 'input_required');
    // The job of the leg that has asked is removed after the task is stored.
    expect(await until(jobs, (left) => left.length === 2)).toHaveLength(2);
    await send(url, 'tasks/cancel', { taskId: asked });
    expect(await until(jobs, (left) => left.length === 0)).toEqual([]);
  },
  SLOW_MS,
);

describe('Redis', { timeout: SLOW_MS }, () => {
  test('frozen: new tasks are rejected with 503, and running ones complete afterwards', async () => {
    const slow = await RedisServer.start();
    try {
      await using own = new TaskNodes(slow.url);
      const url = await own.startNode();
      await own.startWorker();
      const taskId = await startTask(url, 'once', { id: 'through', ms: 500 });
      await own.noted('begin through');
      slow.freeze();
      const { status, error } = await send(url, 'tools/call', { name: 'once', arguments: { id: 'none' } });
      expect([status, error?.['data']]).toEqual([503, { code: 'BUSY' }]);
      await own.noted('end through');
      slow.thaw();
      await until(
        () => send(url, 'tasks/get', { taskId }),
        (answer) => answer.status === 200,
        60_000,
      );
      expect((await untilTask(url, taskId, 'completed', 'failed')).status).toBe('completed');
      expect(own.lines.filter((line) => line.startsWith('begin'))).toHaveLength(1);
    } finally {
      slow.thaw();
      await slow.stop();
    }
  });

  test('a cluster: all keys of a queue are in one slot', async () => {
    const cluster = await RedisServer.start({ isCluster: true });
    try {
      await using own = new TaskNodes(cluster.url, { IS_CLUSTER: '1' });
      const url = await own.startNode();
      await own.startWorker();
      const taskId = await startTask(url, 'order', { id: 'hat' });
      await untilTask(url, taskId, 'input_required');
      const size = { size: { action: 'accept', content: { size: 7 } } };
      const colour = { colour: { action: 'accept', content: { colour: 'grey' } } };
      await send(url, 'tasks/update', { taskId, inputResponses: size });
      await until(
        () => getTask(url, taskId),
        ({ inputRequests }) => inputRequests?.['colour'] !== undefined,
        60_000,
      );
      await send(url, 'tasks/update', { taskId, inputResponses: colour });
      const { result } = await untilTask(url, taskId, 'completed', 'failed');
      expect(result?.content[0]?.text).toBe('7 grey for 20');
    } finally {
      await cluster.stop();
    }
  });
});

describe('a worker that ends', { timeout: SLOW_MS }, () => {
  test('SIGTERM lets its task end, and takes no further one', async () => {
    await using own = new TaskNodes(redis.url);
    const url = await own.startNode();
    const worker = await own.startWorker({}, ['--concurrency', '1']);
    const taskId = await startTask(url, 'once', { id: 'last', ms: 1500 });
    await own.noted('begin last');
    const exit = once(worker, 'exit');
    worker.kill('SIGTERM');
    const next = await startTask(url, 'once', { id: 'next' });
    expect(await exit).toEqual([0, null]);
    expect((await getTask(url, taskId)).status).toBe('completed');
    expect((await getTask(url, next)).status).toBe('working');
  });

  test('after --drain, running handlers are aborted', async () => {
    await using own = new TaskNodes(redis.url);
    const url = await own.startNode();
    const worker = await own.startWorker({}, ['--drain', '0']);
    await startTask(url, 'once', { id: 'endless', ms: 600_000 });
    await own.noted('begin endless');
    const exit = once(worker, 'exit');
    const since = performance.now();
    worker.kill('SIGTERM');
    await own.noted('abort endless');
    expect(await exit).toEqual([0, null]);
    // The default is 25 s.
    expect(performance.now() - since).toBeLessThan(20_000);
  });

  test('SIGTERM ends a worker without tasks while Redis is away', async () => {
    const lost = await RedisServer.start();
    try {
      await using own = new TaskNodes(lost.url);
      const worker = await own.startWorker({}, ['--drain', '600']);
      await lost.kill();
      const exit = once(worker, 'exit');
      worker.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
    } finally {
      await lost.stop();
    }
  });

  test('kill -9: a task with retries runs again and completes, one without fails', async () => {
    await using own = new TaskNodes(redis.url);
    const url = await own.startNode();
    const taken = await startTask(url, 'once', { id: 'taken' });
    await takeJob(own.prefix);
    const worker = await own.startWorker();
    const [again, once_] = await Promise.all([
      startTask(url, 'again', { id: 'retried', ms: 3000 }),
      startTask(url, 'once', { id: 'lost', ms: 600_000 }),
    ]);
    await Promise.all([own.noted('begin retried'), own.noted('begin lost')]);
    worker.kill('SIGKILL');
    await own.startWorker();
    const [completed, failed] = await Promise.all([
      untilTask(url, again, 'completed', 'failed'),
      untilTask(url, once_, 'completed', 'failed'),
    ]);
    expect([completed.status, completed.result?.content[0]?.text]).toEqual([
      'completed',
      'retried by ada, token undefined',
    ]);
    expect([failed.status, failed.error]).toEqual([
      'failed',
      {
        code: -32603,
        message: 'The worker process ended before the task, and tool "once" declares retries: 0.',
      },
    ]);
    // Redis ended while a worker took it: its handler had not begun, so this is not a retry.
    expect((await untilTask(url, taken, 'completed', 'failed')).status).toBe('completed');
    const count = (start: string): number => own.lines.filter((line) => line.startsWith(start)).length;
    expect([count('begin retried'), count('end retried'), count('begin lost')]).toEqual([2, 1, 1]);
  });
});
