import { expect, test } from 'vitest';
import { RedisStateStore } from '../../src/redis.ts';
import type { RedisConnection } from '../../src/redis.ts';
import { describeStateStore } from './suites/state.ts';
import { describeRedis } from './support/redis-versions.ts';

/** Moves the end times of all values, because Redis has no other clock than its own. */
async function age(connection: RedisConnection, prefix: string, ms: number): Promise<void> {
  const script = `
    for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
      local found = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
      for index = 1, #found, 2 do redis.call('ZADD', key, found[index + 1] - ARGV[2], found[index]) end
    end`;
  await connection.send(prefix, ['EVAL', script, '0', `${prefix}:*:ends`, String(ms)]);
}

describeRedis((connect) => {
  describeStateStore('RedisStateStore', (limits = {}) => {
    const prefix = `nodes:${Math.random()}`;
    const connections = [connect({ prefix }), connect({ prefix })] as const;
    const [store, other] = connections.map((each) => new RedisStateStore(each, limits)) as [
      RedisStateStore,
      RedisStateStore,
    ];
    return { store, other, accuracyMs: 500, advance: (ms) => age(connections[0], prefix, ms) };
  });

  test('the keys of an owner expire with its last value, and their sizes are those of the values', async () => {
    const prefix = `sizes:${Math.random()}`;
    const connection = connect({ prefix });
    const store = new RedisStateStore(connection);
    await store.set('ada', 'long', 'x'.repeat(10), { ttlMs: 50_000 });
    await store.set('ada', 'short', 'x'.repeat(10), { ttlMs: 1000 });
    await store.set('ada', 'long', 'x', { ttlMs: 50_000 });
    await store.set('ada', 'taken', 'x', { ttlMs: 90_000 });
    await store.take('ada', 'taken');
    const keyOf = (part: string): string => connection.key('state', 'ada', part);
    const sizes = (await connection.send(keyOf(':sizes'), ['HVALS', keyOf(':sizes')])) as string[];
    const numbers = sizes.map(Number).toSorted((left, right) => left - right);
    expect(numbers).toHaveLength(3);
    expect(numbers[2]).toBe(Number(numbers[0]) + Number(numbers[1]));
    const left = Number(await connection.send(keyOf(':values'), ['PTTL', keyOf(':values')]));
    expect(left).toBeGreaterThan(40_000);
    expect(left).toBeLessThanOrEqual(90_000);
  });
});
