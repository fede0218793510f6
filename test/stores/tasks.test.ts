import { describe, expect, test } from 'vitest';
import { RedisTaskStore } from '../../src/redis.ts';
import { MemoryTaskStore } from '../../src/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { taskSuite } from './suites/tasks.ts';
import { describeRedis, pass } from './support/redis-versions.ts';

const AT = '2026-11-19T00:00:00.000Z';

describe('MemoryTaskStore', () => {
  taskSuite(() => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    return {
      store,
      other: store,
      now: () => new Date(clock.now()).toISOString(),
      pass: (ms) => clock.advance(ms),
    };
  });
});

describe('RedisTaskStore', () => {
  describeRedis((connect) => {
    taskSuite(() => {
      const prefix = `nodes:${Math.random()}`;
      const [store, other] = [connect({ prefix }), connect({ prefix })].map(
        (connection) => new RedisTaskStore(connection),
      ) as [RedisTaskStore, RedisTaskStore];
      return { store, other, now: () => new Date().toISOString(), pass };
    });

    test('a task without a lifetime stays; one that does not change any more is deleted after abandonedMs', async () => {
      const connection = connect();
      const store = new RedisTaskStore(connection, { abandonedMs: 5000 });
      const task = {
        taskId: 'a',
        owner: 'ada',
        createdAt: AT,
        lastUpdatedAt: AT,
        ttlMs: null,
        pollIntervalMs: 1000,
      };
      const key = connection.key('task', 'a');
      await store.put({ ...task, status: 'working' });
      const left = Number(await connection.send(key, ['PTTL', key]));
      expect(left).toBeGreaterThan(3000);
      expect(left).toBeLessThanOrEqual(5000);
      await store.put({ ...task, status: 'completed', result: {} });
      expect(Number(await connection.send(key, ['PTTL', key]))).toBe(-1);
    });

    test('a task that is too large is rejected', async () => {
      const store = new RedisTaskStore(connect());
      const times = { createdAt: AT, lastUpdatedAt: AT, ttlMs: null, pollIntervalMs: 1000 };
      const task = { taskId: 'a', owner: 'ada', status: 'completed' as const, ...times };
      await expect(store.put({ ...task, result: { text: 'x'.repeat(17_000_000) } })).rejects.toMatchObject({
        code: 'RESULT_TOO_LARGE',
        message:
          'The task is too large to be stored: 17000187 of at most 16777216 characters. Lower maxResultBytes.',
      });
    });

    test.each([
      ['garbage', 'garbage'],
      ['another task', JSON.stringify({ taskId: 'b' })],
      ['no owner', JSON.stringify({ taskId: 'a', status: 'working' })],
      ['an unknown status', JSON.stringify({ taskId: 'a', owner: 'ada', status: 'paused' })],
      [
        'a member __proto__',
        `{"taskId":"a","owner":"ada","status":"working","createdAt":"${AT}","lastUpdatedAt":"${AT}","ttlMs":null,"pollIntervalMs":1,"result":{"__proto__":{}}}`,
      ],
    ])('a record with %s does not exist', async (_kind, text) => {
      const connection = connect();
      const key = connection.key('task', 'a');
      await connection.send(key, ['HSET', key, 'record', text]);
      expect(await new RedisTaskStore(connection).get('a')).toBeUndefined();
    });
  });
});
