import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../src/index.ts';
import { isFromReplica } from '../../src/stores/redis/connection/redis-link.ts';
import { BullMqTaskQueue } from '../../src/tasks.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { CLIENTS, openNode } from './support/faulty-redis.ts';

/** An address that leads to another server after {@link switchTo}. Connections that are open stay. */
class Address {
  readonly #server = createServer((socket) => this.#lead(socket));
  readonly #sockets: Socket[] = [];
  #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  switchTo(port: number): void {
    this.#port = port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #lead(socket: Socket): void {
    const upstream = connect(this.#port, '127.0.0.1');
    for (const each of [socket, upstream]) {
      this.#sockets.push(each);
      each.on('error', () => {});
    }
    socket.pipe(upstream).pipe(socket);
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  }
}

/** An address of a primary, and its failover: the primary becomes a replica of another server, to which the address leads then. */
async function startPrimary(): Promise<{ readonly port: number; readonly failOver: () => Promise<void> }> {
  const [primary, next] = await Promise.all([RedisServer.start(), RedisServer.start()]);
  const address = new Address(primary.port);
  await address.open();
  onTestFinished(async () => {
    address.close();
    await Promise.all([primary.stop(), next.stop()]);
  });
  const failOver = async (): Promise<void> => {
    await primary.execute('REPLICAOF', '127.0.0.1', String(next.port));
    address.switchTo(next.port);
  };
  return { port: address.port, failOver };
}

test.each(Object.keys(CLIENTS))('%s: after a failover, the stores find the new primary', async (name) => {
  const { port, failOver } = await startPrimary();
  const { state, entries } = await openNode(name, port, { timeoutMs: 10_000 });
  expect(await state.set('ada', 'a', '1', { ttlMs: 60_000 })).toBe(true);
  await failOver();
  await expect(async () => state.set('ada', 'b', '2', { ttlMs: 60_000 })).rejects.toMatchObject({
    code: 'BUSY',
  });
  expect(await state.set('ada', 'b', '3', { ttlMs: 60_000 })).toBe(true);
  expect(await state.get('ada', 'b')).toBe('3');
  expect(entries.map(({ message }) => message)).toEqual(['Redis rejected a command; fallbacks are in use']);
});

test('after a failover, a task queue finds the new primary', async () => {
  const { port, failOver } = await startPrimary();
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true });
  const queue = new BullMqTaskQueue(client, { logger: silentLogger });
  onTestFinished(() => queue.close());
  const add = (taskId: string): Promise<boolean> =>
    queue.add('films', { taskId, leg: 1 }).then(
      () => true,
      () => false,
    );
  const taken: string[] = [];
  const worker = queue.work('films', {
    concurrency: 1,
    run: async ({ taskId }) => void taken.push(taskId),
  });
  onTestFinished(() => worker.close());
  await worker.ready;
  expect(await until(() => add('first'), Boolean, 10_000)).toBe(true);
  expect(
    await until(
      () => [...taken],
      (ids) => ids.length > 0,
      10_000,
    ),
  ).toEqual(['first']);
  await failOver();
  expect(await add('lost')).toBe(false);
  expect(await until(() => add('next'), Boolean, 10_000)).toBe(true);
  expect(
    await until(
      () => [...taken],
      (ids) => ids.includes('next'),
      30_000,
    ),
  ).toContain('next');
});

test.each([
  ['Redis 7', "READONLY You can't write against a read only replica. script: 6b81, on @user_script:1.", true],
  [
    'Redis 6.2',
    "ERR Error running script (call to f_45e8): @user_script:1: @user_script: 1: -READONLY You can't write against a read only replica.",
    true,
  ],
  ['another error', 'NOSCRIPT No matching script. Please use EVAL.', false],
])('the reply of a replica to a script: %s', (_version, reply, isReplica) => {
  expect(isFromReplica(new Error(reply))).toBe(isReplica);
});
