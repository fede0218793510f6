import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { toNodeHandler } from '../../src/http.ts';
import type { NodeHandler } from '../../src/http.ts';
import { silentLogger } from '../../src/index.ts';
import type { ToolwrightServer } from '../../src/index.ts';
import { redisStores } from '../../src/redis.ts';
import type { RedisStores } from '../../src/redis.ts';
import { BullMqTaskQueue, startTaskWorker } from '../../src/tasks.ts';
import type { RunningTaskWorker } from '../../src/tasks.ts';
import { createScenarioNodes } from '../fixtures/scenario-server.ts';
import { DebianService } from './debian-service.ts';
import { haproxy } from './haproxy.ts';
import { RedisServer } from './redis-server.ts';

/** On a busy machine a reply may take longer than the default timeout; then a fallback would be used. */
const TIMEOUT_MS = 10_000;

/** A request that the balancer forwarded: its number at the balancer, and the node that got it. */
interface Hop {
  readonly number: number;
  readonly node: number;
}

interface Node {
  readonly server: ToolwrightServer;
  readonly handler: NodeHandler;
  readonly http: Server;
  readonly stores: RedisStores;
  readonly worker: RunningTaskWorker | undefined;
  readonly queue: BullMqTaskQueue | undefined;
}

/**
 * Three scenario servers that share only Redis (`REDIS_URL`, or one of their own), behind HAProxy, which sends every request to another node
 * than the one before it.
 */
export class BalancedNodes implements AsyncDisposable {
  readonly #redis: RedisServer | undefined;
  readonly #nodes: readonly Node[];
  readonly #balancer: DebianService;
  readonly #hops: Hop[];

  private constructor(
    redis: RedisServer | undefined,
    nodes: readonly Node[],
    { balancer, hops }: { readonly balancer: DebianService; readonly hops: Hop[] },
  ) {
    this.#redis = redis;
    this.#nodes = nodes;
    this.#balancer = balancer;
    this.#hops = hops;
  }

  /** `hasQueue`: tasks run in a worker that each node has, from one queue. */
  static async start({ hasQueue = false }: { readonly hasQueue?: boolean } = {}): Promise<BalancedNodes> {
    const given = process.env['REDIS_URL'];
    const redis = given === undefined ? await RedisServer.start() : undefined;
    const hops: Hop[] = [];
    const nodes = await startNodes(given ?? redis?.url ?? '', hasQueue, (hop) => hops.push(hop));
    const ports = nodes.map(({ http }) => (http.address() as AddressInfo).port);
    const balancer = await DebianService.open(
      haproxy(ports, { frontend: ['http-request set-header X-Number %rt'] }),
    );
    return new BalancedNodes(redis, nodes, { balancer, hops });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#balancer.port}/mcp`;
  }

  /** The nodes of all requests, in the order in which the balancer got them. */
  get hops(): readonly number[] {
    return this.#hops.toSorted((one, other) => one.number - other.number).map(({ node }) => node);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#balancer.stop();
    for (const { server, handler, http, stores, worker, queue } of this.#nodes) {
      await worker?.close();
      await handler.close(0);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await server.close();
      queue?.close();
      stores.close();
    }
    await this.#redis?.stop();
  }
}

async function startNodes(
  redisUrl: string,
  hasQueue: boolean,
  onHop: (hop: Hop) => void,
): Promise<readonly Node[]> {
  const prefix = `test:${randomUUID()}`;
  const open = (node: number): RedisStores => {
    // Both packages, in turn.
    const client =
      node % 2 === 0 ? new Redis(redisUrl, { lazyConnect: true }) : createClient({ url: redisUrl });
    return redisStores(client, { prefix, timeoutMs: TIMEOUT_MS, logger: silentLogger });
  };
  const stores = [0, 1, 2].map(open);
  const openQueue = (): BullMqTaskQueue =>
    new BullMqTaskQueue(new Redis(redisUrl, { lazyConnect: true }), {
      prefix,
      timeoutMs: TIMEOUT_MS,
      logger: silentLogger,
    });
  const queues = hasQueue ? stores.map(openQueue) : [];
  const servers = createScenarioNodes(
    stores.map(({ rateLimits, cache, confirmations, state, tasks, eventBus }, node) => ({
      rateLimitStore: rateLimits,
      cache,
      confirmationStore: confirmations,
      stateStore: state,
      taskStore: tasks,
      eventBus,
      ...(hasQueue ? { taskQueue: queues[node] } : {}),
      requestStateKeys: ['the secret of all nodes, of 32 characters'],
    })),
  );
  return Promise.all(
    servers.map(async (server, node): Promise<Node> => {
      const own = stores[node] as RedisStores;
      const handler = toNodeHandler(server, { sessions: { shared: own.state, eventStore: own.events } });
      const http = createServer((request, response) => {
        onHop({ number: Number(request.headers['x-number']), node });
        handler(request, response);
      });
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      const worker = hasQueue ? await startTaskWorker(server) : undefined;
      return { server, handler, http, stores: own, worker, queue: queues[node] };
    }),
  );
}
