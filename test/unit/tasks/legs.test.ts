import { expect, test } from 'vitest';
import { CallRefusedError } from '../../../src/index.ts';
import { MemoryTaskStore } from '../../../src/stores.ts';
import type { TaskStore } from '../../../src/stores.ts';
import type { TaskLease, TaskQueue, TaskWorkerOptions } from '../../../src/tasks.ts';
import type { LegEnd } from '../../../src/tasks/task-legs.ts';
import { newRecord } from '../../../src/tasks/task-record.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createBench, taskOf, text, turn } from './bench.ts';

const unused = (): never => {
  throw new Error('not expected');
};

const LEASE: TaskLease = { signal: new AbortController().signal, lostWorkers: 0, begin: async () => {} };

/** A queue that gives a job to the worker of the test when it likes. */
function createQueue(): { readonly queue: TaskQueue; readonly run: () => TaskWorkerOptions['run'] } {
  let run: TaskWorkerOptions['run'] = unused;
  const queue: TaskQueue = {
    hasRoom: unused,
    add: unused,
    has: unused,
    promote: unused,
    remove: async () => {},
    post: unused,
    findPosted: async () => [],
    forget: async () => {},
    claim: unused,
    findClaimed: unused,
    release: async () => {},
    work: (_server, options) => {
      ({ run } = options);
      return { ready: Promise.resolve(), close: async () => {}, kill: () => {} };
    },
  };
  return { queue, run: () => run };
}

test('a task that a store rejects synchronously does not exist, whatever else fails', async () => {
  const full = new Error('full');
  const store: TaskStore = {
    put: () => {
      throw full;
    },
    get: () => undefined,
    delete: () => {
      throw new Error('away');
    },
  };
  const released: string[] = [];
  const { queue } = createQueue();
  const hasRoom = async (): Promise<boolean> => {
    throw new Error('no room');
  };
  const release: TaskQueue['release'] = async (owner, [taskId]) => void released.push(`${owner} ${taskId}`);
  const queued = {
    queue: { ...queue, hasRoom, claim: async () => true, release },
    server: 'films',
    seal: async () => '',
  };
  const { runner } = createBench({ store, queued });
  await expect(runner.start(taskOf(unused))).rejects.toThrow(/^(?:full|no room)$/);
  expect(released).toEqual(['ada t1']);
});

test('a task is cancelled even if its queue fails synchronously', async () => {
  const clock = new FakeClock();
  const store = new MemoryTaskStore({ clock });
  const { queue } = createQueue();
  const failing = { ...queue, remove: unused, forget: unused, release: unused };
  const { runner } = createBench({
    store,
    clock,
    queued: { queue: failing, server: 'films', seal: async () => '' },
  });
  store.put({ ...newRecord('t', { owner: 'ada', pollIntervalMs: 50 }, clock.now()), leg: 1, work: 'sealed' });
  expect(await runner.cancel('t', 'ada')).toBe(true);
  expect(store.get('t')?.status).toBe('cancelled');
});

test('a leg whose record is not stored yet is run later, and a leg of the past never', async () => {
  const clock = new FakeClock();
  const store = new MemoryTaskStore({ clock });
  const { queue, run } = createQueue();
  const legs: number[] = [];
  createBench({ store, clock }).runner.work(
    { queue, server: 'films', seal: async () => '' },
    {
      concurrency: 1,
      runLeg: async ({ record: { leg = 0 } }) => {
        legs.push(leg);
        return text('done');
      },
    },
  );
  const begun = newRecord('t', { owner: 'ada', pollIntervalMs: 50 }, clock.now());
  store.put({ ...begun, leg: 2, work: 'sealed' });
  await expect(run()({ taskId: 't', leg: 3 }, LEASE)).rejects.toThrow(
    'The leg of the task is not stored yet.',
  );
  await run()({ taskId: 't', leg: 1 }, LEASE);
  expect(legs).toEqual([]);
  store.put({ ...begun, leg: 3, work: 'sealed' });
  await run()({ taskId: 't', leg: 3 }, LEASE);
  expect([legs, store.get('t')?.status]).toEqual([[3], 'completed']);
});

test('a worker finds a cancellation whose event was lost, within 5 s', async () => {
  const clock = new FakeClock();
  const store = new MemoryTaskStore({ clock });
  const { queue, run } = createQueue();
  const queued = { queue, server: 'films', seal: async () => '' };
  // No event reaches the worker: the runners have no bus.
  const worker = createBench({ store, clock }).runner;
  const node = createBench({ store, clock, queued }).runner;
  const begun = newRecord('t', { owner: 'ada', pollIntervalMs: 50 }, clock.now());
  store.put({ ...begun, leg: 1, work: 'sealed' });
  let signal: AbortSignal | undefined;
  worker.work(queued, {
    concurrency: 1,
    runLeg: async (leg) => {
      ({ signal } = leg);
      await new Promise((resolve) => leg.signal.addEventListener('abort', resolve));
      return text('too late');
    },
  });
  const ended = run()({ taskId: 't', leg: 1 }, LEASE);
  await turn();
  expect(await node.cancel('t', 'ada')).toBe(true);
  clock.advance(4999);
  await turn();
  expect(signal?.aborted).toBe(false);
  clock.advance(1);
  await ended;
  expect(signal?.reason).toMatchObject({ name: 'AbortError', message: 'The task was cancelled.' });
  expect(store.get('t')?.status).toBe('cancelled');
  expect(clock.pending).toBe(0);
});

