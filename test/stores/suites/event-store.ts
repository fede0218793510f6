import { expect, test } from 'vitest';
import type { EventStore } from '../../../src/stores.ts';

/** A version of the store for one test. */
export interface EventStoreVersion {
  readonly store: EventStore;
  /** The store of another node; the same store if there is only one. */
  readonly other: EventStore;
}

/** Opens a version with at most three messages, or about 1,000 characters, per stream. */
export type OpenEventStore = () => EventStoreVersion | Promise<EventStoreVersion>;

/** The tests that every event store passes. */
export function eventStoreSuite(open: OpenEventStore): void {
  /** The messages after an event, on the other node. */
  async function messagesAfter(store: EventStore, eventId: string): Promise<readonly string[] | undefined> {
    return (await store.after(eventId))?.map(({ message }) => message);
  }

  test('the messages after an event are there, in their order, also on another node', async () => {
    const { store, other } = await open();
    const ids: string[] = [];
    for (const message of ['a', 'b', 'c']) ids.push(await store.append('s', message, 'ada'));
    expect(await messagesAfter(other, 's_')).toEqual(['a', 'b', 'c']);
    expect(await messagesAfter(other, ids[0] ?? '')).toEqual(['b', 'c']);
    expect(await messagesAfter(other, ids[2] ?? '')).toEqual([]);
    expect((await other.after(ids[1] ?? ''))?.[0]?.id).toBe(ids[2]);
  });

  test('ids are unique, and name their stream', async () => {
    const { store, other } = await open();
    const streams = Array.from({ length: 60 }, (_, index) => `stream_${index % 2}`);
    const ids = await Promise.all(
      streams.map(async (stream, index) => (index % 3 === 0 ? other : store).append(stream, 'm')),
    );
    expect(new Set(ids).size).toBe(60);
    for (const [index, id] of ids.entries()) expect(id.slice(0, id.lastIndexOf('_'))).toBe(streams[index]);
  });

  test('an unknown event is unknown, and a new stream has no messages', async () => {
    const { store } = await open();
    const id = await store.append('s', 'a');
    for (const unknown of ['t_0-0', 's_x', 's_-1', 's_9999999999999-9', 's', '', '_', `${id}9999`, 's_1e3'])
      expect([unknown, (await store.after(unknown)) ?? []]).toEqual([unknown, []]);
    expect(await store.after('s_9999999999999-9')).toBeUndefined();
    expect(await store.after('new_')).toEqual([]);
  });

  test('streams are apart, also odd and long ones', async () => {
    const { store, other } = await open();
    const streams = ['a', '{a}', '}', '__proto__', 'a b', '*', 'x'.repeat(500)];
    for (const stream of streams) await store.append(stream, `\u0000\u{1F600}{"of":"${stream}"}`);
    for (const stream of streams)
      expect(await messagesAfter(other, `${stream}_`)).toEqual([`\u0000\u{1F600}{"of":"${stream}"}`]);
  });

  test('the oldest messages make room, by number and by size; the newest is always kept', async () => {
    const { store } = await open();
    const first = await store.append('s', 'a');
    for (const message of ['b', 'c', 'd', 'e']) await store.append('s', message);
    expect(await messagesAfter(store, 's_')).toEqual(['c', 'd', 'e']);
    expect(await messagesAfter(store, first)).toEqual(['c', 'd', 'e']);
    const large = 'x'.repeat(900);
    await store.append('s', large);
    await store.append('s', large);
    expect(await messagesAfter(store, 's_')).toEqual([large]);
    const larger = 'y'.repeat(5000);
    await store.append('s', larger);
    expect(await messagesAfter(store, 's_')).toEqual([larger]);
  });

  test('a dropped stream is gone', async () => {
    const { store, other } = await open();
    const id = await store.append('s', 'a');
    await store.append('t', 'b');
    await other.drop('s');
    await other.drop('never there');
    expect([await store.after(id), await messagesAfter(store, 't_')]).toEqual([undefined, ['b']]);
  });
}
