/**
 * Flows of several requests, each request at another node than the one before it: lists, calls, calls that ask twice, handles, confirmations
 * and sessions of 2025-11-25. The nodes are processes that share only Redis.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { RedisServer } from '../support/redis-server.ts';
import { Chance, SEED } from './support/chance.ts';
import { answerTo, FLOWS } from './support/flows.ts';
import type { Requests } from './support/flows.ts';
import { Nodes } from './support/nodes.ts';
import { isLong, promise } from './support/promise.ts';
import type { TokenClient } from './support/token-client.ts';
import type { Weakness } from './support/weaken.ts';

const COUNT = isLong ? 1000 : 200;
const AT_ONCE = 16;
const NODES = 3;
/** On a busy machine a reply may take longer than the default timeout; then a fallback would be used. */
const TIMEOUT_MS = '10000';

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

/** The requests of one flow, each at another node than the one before it. */
class Hops implements Requests {
  readonly #nodes: Nodes;
  readonly #chance: Chance;
  readonly user: string;
  readonly visited: number[] = [];

  constructor(nodes: Nodes, user: string, chance: Chance) {
    this.#nodes = nodes;
    this.user = user;
    this.#chance = chance;
  }

  /** A client of the next node. */
  next(): TokenClient {
    const last = this.visited.at(-1);
    const node =
      last === undefined ? this.#chance.below(NODES) : (last + 1 + this.#chance.below(NODES - 1)) % NODES;
    this.visited.push(node);
    return this.#nodes.client(node, this.user);
  }
}

async function check(without: readonly Weakness[]): Promise<void> {
  const nodes = await Nodes.start([redis, redis, redis], {
    without,
    env: { PREFIX: randomUUID(), TIMEOUT_MS },
  });
  const lists = await Promise.all(
    nodes.ports.map((_, node) => answerTo(nodes.client(node).modern('tools/list'))),
  );
  const [tools = '', ...others] = lists.map(({ result }) => JSON.stringify(result?.tools));
  expect(others, 'the tools of the other nodes').toEqual([tools, tools]);
  const kinds = Object.entries(FLOWS);
  const chance = new Chance();
  const flows = without.length > 0 ? 10 * kinds.length : COUNT;
  const failed: string[] = [];
  let begun = 0;
  let hopCount = 0;
  let staying = 0;
  const work = async (): Promise<void> => {
    while (begun < flows) {
      const [kind, [flow, expected]] = kinds[begun % kinds.length] as (typeof kinds)[number];
      const hops = new Hops(nodes, `user-${begun}`, chance);
      begun += 1;
      const outcome = await flow(hops, tools).catch(String);
      if (JSON.stringify(outcome) !== JSON.stringify(expected))
        failed.push(`${kind}: ${JSON.stringify(outcome)}`);
      hopCount += hops.visited.length;
      staying += hops.visited.filter((node, at) => node === hops.visited[at - 1]).length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(failed.slice(0, 10), `flows that failed (seed ${SEED})`).toEqual([]);
  expect([begun, staying], 'flows, and requests that stayed at their node').toEqual([flows, 0]);
  expect(hopCount, 'requests').toBeGreaterThanOrEqual(2 * flows);
  // Nothing ran twice: each booking has paid once.
  const runs = await nodes.runs();
  expect([runs['pay'], runs['book']], 'payments and bookings').toEqual([
    flows / kinds.length,
    flows / kinds.length,
  ]);
}

promise('any node serves any request', {
  checks: { 'each request of a flow goes to another node': check },
  timeoutMs: isLong ? 600_000 : 180_000,
  switches: [
    {
      defence: 'keys of Redis that all nodes use',
      off: [
        {
          module: 'stores/redis/connection/redis-connection.js',
          defence: 'keys-of-all-nodes',
          by: 'this.#prefix = String(Math.random());',
        },
      ],
      red: /flows that failed/,
    },
    {
      defence: 'secrets that all nodes use',
      off: [
        {
          module: 'stores/sealing/key-ring.js',
          defence: 'keys-that-open',
          by: 'return [];',
        },
      ],
      red: /flows that failed/,
    },
  ],
});