test('a leg whose task was cancelled is aborted at its next progress, which is not announced', async () => {
  const clock = new FakeClock();
  const store = new MemoryTaskStore({ clock });
  const { queue, run } = createQueue();
  const queued = { queue, server: 'films', seal: async () => '' };
  const { runner } = createBench({ store, clock });
  const changes: string[] = [];
  runner.onChange(({ status, statusMessage }) => changes.push(`${status} ${statusMessage ?? ''}`));
  const begun = newRecord('t', { owner: 'ada', pollIntervalMs: 50 }, clock.now());
  store.put({ ...begun, leg: 1, work: 'sealed' });
  const reasons: unknown[] = [];
  runner.work(queued, {
    concurrency: 1,
    runLeg: async ({ signal, onProgress }) => {
      onProgress({ progress: 1, message: 'first' });
      await turn();
      store.put({ ...begun, status: 'cancelled' });
      onProgress({ progress: 2, message: 'second' });
      await turn();
      reasons.push(signal.reason);
      return text('too late');
    },
  });
  await run()({ taskId: 't', leg: 1 }, LEASE);
  expect(reasons).toMatchObject([{ name: 'AbortError', message: 'The task was cancelled.' }]);
  expect([changes, store.get('t')?.status]).toEqual([['working first'], 'cancelled']);
});

test('nothing is kept of a task that is cancelled, before, between or while its legs run', async () => {
  const clock = new FakeClock();
  const store = new MemoryTaskStore({ clock });
  const { queue, run } = createQueue();
  const done: string[] = [];
  const noted: TaskQueue = {
    ...queue,
    add: async (_server, { taskId, leg }) => void done.push(`add ${taskId}-${leg}`),
    remove: async (server, { taskId, leg }) => void done.push(`remove ${server} ${taskId}-${leg}`),
    forget: async (taskId) => void done.push(`forget ${taskId}`),
    release: async (owner, [taskId]) => void done.push(`release ${owner} ${taskId}`),
  };
  const queued = { queue: noted, server: 'films', seal: async () => '' };
  const { runner } = createBench({ store, clock, queued });
  const begun = newRecord('t', { owner: 'ada', pollIntervalMs: 50 }, clock.now());
  store.put({ ...begun, status: 'input_required', leg: 2, work: 'sealed' });
  expect(await runner.cancel('t', 'ada')).toBe(true);
  await turn();
  expect(done.splice(0)).toEqual(['remove films t-2', 'forget t', 'release ada t']);
  // A leg asks after its task was cancelled.
  store.put({ ...begun, taskId: 'u', leg: 1, work: 'sealed' });
  runner.work(queued, {
    concurrency: 1,
    runLeg: async () => {
      store.put({ ...begun, taskId: 'u', status: 'cancelled' });
      return { kind: 'asked', inputRequests: {}, work: 'sealed', waitMs: 1000 };
    },
  });
  await run()({ taskId: 'u', leg: 1 }, LEASE);
  expect(done.splice(0)).toEqual(['add u-2', 'remove films u-2', 'forget u']);
  // The worker was frozen, and another one went on: its job and the responses stay.
  store.put({ ...begun, taskId: 'v', leg: 1, work: 'sealed' });
  runner.work(queued, {
    concurrency: 1,
    runLeg: async () => {
      store.put({ ...begun, taskId: 'v', leg: 3, work: 'sealed' });
      return { kind: 'asked', inputRequests: {}, work: 'sealed', waitMs: 1000 };
    },
  });
  await run()({ taskId: 'v', leg: 1 }, LEASE);
  expect(done).toEqual(['add v-2']);
});

test('a leg whose end the store never accepts fails its task, and the worker goes on', async () => {
  const clock = new FakeClock();
  const inner = new MemoryTaskStore({ clock });
  const tooLarge = new CallRefusedError('RESULT_TOO_LARGE', 'The task is too large to be stored.');
  const store: TaskStore = {
    put: (record) => {
      if (record.status === 'completed' || record.status === 'input_required') throw tooLarge;
      inner.put(record);
    },
    get: (taskId) => inner.get(taskId),
    delete: (taskId) => inner.delete(taskId),
  };
  const { queue, run } = createQueue();
  const released: string[] = [];
  const release: TaskQueue['release'] = async (owner, [taskId]) => void released.push(`${owner} ${taskId}`);
  const queued = {
    queue: { ...queue, add: async () => {}, release },
    server: 'films',
    seal: async () => '',
  };
  const ends: LegEnd[] = [text('long'), { kind: 'asked', inputRequests: {}, work: 'long', waitMs: 1000 }];
  const { runner, entries } = createBench({ store, clock });
  runner.work(queued, { concurrency: 1, runLeg: async () => ends.shift() ?? unused() });
  for (const taskId of ['result', 'question']) {
    const begun = newRecord(taskId, { owner: 'ada', pollIntervalMs: 50 }, clock.now());
    inner.put({ ...begun, leg: 1, work: 'sealed' });
    await run()({ taskId, leg: 1 }, LEASE);
    expect(inner.get(taskId)).toMatchObject({
      status: 'failed',
      ttlMs: 3_600_000,
      error: {
        code: -32603,
        message: 'The task is too large to be stored.',
        data: { code: 'RESULT_TOO_LARGE' },
      },
    });
  }
  expect(released).toEqual(['ada result', 'ada question']);
  expect(entries.map(({ message }) => message)).toEqual([
    'a task could not be stored',
    'a task could not be stored',
  ]);
  expect(clock.pending).toBe(0);
});
