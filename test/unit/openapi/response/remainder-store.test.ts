import { describe, expect, test } from 'vitest';
import { RemainderStore } from '../../../../src/openapi/response/model/remainder-store.ts';
import type { Remainder } from '../../../../src/openapi/response/model/remainder-store.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function text(length: number, owner = 'nobody'): Remainder {
  const content = { kind: 'text', text: 'x'.repeat(length) } as const;
  return { owner, what: 'GET /x', content, nextPage: undefined, structured: false };
}

describe('RemainderStore', () => {
  test('gives an answer to its owner, as often as asked', () => {
    const store = new RemainderStore({ clock: new FakeClock() });
    const kept = text(10, 'ann');
    const id = store.keep(kept) ?? '';
    expect(store.find(id, 'ann')).toBe(kept);
    expect(store.find(id, 'ann')).toBe(kept);
    expect(store.find(id, 'bob')).toBeUndefined();
    expect(store.find(id, 'nobody')).toBeUndefined();
    expect(store.find('toString', 'nobody')).toBeUndefined();
  });

  test('gives every answer an id of 128 random bits', () => {
    const store = new RemainderStore({ clock: new FakeClock() });
    const ids = Array.from({ length: 100 }, () => store.keep(text(1)) ?? '');
    expect(new Set(ids).size).toBe(100);
    expect(ids.every((id) => /^[\da-f]{32}$/.test(id))).toBe(true);
  });

  test('keeps an answer for ten minutes after it was last read', () => {
    const clock = new FakeClock();
    const store = new RemainderStore({ clock });
    const id = store.keep(text(10)) ?? '';
    clock.advance(599_999);
    expect(store.find(id, 'nobody')).toBeDefined();
    clock.advance(599_999);
    expect(store.find(id, 'nobody')).toBeDefined();
    clock.advance(600_000);
    expect(store.find(id, 'nobody')).toBeUndefined();
    expect(store.bytes).toBe(0);
  });

  test('is not kept alive by others who ask for it', () => {
    const clock = new FakeClock();
    const store = new RemainderStore({ clock, ttlMs: 100 });
    const id = store.keep(text(10, 'ann')) ?? '';
    clock.advance(99);
    store.find(id, 'bob');
    clock.advance(1);
    expect(store.find(id, 'ann')).toBeUndefined();
  });

  test('lets go of what has expired when something new comes', () => {
    const clock = new FakeClock();
    const store = new RemainderStore({ clock, ttlMs: 100 });
    store.keep(text(10));
    store.keep(text(20));
    clock.advance(100);
    store.keep(text(5));
    expect(store.bytes).toBe(10);
  });

  test('keeps so many bytes and no more; what was not read for the longest time goes first', () => {
    const store = new RemainderStore({ clock: new FakeClock(), maxBytes: 60 });
    const [first = '', second = '', third = ''] = [text(10), text(10), text(10)].map((each) =>
      store.keep(each),
    );
    expect(store.bytes).toBe(60);
    store.find(first, 'nobody');
    store.keep(text(10));
    expect(store.find(second, 'nobody')).toBeUndefined();
    expect(store.find(first, 'nobody')).toBeDefined();
    expect(store.find(third, 'nobody')).toBeDefined();
    expect(store.bytes).toBe(60);
  });

  test('makes room at the expense of the owner who has most', () => {
    const store = new RemainderStore({ clock: new FakeClock(), maxBytes: 60 });
    const ada = store.keep(text(5, 'ada')) ?? '';
    const nobody = store.keep(text(5)) ?? '';
    const mallory = [10, 10, 10].map((length) => store.keep(text(length, 'mallory')) ?? '');
    expect(mallory.map((id) => store.find(id, 'mallory') !== undefined)).toEqual([false, true, true]);
    expect(store.find(ada, 'ada')).toBeDefined();
    expect(store.find(nobody, 'nobody')).toBeDefined();
    expect(store.bytes).toBe(60);
  });

  test('a new entry stays, even if all others are evicted for it', () => {
    const store = new RemainderStore({ clock: new FakeClock(), maxBytes: 60 });
    const ada = store.keep(text(10, 'ada')) ?? '';
    const mallory = store.keep(text(30, 'mallory')) ?? '';
    expect(store.find(mallory, 'mallory')).toBeDefined();
    expect(store.find(ada, 'ada')).toBeUndefined();
  });

  test('refuses what is larger than all that it may keep, and keeps the others', () => {
    const store = new RemainderStore({ clock: new FakeClock(), maxBytes: 60 });
    const id = store.keep(text(10)) ?? '';
    expect(store.keep(text(31))).toBeUndefined();
    expect(store.find(id, 'nobody')).toBeDefined();
  });

  test('counts lists with all their elements', () => {
    const store = new RemainderStore({ clock: new FakeClock() });
    store.keep({ ...text(0), content: { kind: 'list', path: [], elements: ['12', '3'] } });
    expect(store.bytes).toBe(70);
  });

  test('is bounded by default', () => {
    const store = new RemainderStore({ clock: new FakeClock() });
    for (let index = 0; index < 10; index += 1) store.keep(text(10_000_000));
    expect(store.bytes).toBe(60_000_000);
  });

  test.each([{ maxBytes: 0 }, { maxBytes: 1.5 }, { ttlMs: -1 }, { ttlMs: Number.NaN }])(
    'refuses %j',
    (wrong) => {
      expect(() => new RemainderStore(wrong)).toThrow('must be an integer of at least 1');
    },
  );
});
