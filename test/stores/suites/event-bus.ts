import { expect, test } from 'vitest';
import type { EventBus, ServerEvent } from '../../../src/stores.ts';

/** The bus of two nodes; the same bus if there is only one. Both are connected. */
export interface EventBusVersion {
  readonly bus: EventBus;
  readonly other: EventBus;
}

const TOOLS: ServerEvent = { kind: 'tools', cause: 'catalog' };

/** The tests that every event bus passes. */
export function eventBusSuite(open: () => EventBusVersion | Promise<EventBusVersion>): void {
  test('every listener of every node gets an event once', async () => {
    const { bus, other } = await open();
    const got: [string, ServerEvent][] = [];
    bus.subscribe((event) => got.push(['bus 1', event]));
    bus.subscribe((event) => got.push(['bus 2', event]));
    other.subscribe((event) => got.push(['other', event]));
    await bus.publish(TOOLS);
    await expect.poll(() => got.length).toBe(3);
    // A second event on the same way: had the first arrived twice, it would be before this one.
    await other.publish({ kind: 'resource', uri: 'a:1' });
    await expect.poll(() => got.length).toBe(6);
    expect(
      got
        .filter(([, { kind }]) => kind === 'tools')
        .map(([who]) => who)
        .toSorted(),
    ).toEqual(['bus 1', 'bus 2', 'other']);
  });

  test('the listeners of the own node are called before publish returns', async () => {
    const { bus } = await open();
    const got: ServerEvent[] = [];
    bus.subscribe((event) => got.push(event));
    const published = bus.publish(TOOLS);
    expect(got).toEqual([TOOLS]);
    await published;
  });

  test('events of all kinds arrive as they were sent, in their order', async () => {
    const { bus, other } = await open();
    const events: readonly ServerEvent[] = [
      { kind: 'tools' },
      { kind: 'prompts', cause: 'catalog', server: 'shop' },
      { kind: 'resources', server: '\u{1F600}' },
      { kind: 'resource', uri: 'notes://1?q={a}' },
      { kind: 'task', owner: 'ada', task: { taskId: 't', status: 'working', list: [1, null, { a: 'b' }] } },
      { kind: 'session', session: 's', change: { type: 'response', id: 'n-1', from: 'n' } },
    ];
    const got: ServerEvent[] = [];
    other.subscribe((event) => got.push(event));
    for (const event of events) await bus.publish(event);
    await expect.poll(() => got).toEqual(events);
  });

  test('a listener that unsubscribed gets nothing more', async () => {
    const { bus, other } = await open();
    const got: string[] = [];
    const unsubscribe = other.subscribe(() => got.push('left'));
    other.subscribe(() => got.push('stayed'));
    unsubscribe();
    unsubscribe();
    await bus.publish(TOOLS);
    await expect.poll(() => got).toEqual(['stayed']);
  });
}
