/**
 * While Redis is gone, frozen or slow, each feature has the fallback of `docs/scaling.md`: none is without a limit, runs something twice or
 * accepts what it cannot keep. One node reaches Redis through a proxy with faults; the other one reaches it directly.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { accept, TASKS, textOf } from '../protocol/support/rpc.ts';
import type { ModernOptions, RpcMessage } from '../protocol/support/rpc.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { RedisServer } from '../support/redis-server.ts';
import { answerIn } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { Listener } from './support/listener.ts';
import { Nodes } from './support/nodes.ts';
import { patienceFor, until } from './support/patience.ts';
import { promise } from './support/promise.ts';
import type { TokenClient } from './support/token-client.ts';
import type { Weakness } from './support/weaken.ts';

const PATIENCE_MS = 30_000;
/** On a busy machine a reply may take longer than the default timeout; then a fallback would be used too early. */
const TIMEOUT_MS = '1000';
const ELICITATION: ModernOptions = { capabilities: { elicitation: {} } };
const TASK: ModernOptions = { capabilities: TASKS };
const SINGLE_USE = '{"requestStateSingleUse":true}';
const LISTS = { toolsListChanged: true };

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

/** A response without its request: the status and the text of the result, or the message of the error. */
async function outcomeOf(sent: Promise<Ended>): Promise<string> {
  const ended = await sent;
  if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
  const answer: RpcMessage = answerIn(ended) ?? {};
  return `${ended.status} ${answer.error?.message ?? textOf(answer)}`;
}

const FAULTS: readonly Fault[] = [{ kind: 'reset' }, { kind: 'half-open' }, { kind: 'latency', ms: 3000 }];

/** Redis is gone, frozen and slow, each for nodes of its own; without a defence, it is gone. */
async function check(without: readonly Weakness[]): Promise<void> {
  const faults = without.length > 0 ? FAULTS.slice(0, 1) : FAULTS;
  await Promise.all(
    faults.map(async (fault) => {
      const proxy = await FaultProxy.start(redis.port);
      try {
        await expectFallbacks(without, proxy, fault);
      } finally {
        await proxy.stop();
      }
    }),
  );
}

