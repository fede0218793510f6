import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, runModule } from '../support/dist.ts';
import { RedisServer } from '../support/redis-server.ts';

const scratch = createScratchFolder();
let server: RedisServer;

beforeAll(async () => {
  assertBuilt();
  server = await RedisServer.start();
});
afterAll(async () => {
  scratch.remove();
  await server.stop();
});

/** Runs the code in several processes that begin at the same time; returns the JSON that each prints. */
async function runProcesses(count: number, code: string): Promise<unknown[]> {
  const source = `
    import { Redis } from 'ioredis';
    import { RedisCacheStore, RedisConnection, RedisRateLimitStore } from 'toolwright/redis';
    import { createCacheHelpers } from 'toolwright/stores';
    import { setTimeout as sleep } from 'node:timers/promises';
    const redis = new Redis('${server.url}');
    const connection = new RedisConnection(redis, { timeoutMs: 10_000 });
    await redis.incr('ready');
    while (Number(await redis.get('ready')) < ${count}) await sleep(5);
    console.log(JSON.stringify(await run()));
    connection.close();
    redis.disconnect();
    ${code}`;
  await server.execute('DEL', 'ready');
  const printed = await Promise.all(
    Array.from({ length: count }, (_, index) => runModule(scratch.path, `process-${index}.mjs`, source)),
  );
  return printed.map((text) => JSON.parse(text) as unknown);
}

test('4 processes with 2,500 calls each: exactly the limit of 1,000 is allowed', async () => {
  const counts = await runProcesses(
    4,
    `async function run() {
      const limits = new RedisRateLimitStore(connection);
      const calls = Array.from({ length: 2500 }, () => limits.consume('ada', { limit: 1000, perMs: 600_000 }));
      return (await Promise.all(calls)).filter(({ allowed }) => allowed).length;
    }`,
  );
  expect(counts.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(1000);
  expect(counts).toHaveLength(4);
});

test('500 concurrent misses in two processes are one load', async () => {
  const values = await runProcesses(
    2,
    `async function run() {
      const cache = createCacheHelpers(new RedisCacheStore(connection));
      const load = async () => {
        await sleep(100);
        return 'load ' + (await redis.incr('loads'));
      };
      return Promise.all(Array.from({ length: 250 }, () => cache.wrap('report', load)));
    }`,
  );
  const all = values.flat();
  expect([all.length, new Set(all)]).toEqual([500, new Set(['load 1'])]);
  expect(await server.execute('GET', 'loads')).toBe('$1\r\n1');
});

test('a rate limit takes one round trip, and a lookup in the cache as well', async () => {
  await runProcesses(
    1,
    `async function run() {
      await new RedisRateLimitStore(connection).consume('ada', { limit: 10, perMs: 1000 });
      await new RedisCacheStore(connection).get('a');
      return true;
    }`,
  );
  const before = commandsIn(await server.execute('INFO', 'commandstats'));
  await runProcesses(
    1,
    `async function run() {
      const [limits, cache] = [new RedisRateLimitStore(connection), new RedisCacheStore(connection)];
      for (let call = 0; call < 100; call += 1) {
        await limits.consume('ada', { limit: 10, perMs: 1000 });
        await cache.get('a');
      }
      return true;
    }`,
  );
  const after = commandsIn(await server.execute('INFO', 'commandstats'));
  expect([after.evalsha - before.evalsha, after.eval - before.eval]).toEqual([200, 0]);
});

function commandsIn(stats: string): { evalsha: number; eval: number } {
  const count = (command: string): number =>
    Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  return { evalsha: count('evalsha'), eval: count('eval') };
}
