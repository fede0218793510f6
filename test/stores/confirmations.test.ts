import { describe } from 'vitest';
import { RedisConfirmationStore } from '../../src/redis.ts';
import { MemoryConfirmationStore } from '../../src/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { confirmationSuite } from './suites/confirmations.ts';
import { describeRedis, pass } from './support/redis-versions.ts';

describe('MemoryConfirmationStore', () => {
  confirmationSuite(() => {
    const clock = new FakeClock();
    const store = new MemoryConfirmationStore({ clock });
    return { store, other: store, pass: (ms) => clock.advance(ms) };
  });
});

describe('RedisConfirmationStore', () => {
  describeRedis((connect) => {
    confirmationSuite(() => {
      const prefix = `nodes:${Math.random()}`;
      const [store, other] = [connect({ prefix }), connect({ prefix })].map(
        (connection) => new RedisConfirmationStore(connection),
      ) as [RedisConfirmationStore, RedisConfirmationStore];
      return { store, other, pass };
    });
  });
});
