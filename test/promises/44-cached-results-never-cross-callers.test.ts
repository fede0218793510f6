/** Results that several nodes cache in Redis: for each access token separately, never after an elicitation, and loaded once for concurrent calls. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { accept, textOf } from '../protocol/support/rpc.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Chance, SEED } from './support/chance.ts';
import { answerIn } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { Nodes } from './support/nodes.ts';
import { isLong, promise } from './support/promise.ts';
import type { TokenClient } from './support/token-client.ts';
import type { Weakness } from './support/weaken.ts';

const USERS = 50;
const ANSWERS = isLong ? 10_000 : 2000;
const AT_ONCE = 32;
const MISSES = 500;
/** On a busy machine a reply may take longer than the default timeout; then a fallback would be used. */
const TIMEOUT_MS = '10000';
const ELICITATION = { capabilities: { elicitation: {} } };

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

function start(without: readonly Weakness[], slowMs = 0, isApart = without.length === 0): Promise<Nodes> {
  const env = { PREFIX: randomUUID(), TIMEOUT_MS, SLOW_MS: String(slowMs) };
  return Nodes.start([redis, redis, redis], { without, env, isApart });
}

async function textTo(sent: Promise<Ended>): Promise<string> {
  const ended = await sent;
  if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
  return textOf(answerIn(ended) ?? {});
}

/** Users with the same arguments at all nodes; from the middle on, each with a new token. */
async function expectOwnResults(without: readonly Weakness[]): Promise<void> {
  const nodes = await start(without);
  const chance = new Chance();
  const count = without.length > 0 ? 200 : ANSWERS;
  const wrong: string[] = [];
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < count) {
      const name = `user-${chance.below(USERS)}`;
      const version = sent < count / 2 ? 'first' : 'second';
      sent += 1;
      const text = await textTo(nodes.client(chance.below(3), `${name}~${version}`).call('mine'));
      if (!text.startsWith(`all of ${name} by ${version}, run `)) wrong.push(`${name} got: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(wrong.slice(0, 10), `results of another token (seed ${SEED})`).toEqual([]);
  const runs = await nodes.runs();
  const ran = Object.entries(runs).filter(([name]) => name.startsWith('mine '));
  expect(ran.length, 'users whose results were loaded').toBeLessThanOrEqual(USERS);
  // One load for each token: the results are cached, on all nodes.
  expect(
    ran.filter(([, times]) => times > 2),
    'users with more loads than tokens',
  ).toEqual([]);
}

/** A call that asks: the state of its first round, then its result. */
async function ask(client: TokenClient, again: TokenClient, name: string): Promise<string> {
  const { result } = answerIn(await client.call('asked', {}, ELICITATION)) ?? {};
  if (result?.requestState === undefined) return `not asked: ${JSON.stringify(result?.content)}`;
  const inputResponses = { name: accept({ name }) };
  const params = { name: 'asked', arguments: {}, requestState: result.requestState, inputResponses };
  return textTo(again.modern('tools/call', params, ELICITATION));
}

async function expectAnswersUncached(without: readonly Weakness[]): Promise<void> {
  const nodes = await start(without, 0, false);
  for (const [round, name] of ['Ada', 'Bob', 'Eve'].entries()) {
    const clients = [nodes.client(round % 3), nodes.client((round + 1) % 3)] as const;
    expect(await ask(...clients, name), 'the result after an elicitation').toBe(`ada: ${name}`);
    const { result } = answerIn(await nodes.client(round).modern('tools/list')) ?? {};
    expect(result?.cacheScope, 'the cache scope of a list for an authenticated caller').toBe('private');
  }
  expect((await nodes.runs())['asked'], 'rounds').toBe(6);
}

async function expectOneLoad(without: readonly Weakness[]): Promise<void> {
  const nodes = await start(without, 200);
  const texts = await Promise.all(
    Array.from({ length: MISSES }, (_, index) => textTo(nodes.client(index % 3).call('mine'))),
  );
  expect(new Set(texts), 'results of 500 concurrent calls').toEqual(new Set(['all of ada by first, run 1']));
  expect((await nodes.runs())['mine ada'], 'loads of 500 concurrent calls').toBe(1);
}

const ASKED = 'results after an elicitation are not cached';
const LOADS = '500 concurrent misses on three nodes are one load';

promise('cached results never cross callers', {
  checks: {
    'each token gets its own results, whatever the node': expectOwnResults,
    [ASKED]: expectAnswersUncached,
    [LOADS]: expectOneLoad,
  },
  timeoutMs: isLong ? 600_000 : 180_000,
  switches: [
    {
      defence: 'owners of cached results',
      off: [{ module: 'middleware/builtin/result-cache.js', defence: 'owner-of-a-cached-result' }],
      red: /results of another token/,
    },
    {
      defence: 'a look at elicitations',
      off: [
        {
          module: 'middleware/builtin/result-cache.js',
          defence: 'results-after-an-elicitation',
          by: 'return false;',
        },
      ],
      check: ASKED,
      red: /the result after an elicitation/,
    },
    {
      defence: 'claims of loads',
      off: [
        {
          module: 'stores/redis/redis-cache-store.js',
          defence: 'one-load-of-all-nodes',
          by: "return { kind: 'claimed' };",
        },
      ],
      check: LOADS,
      red: /results of 500 concurrent calls/,
    },
  ],
});
