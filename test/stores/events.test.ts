import { describe, expect, onTestFinished, test } from 'vitest';
import { RedisEventBus, RedisEventStore } from '../../src/redis.ts';
import type { RedisConnection, RedisEventStoreOptions } from '../../src/redis.ts';
import { MemoryEventBus, MemoryEventStore } from '../../src/stores.ts';
import type { ServerEvent } from '../../src/stores.ts';
import { eventBusSuite } from './suites/event-bus.ts';
import { eventStoreSuite } from './suites/event-store.ts';
import { describeRedis, pass } from './support/redis-versions.ts';
import type { Connect } from './support/redis-versions.ts';

describe('MemoryEventBus', () => {
  eventBusSuite(() => {
    const bus = new MemoryEventBus();
    return { bus, other: bus };
  });
});

/** The buses of two nodes, which read the events of each other. */
async function openBuses(
  connect: Connect,
): Promise<{ bus: RedisEventBus; other: RedisEventBus; key: string; connection: RedisConnection }> {
  const prefix = `nodes:${Math.random()}`;
  const connections = [connect({ prefix }), connect({ prefix })] as const;
  const [bus, other] = connections.map((each) => new RedisEventBus(each)) as [RedisEventBus, RedisEventBus];
  for (const each of [bus, other]) onTestFinished(() => each.close());
  for (const [sender, receiver] of [
    [bus, other],
    [other, bus],
  ] as const) {
    let isHeard = false;
    const unsubscribe = receiver.subscribe(() => (isHeard = true));
    await expect
      .poll(async () => {
        await sender.publish({ kind: 'tools', server: 'hello' });
        return isHeard;
      })
      .toBe(true);
    unsubscribe();
  }
  // What was sent to get here has arrived.
  await pass(20);
  const [connection] = connections;
  return { bus, other, connection, key: connection.key('bus', 'events') };
}

describe('RedisEventBus', () => {
  describeRedis((connect) => {
    eventBusSuite(() => openBuses(connect));

    test('what others write into the stream is ignored', async () => {
      const { other, connection, key } = await openBuses(connect);
      const got: ServerEvent[] = [];
      other.subscribe((event) => got.push(event));
      const texts = [
        'garbage',
        '{"kind":"tools","server":5}',
        '{"kind":"secrets"}',
        '{"kind":"resource"}',
        '{"kind":"task","owner":"ada"}',
        '{"kind":"task","owner":"ada","task":{"__proto__":{"admin":true}}}',
      ];
      for (const text of texts) await connection.send(key, ['XADD', key, '*', 'from', 'x', 'event', text]);
      await connection.send(key, ['XADD', key, '*', 'other', 'fields']);
      await connection.send(key, ['XADD', key, '*', 'from', 'x', 'event', '{"kind":"prompts"}']);
      await expect.poll(() => got).toEqual([{ kind: 'prompts' }]);
    });

    test('the stream is bounded, and long events stay on their node', async () => {
      const connection = connect();
      const bus = new RedisEventBus(connection, { maxEvents: 10 });
      onTestFinished(() => bus.close());
      for (let index = 0; index < 300; index += 1) await bus.publish({ kind: 'resource', uri: `a:${index}` });
      const key = connection.key('bus', 'events');
      const length = Number(await connection.send(key, ['XLEN', key]));
      expect(length).toBeLessThan(150);
      await bus.publish({ kind: 'task', owner: 'ada', task: { text: 'x'.repeat(70_000) } });
      expect(Number(await connection.send(key, ['XLEN', key]))).toBe(length);
    });
  });
});

describe('MemoryEventStore', () => {
  eventStoreSuite(() => {
    const store = new MemoryEventStore({ maxEvents: 3, maxChars: 1000 });
    return { store, other: store };
  });
});

describe('RedisEventStore', () => {
  describeRedis((connect) => {
    const open = (options: RedisEventStoreOptions): { store: RedisEventStore; other: RedisEventStore } => {
      const prefix = `nodes:${Math.random()}`;
      const [store, other] = [connect({ prefix }), connect({ prefix })].map(
        (connection) => new RedisEventStore(connection, options),
      ) as [RedisEventStore, RedisEventStore];
      return { store, other };
    };
    eventStoreSuite(() => open({ maxEvents: 3, maxBytes: 1000 }));

    test('a stream expires after its last message', async () => {
      const { store } = open({ keepMs: 1000 });
      const id = await store.append('s', 'a');
      expect(await store.after(id)).toEqual([]);
      await pass(1000);
      expect(await store.after(id)).toBeUndefined();
    });
  });
});
