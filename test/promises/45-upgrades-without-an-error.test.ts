/**
 * A rolling upgrade: three nodes behind HAProxy, with one Redis, are replaced one after the other by a newer version, under load. The long form
 * also upgrades from an earlier commit of this repository, if `EARLIER_ROOT` is a built checkout of it.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { accept, TASKS } from '../protocol/support/rpc.ts';
import { DebianService, findFreePort } from '../support/debian-service.ts';
import { ROOT } from '../support/dist.ts';
import { haproxy } from '../support/haproxy.ts';
import type { HaproxyLines } from '../support/haproxy.ts';
import { RedisServer } from '../support/redis-server.ts';
import { asked } from './support/asked.ts';
import { ChildServer } from './support/child-server.ts';
import { answerTo, FLOWS, textTo } from './support/flows.ts';
import { HttpCaller } from './support/http-caller.ts';
import { until, within } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';
import type { Weakness } from './support/weaken.ts';

const NODES = 3;
const CLIENTS = 16;
/** The load before the first node is replaced, between two, and after the last one. */
const LOAD_MS = isLong ? 15_000 : 100;
/** The time in which HAProxy finds out that a node closes. */
const READY_DELAY_MS = 1000;
/** The time of a call that is still running when its node stops listening. */
const SLOW_MS = 2500;
const PATIENCE_MS = 30_000;
const ELICITATION = { capabilities: { elicitation: {} } };
const TASK = { capabilities: TASKS };
const APP = 'nodes-http.mjs';

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

/** It asks each node for its state, and moves to another node if one cannot be connected. */
const CHECKED: HaproxyLines = {
  defaults: ['option redispatch 1', 'retries 3', 'timeout check 30s'],
  backend: [
    'option httpchk',
    'http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1',
    'default-server check inter 50ms fall 1 rise 1',
  ],
};

interface Version {
  readonly number: string;
  readonly without: readonly Weakness[];
  /** The app of an earlier checkout. */
  readonly file?: string | undefined;
}

function startNode(port: number, prefix: string, { number, without, file }: Version): Promise<ChildServer> {
  const env = {
    REDIS_PORTS: String(redis.port),
    PREFIX: prefix,
    VERSION: number,
    // On a busy machine a reply may take longer than the default timeout; then a fallback would be used.
    TIMEOUT_MS: '10000',
    SLOW_MS: String(SLOW_MS),
    HTTP_OPTIONS: JSON.stringify({ port, readyDelayMs: READY_DELAY_MS }),
  };
  return ChildServer.listen(APP, { without, env, file });
}

async function runsOf(node: ChildServer): Promise<Readonly<Record<string, number>>> {
  const { runs } = await asked<{ runs: Record<string, number> }>(node, 'runs', 'runs');
  return runs;
}

/** What clients have begun before the upgrade, and continue after it. */
async function begin(client: TokenClient): Promise<() => Promise<unknown>> {
  const book = { name: 'book', arguments: {} };
  const { result } = await answerTo(client.modern('tools/call', book, ELICITATION));
  const handle = await textTo(client.call('keep', { text: 'from before' }));
  const token = /confirmation_token "(\w+)"/.exec(await textTo(client.call('wipe')))?.[1];
  const session = await client.openSession();
  const taskId = (await answerTo(client.call('job', {}, TASK))).result?.taskId;
  const cached = await textTo(client.call('wrapped'));
  const task = async (): Promise<unknown> =>
    (await answerTo(client.modern('tasks/get', { taskId }, TASK))).result?.status;
  await until(async () => (await task()) === 'completed', PATIENCE_MS, 'a task that completes');
  return async () => {
    const inputResponses = { first: accept({ name: 'window' }) };
    const params = { ...book, requestState: result?.requestState, inputResponses };
    const next = (await answerTo(client.modern('tools/call', params, ELICITATION))).result;
    return {
      state: Object.keys(next?.inputRequests ?? {}),
      handle: await textTo(client.call('kept', { handle })),
      confirmation: (await textTo(client.call('wipe', { confirmation_token: token }))).replace(/\d+/, 'n'),
      session: await textTo(
        client.inSession(session, { method: 'tools/call', params: { name: 'plain', arguments: {} } }),
      ),
      task: await task(),
      isStillCached: (await textTo(client.call('wrapped'))) === cached,
    };
  };
}

const CONTINUED = {
  state: ['second'],
  handle: 'from before',
  confirmation: 'wiped n',
  session: 'plain',
  task: 'completed',
  isStillCached: true,
};

