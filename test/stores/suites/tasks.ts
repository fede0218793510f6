import { expect, test } from 'vitest';
import type { TaskRecord, TaskStatus, TaskStore } from '../../../src/stores.ts';

/** A version of the store for one test, and the passing of time for it. */
export interface TaskVersion {
  readonly store: TaskStore;
  /** The store of another node; the same store if there is only one. */
  readonly other: TaskStore;
  /** The present time, in ISO 8601. */
  readonly now: () => string;
  /** Lets at least this time pass. */
  readonly pass: (ms: number) => Promise<void> | void;
}

const ENDED: readonly TaskStatus[] = ['completed', 'failed', 'cancelled'];

/** The tests that every task store passes. */
export function taskSuite(open: () => TaskVersion | Promise<TaskVersion>): void {
  test('the latest state of a task is there, also on another node', async () => {
    const { store, other, now } = await open();
    const task = working('a', now());
    await store.put(task);
    const asked = {
      ...task,
      status: 'input_required' as const,
      inputRequests: { q: { method: 'elicitation/create' as const, params: { message: 'Sure?' } } },
    };
    await other.put(asked);
    expect(await store.get('a')).toEqual(asked);
    const done = { ...ended('a', now()), result: { content: [{ type: 'text', text: '\u0000\u{1F600}' }] } };
    await store.put(done);
    expect(await other.get('a')).toEqual(done);
  });

  test('other tasks do not exist, not even under names that every object has', async () => {
    const { store, now } = await open();
    await store.put(working('a', now()));
    for (const taskId of ['b', '', 'constructor', '__proto__', '*', '{a}'])
      expect(await store.get(taskId)).toBeUndefined();
  });

  test.each(ENDED)('a task that is %s never changes, whichever node writes', async (status) => {
    const { store, other, now } = await open();
    const final = { ...ended('a', now()), status };
    expect([await store.put(working('a', now())), await store.put(final)]).toEqual([true, true]);
    const late = [
      working('a', now()),
      ...ENDED.map((each) => ({ ...final, status: each, statusMessage: 'late' })),
    ];
    const stored = [other, store].flatMap((node) => late.map(async (record) => node.put(record)));
    expect(new Set(await Promise.all(stored))).toEqual(new Set([false]));
    expect(await store.get('a')).toEqual(final);
  });

  test('of concurrent ends, one stays', async () => {
    const { store, other, now } = await open();
    const at = now();
    await store.put(working('a', at));
    const stored = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        (index % 2 === 0 ? store : other).put({ ...ended('a', at), statusMessage: `end ${index}` }),
      ),
    );
    const first = await store.get('a');
    expect(stored.filter((each) => each === true)).toHaveLength(1);
    expect(first?.statusMessage).toBe(`end ${stored.indexOf(true)}`);
    await other.put({ ...ended('a', at), statusMessage: 'late' });
    expect(await store.get('a')).toEqual(first);
  });

  test('a task never changes its owner', async () => {
    const { store, other, now } = await open();
    const task = working('a', now());
    await store.put(task);
    expect(await other.put({ ...task, owner: 'mallory' })).toBe(false);
    expect(await other.put({ ...ended('a', now()), owner: 'mallory' })).toBe(false);
    expect(await store.get('a')).toEqual(task);
  });

  test('a task that goes on never goes back to an earlier leg, but can end from it', async () => {
    const { store, other, now } = await open();
    const first = { ...working('a', now()), leg: 1 };
    const second = { ...first, leg: 2, statusMessage: 'second' };
    await store.put(first);
    expect(await other.put(second)).toBe(true);
    expect(await store.put({ ...first, statusMessage: 'late' })).toBe(false);
    expect(await other.put({ ...working('a', now()), statusMessage: 'without a leg' })).toBe(false);
    expect(await store.get('a')).toEqual(second);
    await store.put({ ...second, statusMessage: 'again' });
    expect((await other.get('a'))?.statusMessage).toBe('again');
    const end = ended('a', now());
    await store.put(end);
    expect(await other.get('a')).toEqual(end);
  });

  test('a task that has ended is there until its time is over, counted from its creation', async () => {
    const { store, now, pass } = await open();
    const [early, late] = [working('early', now()), working('late', now())];
    await store.put(early);
    await store.put(late);
    await pass(50);
    await store.put({ ...ended('early', early.createdAt), ttlMs: 100 });
    await store.put({ ...ended('late', late.createdAt), ttlMs: 60_000 });
    expect((await store.get('late'))?.status).toBe('completed');
    await pass(50);
    expect([await store.get('early'), (await store.get('late'))?.status]).toEqual([undefined, 'completed']);
  });

  test('a task that has not ended is there, whatever its lifetime', async () => {
    const { store, now, pass } = await open();
    await store.put({ ...working('a', now()), ttlMs: 10 });
    await pass(20);
    expect((await store.get('a'))?.status).toBe('working');
  });

  test('a deleted task is gone', async () => {
    const { store, other, now } = await open();
    await store.put(working('a', now()));
    await store.put(ended('b', now()));
    for (const taskId of ['a', 'b', 'never there']) await other.delete(taskId);
    expect([await store.get('a'), await store.get('b')]).toEqual([undefined, undefined]);
  });
}

function working(taskId: string, createdAt: string): TaskRecord {
  return {
    taskId,
    owner: 'ada',
    status: 'working',
    createdAt,
    lastUpdatedAt: createdAt,
    ttlMs: null,
    pollIntervalMs: 1000,
  };
}

function ended(taskId: string, createdAt: string): TaskRecord {
  return { ...working(taskId, createdAt), status: 'completed', ttlMs: 60_000, result: { content: [] } };
}
