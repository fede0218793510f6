import { describe, expect, test } from 'vitest';
import { createServer } from '../../../src/index.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import type { HttpSession } from '../../../src/transport/http/legacy/http-session.ts';
import { SessionTable } from '../../../src/transport/http/legacy/session-table.ts';
import { KeepAlive, OpenStream } from '../../../src/transport/http/gate/keep-alive.ts';
import { shakeHands } from '../../../src/wire/served/handshake.ts';
import type { Handshake } from '../../../src/wire/served/handshake.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function setUp(options: object = {}): { clock: FakeClock; table: SessionTable; handshake: Handshake } {
  const clock = new FakeClock();
  const served = servedOf(createServer({ name: 's', version: '1', clock }));
  const handshake = shakeHands(served, { protocolVersion: '2025-11-25', capabilities: {} });
  if ('error' in handshake) throw new Error('no handshake');
  return { clock, table: new SessionTable(served, { idleMs: 1000, ...options }), handshake };
}

const { anonymous: account } = new MemoryBudget(1_000_000);

describe('sessions', () => {
  test('belong to whom they were opened for; to others they do not exist', () => {
    const { table, handshake } = setUp();
    const session = table.open(handshake, { owner: 'ada', isAnonymous: false }, { account });
    expect(table.find(session?.id ?? '', 'eve')).toBeUndefined();
    expect(table.find(session?.id ?? '', 'ada')).toBe(session);
  });

  test('have unguessable ids', () => {
    const { table, handshake } = setUp();
    const ids = Array.from(
      { length: 100 },
      () => table.open(handshake, { owner: 'a', isAnonymous: true }, { account })?.id,
    );
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/);
  });

  test('end after the idle timeout, and use prolongs them', () => {
    const { clock, table, handshake } = setUp();
    const [used, unused] = [
      table.open(handshake, { owner: 'a', isAnonymous: true }, { account }),
      table.open(handshake, { owner: 'a', isAnonymous: true }, { account }),
    ];
    clock.advance(900);
    table.find(used?.id ?? '', 'a');
    clock.advance(100);
    expect([table.find(unused?.id ?? '', 'a'), table.find(used?.id ?? '', 'a')]).toEqual([undefined, used]);
    expect(table.size).toBe(1);
  });

  test('that are being used do not end', () => {
    const { clock, table, handshake } = setUp();
    const session = table.open(handshake, { owner: 'a', isAnonymous: true }, { account });
    if (session !== undefined) session.active += 1;
    clock.advance(5000);
    expect(table.find(session?.id ?? '', 'a')).toBe(session);
  });

  test('are limited, in all and by caller; those that ended make room', () => {
    const { clock, table, handshake } = setUp({ maxSessions: 3, maxSessionsPerCaller: 2 });
    const open = (owner: string, isSomebody: boolean): boolean => {
      const session = table.open(handshake, { owner, isAnonymous: !isSomebody }, { account });
      session?.legacy.see({});
      return session !== undefined;
    };
    expect([open('ada', true), open('ada', true), open('ada', true)]).toEqual([true, true, false]);
    expect([open('nobody', false), open('nobody', false)]).toEqual([true, false]);
    clock.advance(1000);
    expect([open('ada', true), table.size]).toEqual([true, 1]);
  });

  test('whose client never finished the handshake are removed first, and block no others', () => {
    const { table, handshake } = setUp({ maxSessions: 3, maxSessionsPerCaller: 3 });
    const open = (owner: string): HttpSession | undefined =>
      table.open(handshake, { owner, isAnonymous: true }, { account });
    const ready = open('a');
    ready?.legacy.see({});
    const [first, second] = [open('a'), open('a')];
    expect(open('b')).toBeDefined();
    expect([ready, first, second].map((session) => table.find(session?.id ?? '', 'a'))).toEqual([
      ready,
      undefined,
      second,
    ]);
  });

  test('of one caller above its limit do not end those of others', () => {
    const { table, handshake } = setUp({ maxSessions: 10, maxSessionsPerCaller: 1 });
    const open = (owner: string): HttpSession | undefined =>
      table.open(handshake, { owner, isAnonymous: false }, { account });
    const other = open('ada');
    open('mallory')?.legacy.see({});
    expect([open('mallory'), table.find(other?.id ?? '', 'ada')]).toEqual([undefined, other]);
  });

  test('go when memory is needed elsewhere, unless they are in use', () => {
    const clock = new FakeClock();
    const served = servedOf(
      createServer({ name: 's', version: '1', clock, limits: { maxMemoryBytes: 20_000 } }),
    );
    const handshake = shakeHands(served, { protocolVersion: '2025-11-25', capabilities: {} });
    if ('error' in handshake) throw new Error('no handshake');
    const table = new SessionTable(served, {});
    const open = (): HttpSession | undefined =>
      table.open(handshake, { owner: 'a', isAnonymous: true }, { account: served.memory.anonymous });
    const used = open();
    if (used !== undefined) used.active += 1;
    const fresh = [open(), open(), open()];
    expect([fresh.includes(undefined), open()]).toEqual([false, undefined]);
    clock.advance(10_000);
    for (let count = 0; count < 3; count += 1) expect(open()).toBeDefined();
    clock.advance(10_000);
    expect([served.memory.anonymous.take(10_000, true), table.find(used?.id ?? '', 'a')]).toEqual([
      true,
      used,
    ]);
    table.close();
    expect(served.memory.usedBytes).toBe(10_000);
  });

  test('leave no timers behind', () => {
    const { clock, table, handshake } = setUp();
    table.open(handshake, { owner: 'a', isAnonymous: true }, { account });
    table.close();
    expect([table.size, clock.pending]).toEqual([0, 0]);
  });
});

describe('signs of life', () => {
  test('are given by what is open, and only after a while', () => {
    const clock = new FakeClock();
    const alive = new KeepAlive(clock, 1000);
    const pings: string[] = [];
    const early = new OpenStream(() => pings.push('early'));
    const late = new OpenStream(() => pings.push('late'));
    alive.add(early);
    clock.advance(900);
    alive.add(late);
    clock.advance(100);
    expect(pings).toEqual(['early']);
    clock.advance(1000);
    expect(pings).toEqual(['early', 'early', 'late']);
    alive.remove(early);
    alive.remove(late);
    clock.advance(1000);
    expect([pings.length, clock.pending]).toEqual([3, 0]);
  });
});
