import { describe, expect, test } from 'vitest';
import { MemoryTaskStore } from '../../src/stores.ts';
import type { TaskRecord, TaskStore } from '../../src/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { openStores, query, sqlitePath } from './support/sqlite-file.ts';

/** The fake clock starts at this moment. */
const START = '1970-01-01T00:16:40.000Z';

function working(taskId: string, owner = 'ada'): TaskRecord {
  const times = { createdAt: START, lastUpdatedAt: START, ttlMs: null, pollIntervalMs: 1000 };
  return { taskId, owner, status: 'working', ...times };
}

function ended(taskId: string, { owner = 'ada', ttlMs = 1000, text = 'done' } = {}): TaskRecord {
  const result = { content: [{ type: 'text', text }] };
  return { ...working(taskId, owner), status: 'completed', ttlMs, result };
}

interface Limits {
  readonly maxTasks?: number;
  readonly maxBytes?: number;
}

const VERSIONS: Readonly<Record<string, (clock: FakeClock, limits: Limits) => TaskStore>> = {
  MemoryTaskStore: (clock, limits) => new MemoryTaskStore({ ...limits, clock }),
  sqliteStores: (clock, { maxTasks = 1000, maxBytes = 1_000_000 }) =>
    openStores(sqlitePath(), { clock, maxTasks, maxTaskBytes: maxBytes }).tasks,
};

describe.each(Object.keys(VERSIONS))('%s', (name) => {
  const open = (limits: Limits = {}): { store: TaskStore; clock: FakeClock } => {
    const clock = new FakeClock();
    return { store: VERSIONS[name]?.(clock, limits) as TaskStore, clock };
  };
  const statuses = async (store: TaskStore, ...ids: string[]): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const taskId of ids) found.push((await store.get(taskId))?.status);
    return found;
  };

  test('keeps the latest state of a task', async () => {
    const { store } = open();
    const asks = {
      status: 'input_required',
      statusMessage: 'half',
      inputRequests: { a: { method: 'roots/list', params: {} } },
    } as const;
    await store.put(working('a'));
    await store.put({ ...working('a'), ...asks });
    expect(await store.get('a')).toEqual({ ...working('a'), ...asks });
    await store.put(ended('a'));
    expect(await store.get('a')).toEqual(ended('a'));
    for (const taskId of ['b', '', 'constructor', '__proto__'])
      expect(await store.get(taskId)).toBeUndefined();
    await store.delete('a');
    expect(await store.get('a')).toBeUndefined();
  });

  test.each(['completed', 'failed', 'cancelled'] as const)('a task that is %s stays so', async (status) => {
    const { store } = open();
    const last = { ...ended('a'), status };
    for (const record of [
      working('a'),
      last,
      working('a'),
      { ...ended('a'), status: 'failed' as const, statusMessage: 'late' },
    ])
      await store.put(record);
    expect(await store.get('a')).toEqual(last);
  });

  test('a finished task is there until its time is up, counted from its creation', async () => {
    const { store, clock } = open();
    await store.put(working('a'));
    clock.advance(400);
    await store.put(ended('a'));
    await store.put({ ...ended('b'), ttlMs: null });
    clock.advance(599);
    expect(await statuses(store, 'a', 'b')).toEqual(['completed', 'completed']);
    clock.advance(1);
    expect(await statuses(store, 'a', 'b')).toEqual([undefined, 'completed']);
  });

  test('a running task is there, whatever its time', async () => {
    const { store, clock } = open();
    await store.put({ ...working('a'), ttlMs: 10 });
    await store.put({ ...working('b'), status: 'input_required', ttlMs: 10 });
    for (let hour = 0; hour < 3; hour += 1) clock.advance(3_600_000);
    await store.put(working('c'));
    expect(await statuses(store, 'a', 'b', 'c')).toEqual(['working', 'input_required', 'working']);
  });

  test('when it is full, the task that ended first of the owner that has most makes room', async () => {
    const { store, clock } = open({ maxTasks: 5 });
    for (const [taskId, owner] of [
      ['e1', 'eve'],
      ['a1', 'ada'],
      ['a2', 'ada'],
    ] as const) {
      await store.put(ended(taskId, { owner, ttlMs: 60_000 }));
      clock.advance(1);
    }
    for (const taskId of ['w1', 'w2', 'w3', 'w4']) await store.put(working(taskId, 'eve'));
    expect(await statuses(store, 'e1', 'a1', 'a2', 'w4')).toEqual([
      undefined,
      undefined,
      expect.toSatisfy((status) => status === undefined || status === 'completed'),
      'working',
    ]);
  });

  test('when it is full of running tasks, it rejects a new one; known ones may still change', async () => {
    const { store } = open({ maxTasks: 2 });
    await store.put(working('a'));
    await store.put(working('b'));
    await expect((async () => store.put(working('c')))()).rejects.toMatchObject({
      code: 'BUSY',
      message: 'Too many tasks are stored. Try again when one has ended.',
    });
    await store.put({ ...working('a'), statusMessage: 'half' });
    await store.put(ended('b'));
    await store.put(working('c'));
    expect(await statuses(store, 'a', 'b', 'c')).toEqual(['working', undefined, 'working']);
  });

  test('results have at most so many bytes: the task that ended first of the owner that has most is dropped', async () => {
    const { store, clock } = open({ maxBytes: 10_000 });
    const text = 'x'.repeat(3000);
    await store.put(ended('e1', { owner: 'eve', text }));
    for (const taskId of ['a1', 'a2', 'a3']) {
      await store.put(ended(taskId, { text }));
      clock.advance(1);
    }
    expect(await statuses(store, 'e1', 'a1', 'a2', 'a3')).toEqual([
      'completed',
      undefined,
      'completed',
      'completed',
    ]);
  });
});