async function expectFallbacks(without: readonly Weakness[], proxy: FaultProxy, fault: Fault): Promise<void> {
  const nodes = await Nodes.start([proxy, redis], {
    without,
    isApart: false,
    env: { SERVER_OPTIONS: SINGLE_USE, PREFIX: randomUUID(), TIMEOUT_MS },
  });
  const [ada, elsewhere] = [nodes.client(0), nodes.client(1)];
  const [own, others] = await Promise.all([Listener.open(ada, LISTS), Listener.open(elsewhere, LISTS)]);
  // Both nodes read the events of the other.
  await until(
    async () => {
      await nodes.announce(0);
      return others.count('tools') > 0;
    },
    PATIENCE_MS,
    'changes that are announced before',
  );

  expect(await outcomeOf(ada.call('wrapped')), 'a cached value').toBe('200 load 1');
  expect(await outcomeOf(ada.call('wrapped')), 'a cached value').toBe('200 load 1');
  expect(await outcomeOf(ada.call('wrapped', { key: 'b' })), 'a cached value').toBe('200 load 2');
  for (const call of ['first', 'second'])
    expect(await outcomeOf(ada.call('mine')), `the ${call} result`).toBe('200 all of ada by first, run 1');
  const state = answerIn(await ada.call('book', {}, ELICITATION))?.result?.requestState;
  expect(state, 'a request state').toEqual(expect.any(String));
  const token = /confirmation_token "(\w+)"/.exec(await outcomeOf(ada.call('wipe')))?.[1];
  expect(token, 'a confirmation').toEqual(expect.any(String));
  const handle = (await outcomeOf(ada.call('keep', { text: 'kept' }))).slice(4);
  const taskId = answerIn(await ada.call('job', {}, TASK))?.result?.taskId;
  expect(taskId, 'a task').toEqual(expect.any(String));
  const taskOf = (): Promise<Ended> => ada.modern('tasks/get', { taskId }, TASK);
  await until(
    async () => answerIn(await taskOf())?.result?.status === 'completed',
    PATIENCE_MS,
    'a task that completes',
  );
  const session = await ada.openSession();
  const inSession = (): Promise<string> =>
    outcomeOf(ada.inSession(session, { method: 'tools/call', params: { name: 'plain', arguments: {} } }));
  expect(await inSession(), 'a call in a session').toBe('200 plain');
  const before = await nodes.runs();

  proxy.set(fault);
  const ownBefore = own.count('tools');
  const othersBefore = others.count('tools');
  const statuses: string[] = [];
  for (let call = 0; call < 40; call += 1) statuses.push(await outcomeOf(ada.call('limited')));
  expect(statuses.filter((each) => each === '200 allowed').length, 'calls that were allowed').toBe(10);
  expect(await outcomeOf(ada.call('plain')), 'a call without a store').toBe('200 plain');
  expect(await outcomeOf(ada.call('wrapped')), 'a value without the cache').toBe('200 load 3');
  expect(await outcomeOf(ada.call('forget', { key: 'b' })), 'a deletion').toBe('200 forgotten');
  for (const run of [2, 3])
    expect(await outcomeOf(ada.call('mine')), 'a result without the cache').toBe(
      `200 all of ada by first, run ${run}`,
    );
  expect(await outcomeOf(ada.call('job', {}, TASK)), 'a new task').toBe(
    '503 The store of tasks is not available. Try again later.',
  );
  expect(await outcomeOf(taskOf()), 'a lookup of a task').toBe(
    '503 The store of tasks is not available. Try again later.',
  );
  const NO_CONFIRMATIONS = '200 The store of confirmations is not available. Try again later.';
  expect(await outcomeOf(ada.call('wipe')), 'a new confirmation').toBe(NO_CONFIRMATIONS);
  expect(await outcomeOf(ada.call('wipe', { confirmation_token: token })), 'a confirmation').toBe(
    NO_CONFIRMATIONS,
  );
  const NO_STATE = 'The store of state is not available. Try again later.';
  const inputResponses = { first: accept({ name: 'window' }) };
  const goOn = (client: TokenClient): Promise<string> =>
    outcomeOf(
      client.modern(
        'tools/call',
        { name: 'book', arguments: {}, requestState: state, inputResponses },
        ELICITATION,
      ),
    );
  expect(await goOn(ada), 'a state that is valid once').toBe(`503 ${NO_STATE}`);
  expect(await outcomeOf(ada.call('keep', { text: 'x' })), 'a new handle').toBe(`200 ${NO_STATE}`);
  expect(await outcomeOf(ada.call('kept', { handle })), 'a handle').toBe(`200 ${NO_STATE}`);
  expect(await inSession(), 'a call in a session without Redis').toMatch(/^503 /);
  for (let change = 0; change < 3; change += 1) await nodes.announce(0);
  await until(() => own.count('tools') >= ownBefore + 1, PATIENCE_MS, 'changes at the own node');
  expect(others.count('tools'), 'changes at the other node').toBe(othersBefore);
  const ran = await nodes.runs();
  expect([ran['job'], ran['wipe'], ran['book'], ran['pay']], 'runs of what Redis must keep').toEqual([
    before['job'],
    before['wipe'],
    before['book'],
    before['pay'],
  ]);

  proxy.set({ kind: 'none' });
  await until(
    async () => (await outcomeOf(ada.call('kept', { handle }))) === '200 kept',
    PATIENCE_MS,
    'a handle after it',
  );
  // Lost for ever without its defence.
  const repairedBy = (defence: string): number =>
    patienceFor(without, [defence], { ms: PATIENCE_MS, weakMs: 1000 });
  await until(
    () => others.count('tools') > othersBefore,
    repairedBy('events-that-are-published-later'),
    'changes that are announced after',
  );
  await until(
    async () => (await outcomeOf(elsewhere.call('wrapped', { key: 'b' }))) !== '200 load 2',
    repairedBy('deletions-that-are-repeated'),
    'a deleted value',
  );
  expect(await inSession(), 'a call in the session after it').toBe('200 plain');
  // A command to a slow Redis may have been executed: then the confirmation is used up.
  for (let use = 0; use < 2; use += 1) await outcomeOf(ada.call('wipe', { confirmation_token: token }));
  expect((await nodes.runs())['wipe'] ?? 0, 'runs of a confirmed call').toBeLessThanOrEqual(1);
  const allowed: string[] = [];
  for (let call = 0; call < 40; call += 1) allowed.push(await outcomeOf(elsewhere.call('limited')));
  expect(
    allowed.filter((each) => each === '200 allowed').length,
    'calls that were allowed with Redis',
  ).toBeLessThanOrEqual(20);
}

promise('fallbacks without Redis are the stated ones', {
  checks: {
    'while Redis is gone, frozen or slow': check,
  },
  timeoutMs: 120_000,
  switches: [
    {
      defence: 'a local share of limits',
      off: [
        {
          module: 'stores/redis/redis-rate-limit-store.js',
          defence: 'share-of-a-limit',
          by: 'return { allowed: true };',
        },
      ],
      red: /calls that were allowed/,
    },
    {
      defence: 'rejected tasks',
      off: [{ module: 'stores/redis/redis-task-store.js', defence: 'no-task-without-redis' }],
      red: /a new task/,
    },
    {
      defence: 'rejected confirmations',
      off: [{ module: 'stores/redis/redis-confirmation-store.js', defence: 'no-confirmation-without-redis' }],
      red: /a new confirmation/,
    },
    {
      defence: 'rejected state',
      off: [{ module: 'stores/redis/redis-state-store.js', defence: 'no-state-without-redis' }],
      red: /a state that is valid once/,
    },
    {
      defence: 'deletions that are repeated',
      off: [{ module: 'stores/redis/redis-cache-store.js', defence: 'deletions-that-are-repeated' }],
      red: /a deleted value/,
    },
    {
      defence: 'events that are published later',
      off: [{ module: 'stores/redis/redis-event-bus.js', defence: 'events-that-are-published-later' }],
      red: /changes that are announced after/,
    },
  ],
});
