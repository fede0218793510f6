import { describe, expect, test } from 'vitest';
import { ToolwrightError } from '../../../src/errors/errors.ts';
import { MemoryTaskStore } from '../../../src/stores/task-store.ts';
import type { TaskRecord } from '../../../src/stores/task-store.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** The fake clock starts at this moment. */
const START = '1970-01-01T00:16:40.000Z';

function working(taskId: string): TaskRecord {
  const times = { createdAt: START, lastUpdatedAt: START, ttlMs: null, pollIntervalMs: 1000 };
  return { taskId, owner: 'ada', status: 'working', ...times };
}

function ended(taskId: string, ttlMs: number | null = 1000): TaskRecord {
  return { ...working(taskId), status: 'completed', ttlMs, result: { content: [] } };
}

describe('MemoryTaskStore', () => {
  test('keeps the latest of a task', () => {
    const store = new MemoryTaskStore({ clock: new FakeClock() });
    store.put(working('a'));
    store.put({ ...working('a'), statusMessage: 'half' });
    expect(store.get('a')).toEqual({ ...working('a'), statusMessage: 'half' });
    expect(store.size).toBe(1);
  });

  test('knows nothing of other tasks, not even those that every object has', () => {
    const store = new MemoryTaskStore({ clock: new FakeClock() });
    store.put(working('a'));
    for (const taskId of ['b', '', 'constructor', '__proto__', 'toString'])
      expect(store.get(taskId)).toBeUndefined();
  });

  test('forgets a task that is deleted, whether it has ended or not', () => {
    const store = new MemoryTaskStore({ clock: new FakeClock() });
    store.put(working('a'));
    store.put(ended('b'));
    store.delete('a');
    store.delete('b');
    store.delete('c');
    expect([store.get('a'), store.get('b'), store.size]).toEqual([undefined, undefined, 0]);
  });

  test.each(['completed', 'failed', 'cancelled'] as const)('a task that is %s stays so', (status) => {
    const store = new MemoryTaskStore({ clock: new FakeClock() });
    store.put(working('a'));
    store.put({ ...ended('a'), status });
    for (const late of [working('a'), { ...ended('a'), status: 'failed' as const, statusMessage: 'late' }])
      store.put(late);
    expect(store.get('a')).toEqual({ ...ended('a'), status });
    expect(store.size).toBe(1);
  });

  test('a task that has ended is there until its time is up, counted from its creation', () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    store.put(working('a'));
    clock.advance(400);
    store.put(ended('a', 1000));
    clock.advance(599);
    expect(store.get('a')).toEqual(ended('a', 1000));
    clock.advance(1);
    expect(store.get('a')).toBeUndefined();
    expect(store.size).toBe(0);
  });

  test('a task without a time is there for ever', () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    store.put(ended('a', null));
    clock.advance(1e12);
    expect(store.get('a')).toEqual(ended('a', null));
  });

  test('a task that has not ended is there, whatever its time', () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    store.put({ ...working('a'), ttlMs: 10 });
    store.put({ ...working('b'), status: 'input_required', ttlMs: 10 });
    clock.advance(10_000);
    store.put(working('c'));
    expect([store.get('a')?.status, store.get('b')?.status]).toEqual(['working', 'input_required']);
  });

  test('those whose time is up are dropped without being asked for', () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore({ clock });
    for (let index = 0; index < 100; index += 1) store.put(ended(`t${index}`));
    clock.advance(1000);
    store.put(working('new'));
    expect(store.size).toBe(1);
  });

  test('when it is full, the task that ended first makes room', () => {
    const store = new MemoryTaskStore({ maxTasks: 3, clock: new FakeClock() });
    for (const taskId of ['a', 'b', 'c']) store.put(working(taskId));
    store.put(ended('c'));
    store.put(ended('b'));
    store.put(working('d'));
    expect(store.size).toBe(3);
    expect(store.get('c')).toBeUndefined();
    expect([store.get('a'), store.get('b'), store.get('d')]).toEqual([
      working('a'),
      ended('b'),
      working('d'),
    ]);
  });

  test('when it is full of tasks that have not ended, it takes no other', () => {
    const store = new MemoryTaskStore({ maxTasks: 2, clock: new FakeClock() });
    store.put(working('a'));
    store.put(working('b'));
    const refused = expect(() => store.put(working('c')));
    refused.toThrow(ToolwrightError);
    refused.toThrow('Too many tasks are stored. Try again when one has ended.');
    expect(() => store.put(ended('c'))).toThrow(expect.objectContaining({ code: 'BUSY' }));
    expect(store.get('c')).toBeUndefined();
    // Existing ones may still change.
    store.put({ ...working('a'), statusMessage: 'half' });
    store.put(ended('b'));
    store.put(working('c'));
    expect([store.get('a')?.statusMessage, store.get('b'), store.get('c')]).toEqual([
      'half',
      undefined,
      working('c'),
    ]);
  });

  test('is bounded by default', () => {
    const store = new MemoryTaskStore({ clock: new FakeClock() });
    for (let index = 0; index < 10_050; index += 1) store.put(ended(`t${index}`));
    expect(store.size).toBe(10_000);
    expect(store.get('t49')).toBeUndefined();
    expect(store.get('t50')).toEqual(ended('t50'));
  });

  test('sets no timers', () => {
    const clock = new FakeClock();
    new MemoryTaskStore({ clock }).put(ended('a'));
    expect(clock.pending).toBe(0);
  });
});
