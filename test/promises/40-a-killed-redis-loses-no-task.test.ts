/**
 * Redis is killed (SIGKILL) and restarted while clients start tasks and handlers run. Redis writes every command to its file before it
 * replies (`appendfsync always`).
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { RedisServer } from '../support/redis-server.ts';
import { Chance } from './support/chance.ts';
import { until } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { forEachOf, TaskCrowd } from './support/task-crowd.ts';
import type { Weakness } from './support/weaken.ts';

const NODES = isLong ? 3 : 2;
const TASKS = isLong ? 300 : 40;

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start({ isDurable: true });
});
afterAll(() => redis.stop());

async function check(without: readonly Weakness[]): Promise<void> {
  const crowd = await TaskCrowd.start(redis, { nodes: NODES, leaseMs: 30_000, without });
  const chance = new Chance();
  await forEachOf(TASKS / 2, 8, (at) => crowd.begin(at, 200 + chance.below(800)));
  expect([crowd.accepted.length, crowd.rejected], 'tasks before').toEqual([TASKS / 2, []]);
  await redis.kill();
  // Handlers end meanwhile.
  await forEachOf(6, 6, (at) => crowd.begin(1000 + at, 10));
  expect(crowd.rejected, 'responses without Redis').toEqual([503, 503, 503, 503, 503, 503]);
  await crowd.untilIdle();
  await redis.restart();
  for (let node = 0; node < NODES; node += 1) {
    const before = crowd.accepted.length;
    await until(
      async () => {
        await crowd.begin(NODES * (1000 + crowd.rejected.length) + node, 10);
        return crowd.accepted.length > before;
      },
      60_000,
      'a task that a node accepts again',
    );
  }
  await forEachOf(TASKS / 2, 8, (at) => crowd.begin(TASKS + at, 10 + chance.below(100)));
  await crowd.expectEnds({ losesWorkers: false });
  expect(crowd.accepted, 'accepted tasks').toHaveLength(TASKS + NODES);
}

promise('a killed Redis loses no task', {
  checks: { 'accepted tasks end once, and none is accepted without Redis': check },
  timeoutMs: isLong ? 600_000 : 180_000,
  switches: [
    {
      defence: 'the end of a task that is stored again and again',
      off: [{ module: 'tasks/task-legs.js', defence: 'end-until-stored', by: 'return arguments[0]();' }],
      red: /the end of once-/,
    },
  ],
});
