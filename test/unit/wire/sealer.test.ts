import { describe, expect, test } from 'vitest';
import { Sealer } from '../../../src/wire/dialogues/sealer.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const STATE = { answers: { name: { action: 'accept' } }, steps: { a: { value: 1 } }, round: 2 };
const KEY = 'a secret of at least 32 characters!!';
const OLD_KEY = 'another secret of 32 characters or so';

function sealer(keys: readonly string[] | 'random' = [KEY], clock = new FakeClock()): Sealer {
  return new Sealer({ keys: keys === 'random' ? undefined : keys, ttlMs: 1000, clock, maxChars: 10_000 });
}

describe('a sealed state', () => {
  test('comes back as it was', async () => {
    const own = sealer('random');
    expect(await own.open(await own.seal(STATE, 'call'), 'call')).toEqual(STATE);
  });

  test('does not show what it holds', async () => {
    const sealed = await sealer().seal({ ...STATE, answers: { password: 'hunter2' } }, 'call');
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(atob(sealed.slice(3).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('hunter2');
  });

  test('is never the same twice', async () => {
    const own = sealer();
    expect(await own.seal(STATE, 'call')).not.toBe(await own.seal(STATE, 'call'));
  });

  test('is refused for another call', async () => {
    const own = sealer();
    expect(await own.open(await own.seal(STATE, 'call'), 'other call')).toBeUndefined();
  });

  test('is refused by a server with other keys, and by one with its own random key', async () => {
    const sealed = await sealer().seal(STATE, 'call');
    expect(await sealer([OLD_KEY]).open(sealed, 'call')).toBeUndefined();
    expect(await sealer('random').open(sealed, 'call')).toBeUndefined();
  });

  test('is opened with a key that no longer seals', async () => {
    const sealed = await sealer([OLD_KEY]).seal(STATE, 'call');
    expect(await sealer([KEY, OLD_KEY]).open(sealed, 'call')).toEqual(STATE);
  });

  test('does not depend on what becomes of the list of keys', async () => {
    const keys = [KEY];
    const own = sealer(keys);
    keys.length = 0;
    expect(await sealer().open(await own.seal(STATE, 'call'), 'call')).toEqual(STATE);
  });

  test('is good for its time and not longer', async () => {
    const clock = new FakeClock();
    const own = sealer([KEY], clock);
    const sealed = await own.seal(STATE, 'call');
    clock.advance(999);
    expect(await own.open(sealed, 'call')).toEqual(STATE);
    clock.advance(1);
    expect(await own.open(sealed, 'call')).toBeUndefined();
  });

  test('is refused with any one character changed, cut or added', async () => {
    const own = sealer();
    const sealed = await own.seal(STATE, 'call');
    const changed = Array.from(sealed, (char, index) => {
      const other = char === 'A' ? 'B' : 'A';
      return `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
    });
    const cut = Array.from(sealed, (_, index) => sealed.slice(0, index));
    const added = ['-TAMPERED', 'A', '=', ' ', '\n'].map((tail) => `${sealed}${tail}`);
    for (const wrong of [...changed, ...cut, ...added]) {
      if (wrong === sealed) continue;
      expect([wrong, await own.open(wrong, 'call')]).toEqual([wrong, undefined]);
    }
  });
});