describe('tasks in a file', () => {
  test('expired ones are removed while others are stored', async () => {
    const [clock, path] = [new FakeClock(), sqlitePath()];
    const { tasks } = openStores(path, { clock });
    for (let index = 0; index < 50; index += 1) await tasks.put(ended(`t${index}`));
    clock.advance(1000);
    await tasks.put(working('new'));
    expect(query(path, 'SELECT task_id FROM toolwright_tasks')).toEqual([{ task_id: 'new' }]);
  });

  test('a task never changes its owner', async () => {
    const { tasks } = openStores(sqlitePath(), { clock: new FakeClock() });
    await tasks.put(working('a'));
    await tasks.put(ended('a', { owner: 'eve' }));
    expect(await tasks.get('a')).toEqual(working('a'));
  });

  test('a result that is larger than all may be is kept until the next one', async () => {
    const { tasks } = openStores(sqlitePath(), { clock: new FakeClock(), maxTaskBytes: 1000 });
    await tasks.put(ended('large', { text: 'x'.repeat(2000) }));
    expect(await tasks.get('large')).toMatchObject({ status: 'completed' });
    await tasks.put(ended('small'));
    expect([await tasks.get('large'), await tasks.get('small')]).toEqual([undefined, ended('small')]);
  });

  test('another process sees them, and cannot change what has ended', async () => {
    const [clock, path] = [new FakeClock(), sqlitePath()];
    const [first, second] = [openStores(path, { clock }).tasks, openStores(path, { clock }).tasks];
    await first.put(working('a'));
    expect(await second.get('a')).toEqual(working('a'));
    await second.put({ ...ended('a'), status: 'cancelled' });
    await first.put(ended('a'));
    expect(await first.get('a')).toMatchObject({ status: 'cancelled' });
  });

  test('a running task of a process that has ended fails when its lease is over', async () => {
    const [clock, path] = [new FakeClock(), sqlitePath()];
    const { wallTime } = { wallTime: () => clock.now() };
    // Its timers never run: it was killed.
    const dead = openStores(path, {
      clock: { now: () => 0, wallTime, schedule: () => () => {} },
      taskLeaseMs: 10_000,
    });
    const { tasks } = openStores(path, { clock, taskLeaseMs: 10_000 });
    await dead.tasks.put({
      ...working('a'),
      status: 'input_required',
      inputRequests: { a: { method: 'roots/list', params: {} } },
    });
    await tasks.put(working('own'));
    clock.advance(9999);
    expect(await tasks.get('a')).toMatchObject({ status: 'input_required' });
    clock.advance(1);
    const failed = {
      ...working('a'),
      status: 'failed',
      statusMessage: 'The server ended before the task.',
      error: { code: -32603, message: 'The server ended before the task.' },
      lastUpdatedAt: '1970-01-01T00:16:50.000Z',
      ttlMs: 3_610_000,
    };
    expect(await tasks.get('a')).toEqual(failed);
    expect(await tasks.get('own')).toEqual(working('own'));
    await dead.tasks.put(ended('a'));
    expect(await tasks.get('a')).toEqual(failed);
    clock.advance(3_600_000);
    expect(await tasks.get('a')).toBeUndefined();
  });

  test('tasks of a process that has ended make room an hour after their lease, also if nobody reads them', async () => {
    const [clock, path] = [new FakeClock(), sqlitePath()];
    const limits = { taskLeaseMs: 10_000, maxTasks: 2 };
    const dead = openStores(path, {
      clock: { now: () => 0, wallTime: () => clock.now(), schedule: () => () => {} },
      ...limits,
    });
    await dead.tasks.put(working('lost'));
    const { tasks } = openStores(path, { clock, ...limits });
    await tasks.put(working('own'));
    clock.advance(3_609_999);
    await expect(async () => tasks.put(working('next'))).rejects.toThrow(
      'Too many tasks are stored. Try again when one has ended.',
    );
    clock.advance(1);
    await tasks.put(working('next'));
    expect(await tasks.get('lost')).toBeUndefined();
    // Its process has renewed the lease.
    expect(await tasks.get('own')).toEqual(working('own'));
  });

  test('the process has a timer only while it runs tasks, in the background', async () => {
    const clock = new FakeClock();
    const stores = openStores(sqlitePath(), { clock });
    await stores.tasks.put(ended('a'));
    expect(clock.pending).toBe(0);
    await stores.tasks.put(working('b'));
    await stores.tasks.put(working('c'));
    expect(clock.pending).toBe(1);
    clock.advance(1_000_000);
    expect(clock.pending).toBe(1);
    await stores.tasks.put(ended('b'));
    await stores.tasks.delete('c');
    clock.advance(1_000_000);
    expect(clock.pending).toBe(0);
    await stores.tasks.put(working('d'));
    stores.close();
    expect(clock.pending).toBe(0);
  });
});
