import { describe, expect, test } from 'vitest';
import { MemoryCacheStore } from '../../../src/stores/cache-store.ts';
import { MemoryEventStore, startOf } from '../../../src/stores/event-store.ts';
import { MemoryTaskStore } from '../../../src/stores/task-store.ts';
import type { TaskRecord } from '../../../src/stores/task-store.ts';
import { weighValue } from '../../../src/base/memory/weigh.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function ended(taskId: string, owner: string, text: string): TaskRecord {
  const createdAt = new Date(0).toISOString();
  return {
    taskId,
    owner,
    status: 'completed',
    createdAt,
    lastUpdatedAt: createdAt,
    ttlMs: 1e13,
    pollIntervalMs: 1,
    result: { text },
  };
}

describe('stores are bounded in bytes', () => {
  test('results of tasks: of the owner who has most, the one that ended first goes', () => {
    const changes: number[] = [];
    const store = new MemoryTaskStore({
      maxBytes: 1000,
      clock: new FakeClock(),
      onBytes: (change) => changes.push(change),
    });
    store.put(ended('a1', 'ada', 'x'.repeat(300)));
    store.put(ended('m1', 'mallory', 'x'.repeat(300)));
    store.put(ended('m2', 'mallory', 'x'.repeat(300)));
    store.put(ended('m3', 'mallory', 'x'.repeat(300)));
    expect(['a1', 'm1', 'm2', 'm3'].map((id) => store.get(id)?.result)).toEqual([
      { text: 'x'.repeat(300) },
      undefined,
      { text: 'x'.repeat(300) },
      { text: 'x'.repeat(300) },
    ]);
    expect(changes).toEqual([311, 311, 311, 311, -311]);
    store.delete('a1');
    expect(changes.at(-1)).toBe(-311);
  });

  test('tasks: many of one owner do not displace those of others', () => {
    const store = new MemoryTaskStore({ maxTasks: 3, clock: new FakeClock() });
    store.put(ended('a1', 'ada', ''));
    for (const id of ['m1', 'm2', 'm3', 'm4']) store.put(ended(id, 'mallory', ''));
    expect(['a1', 'm2', 'm3', 'm4'].map((id) => store.get(id)?.taskId)).toEqual([
      'a1',
      undefined,
      'm3',
      'm4',
    ]);
  });

  test('messages of streams: of the owner who has most, the oldest stream goes', () => {
    let bytes = 0;
    const store = new MemoryEventStore({ maxTotalChars: 1000, onBytes: (change) => (bytes += change) });
    store.append('a', 'x'.repeat(300), 'ada');
    for (const stream of ['m1', 'm2', 'm3']) store.append(stream, 'x'.repeat(300), 'mallory');
    expect(['a', 'm1', 'm2', 'm3'].map((stream) => store.after(startOf(stream))?.length)).toEqual([
      1, 0, 1, 1,
    ]);
    expect(bytes).toBe(3 * 500);
    while (store.dropOldest()) continue;
    expect([bytes, store.size]).toEqual([0, 0]);
  });

  test('cached values: the one unused for longest goes', () => {
    const store = new MemoryCacheStore({ maxBytes: 3000, clock: new FakeClock() });
    for (const key of ['a', 'b', 'c']) store.set(key, { text: 'x'.repeat(1000) }, 1000);
    expect(['a', 'b', 'c'].map((key) => store.get(key) !== undefined)).toEqual([false, true, true]);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    store.set('cyclic', cyclic, 1000);
    expect(store.get('cyclic')).toBe(cyclic);
  });

  test('the memory of a value is no less than what its texts take up', () => {
    expect(weighValue({ a: 'é'.repeat(100) })).toBe(80 + 80 + 1 + 100);
    expect(weighValue({ a: 'č'.repeat(100) })).toBe(80 + 80 + 1 + 200);
    expect(weighValue([[], {}])).toBe(80 + 2 * 81);
    expect(weighValue(new Uint8Array(1000))).toBe(1080);
  });
});
