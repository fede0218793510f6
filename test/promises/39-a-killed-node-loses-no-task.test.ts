/**
 * Nodes are killed (SIGKILL) while clients start tasks, follow them, and have sessions and running calls. All state is in Redis; the nodes
 * also run the tasks.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { textOf } from '../protocol/support/rpc.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Chance } from './support/chance.ts';
import { answerIn } from './support/http-caller.ts';
import { isLong, promise } from './support/promise.ts';
import { forEachOf, TaskCrowd } from './support/task-crowd.ts';
import type { Weakness } from './support/weaken.ts';

const NODES = 3;
const TASKS = isLong ? 300 : 60;
const SESSIONS = isLong ? 50 : 6;
const WATCHED = isLong ? 50 : 10;
const KILLS = isLong ? 5 : 2;
/** A task without retries that runs for this time is killed with its node. */
const LONG_MS = 10_000;

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());

async function check(without: readonly Weakness[]): Promise<void> {
  const crowd = await TaskCrowd.start(redis, { nodes: NODES, leaseMs: 1500, without });
  const chance = new Chance();
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, (_, at) => crowd.client(at).openSession()),
  );
  let watched = 0;
  let kills = 0;
  const kill = async (number: number): Promise<void> => {
    const lost = await crowd.begin(TASKS + 2 * number + 1, LONG_MS);
    if (lost === undefined) throw new Error('no task without retries was accepted');
    const at = await crowd.nodeOf(lost);
    const running = crowd.client(at).call('endless');
    // The node has read the call.
    await crowd.client(at).call('plain');
    await crowd.replace(at);
    expect((await running).loss, 'the call that the killed node ran').toBeDefined();
  };
  let killing = Promise.resolve();
  await forEachOf(TASKS, isLong ? 12 : 20, async (at) => {
    const begun = await crowd.begin(at, 100 + chance.below(900));
    if (begun === undefined) return;
    if (watched < WATCHED) {
      watched += 1;
      crowd.watch(begun, at);
    }
    if (kills < KILLS && at >= ((kills + 1) * TASKS) / (KILLS + 1)) {
      kills += 1;
      const number = kills;
      killing = killing.then(() => kill(number));
    }
    await crowd.untilEnded(begun, at);
  });
  await killing;
  expect([kills, watched], 'killed nodes, and watched tasks').toEqual([KILLS, WATCHED]);
  expect(crowd.accepted, 'accepted tasks').toHaveLength(TASKS + KILLS);
  await crowd.expectEnds({ losesWorkers: true });
  const call = { method: 'tools/call', params: { name: 'plain', arguments: {} } };
  const texts = await Promise.all(
    sessions.map(async (session, at) =>
      textOf(answerIn(await crowd.client(at + 1).inSession(session, call)) ?? {}),
    ),
  );
  expect(texts, 'calls in the sessions').toEqual(sessions.map(() => 'plain'));
}

promise('a killed node loses no task', {
  checks: { 'tasks end once, and sessions go on at other nodes': check },
  timeoutMs: isLong ? 600_000 : 180_000,
  switches: [
    {
      defence: 'the record that is stored before its id is sent',
      off: [{ module: 'tasks/queued-tasks.js', defence: 'record-before-its-id' }],
      red: /a task whose id a client has got/,
    },
    {
      defence: 'the retries that a tool declares',
      off: [{ module: 'wire/legs/run-leg.js', defence: 'retries-of-a-task' }],
      red: /tasks without retries that ran again/,
    },
  ],
});
