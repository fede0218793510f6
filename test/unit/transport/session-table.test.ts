import { describe, expect, test } from 'vitest';
import { createServer } from '../../../src/index.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import { SessionTable } from '../../../src/transport/http/session-table.ts';
import { KeepAlive } from '../../../src/transport/http/keep-alive.ts';
import { shakeHands } from '../../../src/wire/methods/initialize.ts';
import type { Handshake } from '../../../src/wire/methods/initialize.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function setUp(options: object = {}): { clock: FakeClock; table: SessionTable; handshake: Handshake } {
  const clock = new FakeClock();
  const served = servedOf(createServer({ name: 's', version: '1', clock }));
  const handshake = shakeHands(served, { protocolVersion: '2025-11-25', capabilities: {} });
  if ('error' in handshake) throw new Error('no handshake');
  return { clock, table: new SessionTable(served, { idleMs: 1000, ...options }), handshake };
}

describe('sessions', () => {
  test('belong to whom they were opened for; to others they do not exist', () => {
    const { table, handshake } = setUp();
    const session = table.open(handshake, { owner: 'ada', isAnonymous: false });
    expect(table.find(session?.id ?? '', 'eve')).toBeUndefined();
    expect(table.find(session?.id ?? '', 'ada')).toBe(session);
  });

  test('have ids that nobody guesses', () => {
    const { table, handshake } = setUp();
    const ids = Array.from(
      { length: 100 },
      () => table.open(handshake, { owner: 'a', isAnonymous: true })?.id,
    );
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/);
  });

  test('end when nobody has used them for long, and use prolongs them', () => {
    const { clock, table, handshake } = setUp();
    const [used, unused] = [
      table.open(handshake, { owner: 'a', isAnonymous: true }),
      table.open(handshake, { owner: 'a', isAnonymous: true }),
    ];
    clock.advance(900);
    table.find(used?.id ?? '', 'a');
    clock.advance(100);
    expect([table.find(unused?.id ?? '', 'a'), table.find(used?.id ?? '', 'a')]).toEqual([undefined, used]);
    expect(table.size).toBe(1);
  });

  test('that are being used do not end', () => {
    const { clock, table, handshake } = setUp();
    const session = table.open(handshake, { owner: 'a', isAnonymous: true });
    if (session !== undefined) session.active += 1;
    clock.advance(5000);
    expect(table.find(session?.id ?? '', 'a')).toBe(session);
  });

  test('are limited, in all and by caller; those that ended make room', () => {
    const { clock, table, handshake } = setUp({ maxSessions: 3, maxSessionsPerCaller: 2 });
    const open = (owner: string, isSomebody: boolean): boolean =>
      table.open(handshake, { owner, isAnonymous: !isSomebody }) !== undefined;
    expect([open('ada', true), open('ada', true), open('ada', true)]).toEqual([true, true, false]);
    expect([open('nobody', false), open('nobody', false)]).toEqual([true, false]);
    clock.advance(1000);
    expect([open('ada', true), table.size]).toEqual([true, 1]);
  });

  test('leave no timers behind', () => {
    const { clock, table, handshake } = setUp();
    table.open(handshake, { owner: 'a', isAnonymous: true });
    table.close();
    expect([table.size, clock.pending]).toEqual([0, 0]);
  });
});

describe('signs of life', () => {
  test('are given by what is open, and only after a while', () => {
    const clock = new FakeClock();
    const alive = new KeepAlive(clock, 1000);
    const pings: string[] = [];
    const early = { ping: () => pings.push('early') };
    const late = { ping: () => pings.push('late') };
    const first = alive.add(early);
    clock.advance(900);
    const second = alive.add(late);
    clock.advance(100);
    expect(pings).toEqual(['early']);
    clock.advance(1000);
    expect(pings).toEqual(['early', 'early', 'late']);
    alive.remove(first);
    alive.remove(second);
    clock.advance(1000);
    expect([pings.length, clock.pending]).toEqual([3, 0]);
  });
});
