import { createClient } from 'redis';
import { Redis } from 'ioredis';
import * as z from 'zod';
import { addressOf, silentLogger, ToolRegistry } from '../library.mjs';
import { toMarkdown } from '../report.mjs';
import { median, shuffle } from '../statistics.mjs';

const { redisStores } = await import(addressOf('redis.ts'));
const IN_FLIGHT = 64;
const HUGE = { limit: 1_000_000_000, perMs: 60_000 };

/** Rate limits and cache hits: in memory, and in Redis with both clients. All contenders are in this process. */
export async function measureStores({ isQuick }) {
  const url = process.env.REDIS_URL;
  if (url === undefined) throw new Error('Set REDIS_URL.');
  const control = await createClient({ url }).connect();
  await control.flushAll();
  const clients = {
    redis: redisStores(createClient({ url }), { prefix: 'a', logger: silentLogger }),
    ioredis: redisStores(new Redis(url, { lazyConnect: true }), { prefix: 'b', logger: silentLogger }),
  };
  const rows = [];
  for (const feature of ['rate limit', 'cache hit']) {
    const lanes = { none: create(feature, 'none'), memory: create(feature, 'memory') };
    for (const [name, stores] of Object.entries(clients)) lanes[name] = create(feature, stores);
    const samples = Object.fromEntries(Object.keys(lanes).map((name) => [name, []]));
    for (let round = -2; round < (isQuick ? 2 : 15); round += 1)
      for (const name of shuffle(Object.keys(lanes))) {
        const sample = await measureOne(lanes[name], control, isQuick ? 2000 : 10_000);
        if (round >= 0) samples[name].push(sample);
      }
    for (const name of Object.keys(lanes)) rows.push(describe(feature, name, samples));
  }
  for (const stores of Object.values(clients)) stores.close();
  await control.quit();
  return toMarkdown(
    [
      'call with',
      'store',
      'CPU µs of the node',
      '× memory (each round)',
      'CPU µs of Redis',
      'µs, one at a time',
    ],
    rows,
  );
}

let calls = 0;

/** Calls in flight have different keys: equal ones would share one lookup. */
function nextKey() {
  calls += 1;
  return `key-${calls % 200}`;
}

function create(feature, store) {
  const isLimited = feature === 'rate limit' && store !== 'none';
  const handlers = {
    'rate limit': () => 'done',
    'cache hit':
      store === 'none' ? () => 'done' : ({ context }) => context.cache.wrap(nextKey(), () => 'done'),
  };
  const shared = typeof store === 'string' ? {} : { rateLimitStore: store.rateLimits, cache: store.cache };
  const tool = { name: 'tool', description: 'A tool', inputSchema: z.object({}), handler: handlers[feature] };
  const options = { rateLimit: isLimited ? HUGE : false, logger: silentLogger, ...shared };
  return new ToolRegistry(options).register(tool);
}

async function measureOne(registry, control, count) {
  const call = async () => {
    const reply = await registry.handleCall({ name: 'tool', arguments: {} });
    if (reply.result?.content[0].text !== 'done') throw new Error(`wrong response: ${JSON.stringify(reply)}`);
  };
  for (let index = 0; index < 200; index += 1) await call();
  const redisBefore = await redisCpuUs(control);
  const before = process.cpuUsage();
  let left = count;
  const run = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, run));
  const { user, system } = process.cpuUsage(before);
  const redisUs = (await redisCpuUs(control)) - redisBefore;
  const single = Math.min(count, 1000);
  const startedAt = performance.now();
  for (let index = 0; index < single; index += 1) await call();
  return {
    cpuUs: (user + system) / count,
    redisUs: redisUs / count,
    aloneUs: ((performance.now() - startedAt) * 1000) / single,
  };
}

async function redisCpuUs(control) {
  const text = await control.info('cpu');
  return ['sys', 'user']
    .map((kind) => Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(text)?.[1]) * 1e6)
    .reduce((sum, each) => sum + each, 0);
}

function describe(feature, name, samples) {
  const of = (figure) => median(samples[name].map((sample) => sample[figure]));
  const ratios = samples[name].map(({ cpuUs }, round) => cpuUs / samples.memory[round].cpuUs);
  const isRemote = name !== 'none' && name !== 'memory';
  return [
    feature,
    name,
    of('cpuUs').toFixed(1),
    isRemote
      ? `${median(ratios).toFixed(1)} (${Math.min(...ratios).toFixed(1)}–${Math.max(...ratios).toFixed(1)})`
      : '',
    isRemote ? of('redisUs').toFixed(1) : '',
    of('aloneUs').toFixed(0),
  ];
}
