import { describe } from 'vitest';
import { RedisRateLimitStore } from '../../src/redis.ts';
import { MemoryRateLimitStore } from '../../src/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { rateLimitSuite } from './suites/rate-limit.ts';
import { describeRedis, pass } from './support/redis-versions.ts';

describe('MemoryRateLimitStore', () => {
  rateLimitSuite(() => {
    const clock = new FakeClock();
    return { store: new MemoryRateLimitStore({ clock }), pass: (ms) => clock.advance(ms) };
  });
});

describe('RedisRateLimitStore', () => {
  describeRedis((connect) => {
    rateLimitSuite(() => ({ store: new RedisRateLimitStore(connect()), pass }));
  });
});
