import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCacheHelpers } from '../../src/stores.ts';
import type { ServerEvent, TaskRecord } from '../../src/stores.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { CLIENTS, openNode } from './support/faulty-redis.ts';
import type { Node } from './support/faulty-redis.ts';

const LONG = 600_000;
/** On a busy machine a reply may take longer than the default timeout; then a fallback would be used too early. */
const PATIENCE_MS = 10_000;
const AT = '2026-11-19T00:00:00.000Z';
const TASK: TaskRecord = {
  taskId: 'a',
  owner: 'ada',
  status: 'working',
  createdAt: AT,
  lastUpdatedAt: AT,
  ttlMs: null,
  pollIntervalMs: 1000,
};
const LISTS: readonly ServerEvent[] = [{ kind: 'tools' }, { kind: 'prompts' }, { kind: 'resources' }];

describe.each(Object.keys(CLIENTS))('without Redis, %s', (name) => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.start({ isDurable: true });
  });
  afterAll(() => server.stop());

  /** Two nodes that share their stores. */
  async function openNodes({ port } = server, timeoutMs = PATIENCE_MS): Promise<[Node, Node]> {
    const options = { prefix: `nodes:${randomUUID()}`, timeoutMs };
    return [await openNode(name, port, options), await openNode(name, port, options)];
  }

  /** Ends the server; it is started again at the latest when the test has finished. */
  async function kill(): Promise<void> {
    await server.kill();
    onTestFinished(async () => {
      if (!server.isRunning) await server.restart();
    });
  }

  test('the cache misses, and values that were deleted or replaced in that time do not come back', async () => {
    const [node, other] = await openNodes();
    const keys = ['deleted', 'replaced', 'by:prefix', 'untouched'];
    for (const key of keys) await node.cache.set(key, 'old', LONG);
    await kill();
    expect(await node.cache.get('untouched')).toBeUndefined();
    await node.cache.delete('deleted');
    await node.cache.set('replaced', 'new', LONG);
    await node.cache.deleteByPrefix('by:');
    expect(await createCacheHelpers(node.cache).wrap('loaded', () => 'here')).toBe('here');
    expect(await node.cache.stats()).toEqual({});
    await server.restart();
    const back = await until(
      () => node.cache.get('untouched'),
      (value) => value === 'old',
    );
    expect(back).toBe('old');
    const found = await Promise.all(keys.map((key) => node.cache.get(key)));
    expect(found).toEqual([undefined, undefined, undefined, 'old']);
    await until(
      () => other.cache.get('untouched'),
      (value) => value === 'old',
    );
    expect(await Promise.all(keys.map((key) => other.cache.get(key)))).toEqual(found);
  });

  test('a node that does nothing else repeats its lost deletions by itself', async () => {
    const [node, other] = await openNodes();
    await node.cache.set('a', 'old', LONG);
    await kill();
    await node.cache.delete('a');
    await server.restart();
    await until(
      () => other.cache.stats(),
      ({ entries }) => entries === 0,
    );
    expect(await other.cache.stats()).toEqual({ entries: 0 });
  });

  test('new tasks and lookups are rejected as BUSY, and accepted tasks are there after a restart', async () => {
    const [node] = await openNodes();
    await node.tasks.put(TASK);
    await kill();
    const busy = { code: 'BUSY', message: 'The store of tasks is not available. Try again later.' };
    await expect(node.tasks.put({ ...TASK, taskId: 'b' })).rejects.toMatchObject(busy);
    await expect(node.tasks.get('a')).rejects.toMatchObject(busy);
    await expect(node.tasks.delete('a')).rejects.toMatchObject(busy);
    await server.restart();
    const back = await until(
      () => node.tasks.get('a').catch(() => undefined),
      (task) => task !== undefined,
    );
    expect([back, await node.tasks.get('b')]).toEqual([TASK, undefined]);
  });

  test('confirmations are neither given nor accepted', async () => {
    const [node] = await openNodes();
    await node.confirmations.put('t', 'binding', LONG);
    await kill();
    const busy = { code: 'BUSY', message: 'The store of confirmations is not available. Try again later.' };
    await expect(node.confirmations.take('t')).rejects.toMatchObject(busy);
    await expect(node.confirmations.put('u', 'binding', LONG)).rejects.toMatchObject(busy);
    await server.restart();
    const back = await until(
      () => node.confirmations.take('t').catch(() => 'not yet'),
      (binding) => binding !== 'not yet',
    );
    expect(back).toBe('binding');
  });

  test('messages of streams are not kept, and those before are there after a restart', async () => {
    const [node, other] = await openNodes();
    const id = await node.events.append('s', 'a');
    await node.events.append('s', 'b');
    await kill();
    await expect(node.events.append('s', 'c')).rejects.toThrow();
    await server.restart();
    const back = await until(
      () => other.events.after(id).catch(() => undefined),
      (events) => events !== undefined,
    );
    expect(back?.map(({ message }) => message)).toEqual(['b']);
  });

  /** Subscribes, waits until the node reads the events of another, and returns what it gets from then on. */
  async function listen(node: Node, sender: Node): Promise<ServerEvent[]> {
    const got: ServerEvent[] = [];
    node.eventBus.subscribe((event) => {
      if (event.server !== 'hello') got.push(event);
    });
    let isHeard = false;
    const stop = node.eventBus.subscribe(() => (isHeard = true));
    await until(
      async () => {
        await sender.eventBus.publish({ kind: 'tools', server: 'hello' });
        return isHeard;
      },
      (heard) => heard,
    );
    stop();
    return got;
  }

  test('events reach the own node at once, and the other after a restart: the latest of each topic', async () => {
    const [node, other] = await openNodes();
    const own = await listen(node, other);
    const got = await listen(other, node);
    await kill();
    const first: ServerEvent = { kind: 'resource', uri: 'a:1' };
    const states = ['working', 'completed'].map((status): ServerEvent => ({
      kind: 'task',
      owner: 'ada',
      task: { taskId: 't', status },
    }));
    for (const event of [first, ...states, first]) await node.eventBus.publish(event);
    expect(own).toEqual([first, ...states, first]);
    expect(got).toEqual([]);
    await server.restart();
    await until(
      () => got.length,
      (length) => length >= 2,
    );
    expect(got).toEqual([states[1], first]);
    expect(own).toHaveLength(4);
  });

  test('a node that was cut off reads the events that it has missed', async () => {
    const [node, other] = await openNodes();
    const got = await listen(other, node);
    // Only the reader of the other node is cut off: the server ends its connection, and then refuses to serve it.
    const events: readonly ServerEvent[] = [
      { kind: 'resource', uri: 'a:1' },
      { kind: 'resource', uri: 'a:2' },
    ];
    await server.execute('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    for (const event of events) await node.eventBus.publish(event);
    await until(
      () => got.length,
      (length) => length >= 2,
    );
    expect(got).toEqual(events);
  });

  test('after Redis has lost its data, each node announces all lists to its clients', async () => {
    const volatile = await RedisServer.start();
    onTestFinished(() => volatile.stop());
    const [node, other] = await openNodes(volatile);
    const got = await listen(other, node);
    await volatile.kill();
    await volatile.restart();
    await until(
      () => got.length,
      (length) => length >= 3,
    );
    expect(got).toEqual(LISTS);
    // And goes on from there.
    await until(
      () => node.eventBus.publish({ kind: 'resource', uri: 'a:1' }).then(() => got.length),
      (length) => length > 3,
    );
    expect(got[3]).toEqual({ kind: 'resource', uri: 'a:1' });
  });

  test('a frozen Redis: the events of three seconds arrive within two seconds after it', async () => {
    const [node, other] = await openNodes(server, 250);
    const got = await listen(other, node);
    server.freeze();
    onTestFinished(() => server.thaw());
    const end = performance.now() + 3000;
    let count = 0;
    await until(
      async () => {
        count += 1;
        await node.eventBus.publish({ kind: 'resource', uri: `a:${count}` });
      },
      () => performance.now() >= end,
    );
    server.thaw();
    const thawed = performance.now();
    const uris = (): Set<unknown> => new Set(got.map((event) => 'uri' in event && event.uri));
    await until(uris, (seen) => seen.size >= count);
    expect(uris().size).toBe(count);
    expect(performance.now() - thawed).toBeLessThan(2000);
  });

  test('a listener that throws does not stop the bus', async () => {
    const [node, other] = await openNodes();
    const got = await listen(other, node);
    let isThrowing = true;
    other.eventBus.subscribe(() => {
      if (isThrowing) throw new Error('a listener');
    });
    await node.eventBus.publish({ kind: 'prompts' });
    await until(
      () => other.entries.length,
      (length) => length > 0,
    );
    isThrowing = false;
    await node.eventBus.publish({ kind: 'resources' });
    await until(
      () => got.length,
      (length) => length >= 2,
    );
    expect(got).toEqual([{ kind: 'prompts' }, { kind: 'resources' }]);
    expect(other.entries.map(({ message }) => message)).toEqual(['a listener of the event bus failed']);
  });
});