async function upgrade(without: readonly Weakness[], file?: string): Promise<void> {
  const prefix = randomUUID();
  const ports = await Promise.all(Array.from({ length: NODES }, findFreePort));
  const old: Version = { number: '1', without, file };
  const newer: Version = { number: '2', without };
  const nodes = await Promise.all(ports.map((port) => startNode(port, prefix, old)));
  const balancer = await DebianService.start(haproxy(ports, CHECKED));
  const http = new HttpCaller(balancer.port);
  const client = (user: string): TokenClient => new TokenClient(http, user);
  const goOn = await begin(client('early'));
  const failed: string[] = [];
  const lists = new Set<boolean>();
  const loading = { isOver: false };
  let done = 0;
  const load = async (worker: number): Promise<void> => {
    const kinds = Object.entries(FLOWS);
    for (let round = worker; !loading.isOver; round += 1) {
      const [kind, [flow, expected]] = kinds[round % kinds.length] as (typeof kinds)[number];
      const user = `user-${worker}-${round}`;
      const requests = { user, next: () => client(user) };
      const outcome = await flow(requests).catch(String);
      if (JSON.stringify(outcome) !== JSON.stringify(expected))
        failed.push(`${kind}: ${JSON.stringify(outcome)}`);
      const { result } = await answerTo(client(user).modern('tools/list')).catch(() => ({
        result: undefined,
      }));
      lists.add(result?.tools?.some(({ name }) => name === 'newer') === true);
      done += 1;
    }
  };
  const working = Promise.all(Array.from({ length: CLIENTS }, (_, worker) => load(worker)));
  const expectNoFailure = (): void =>
    expect(failed.slice(0, 10), `flows that failed, of ${done}`).toEqual([]);
  try {
    await until(() => done >= CLIENTS, PATIENCE_MS, 'flows before the upgrade');
    await sleep(LOAD_MS);
    expectNoFailure();
    for (const [index, node] of nodes.entries()) {
      await replace(node, () => startNode(ports[index] ?? 0, prefix, newer));
      const before = done;
      await until(() => done >= before + CLIENTS, PATIENCE_MS, 'flows with a new node');
      await sleep(LOAD_MS);
    }
  } finally {
    loading.isOver = true;
    await working;
  }
  expectNoFailure();
  expect(lists, 'nodes of both versions that clients have reached').toEqual(new Set([false, true]));
  expect(await goOn(), 'what was begun at the old nodes').toEqual(CONTINUED);
  http.close();
}

let replaced = 0;

/** Ends a node while it runs a call, and starts another one. */
async function replace(node: ChildServer, start: () => Promise<ChildServer>): Promise<void> {
  replaced += 1;
  const user = `slow-${replaced}`;
  const http = new HttpCaller(node.port);
  const slow = textTo(new TokenClient(http, user).call('mine')).catch(String);
  await until(async () => (await runsOf(node))[`mine ${user}`] === 1, PATIENCE_MS, 'a call that runs');
  node.process.kill('SIGTERM');
  expect(await slow, 'a call that runs while its node closes').toBe(`all of ${user} by first, run 1`);
  http.close();
  const { code } = await within(node.ended, PATIENCE_MS, 'the end of an old node');
  expect(code, 'the exit code of an old node').toBe(0);
  await start();
}

/** The app of an earlier checkout, whose own package it imports. */
function earlierApp(root: string): string {
  const folder = join(root, 'test/promises/apps');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `upgraded-${APP}`);
  copyFileSync(join(ROOT, 'test/promises/apps', APP), file);
  return file;
}

const { EARLIER_ROOT } = process.env;

promise('upgrades without an error', {
  checks: {
    'three nodes are replaced one after the other under load': (without) => upgrade(without),
    ...(EARLIER_ROOT === undefined
      ? {}
      : { 'from an earlier commit': () => upgrade([], earlierApp(EARLIER_ROOT)) }),
  },
  timeoutMs: isLong ? 300_000 : 120_000,
  switches: [
    {
      defence: 'a drain of running requests',
      off: [{ module: 'transport/http/serve-http.js', defence: 'requests-that-are-finished' }],
      red: /a call that runs while its node closes/,
    },
    {
      defence: 'secrets that both versions use',
      off: [{ module: 'stores/sealing/key-ring.js', defence: 'keys-that-open', by: 'return [];' }],
      red: /flows that failed/,
    },
  ],
});
