import { describe, expect, test } from 'vitest';
import { KeyRing } from '../../../../src/stores/sealing/key-ring.ts';
import { Sealer } from '../../../../src/stores/sealing/sealer.ts';
import type { SealerOptions } from '../../../../src/stores/sealing/sealer.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const STATE = { answers: { name: { action: 'accept' } }, steps: { a: { value: 1 } }, round: 2 };
const KEY = 'a secret of at least 32 characters!!';
const OLD_KEY = 'another secret of 32 characters or so';

function sealer(
  keys: readonly string[] | 'random' = [KEY],
  options: Partial<SealerOptions> = {},
): Sealer<typeof STATE> {
  return new Sealer({
    ring: new KeyRing(keys === 'random' ? undefined : keys),
    purpose: 'request state',
    ttlMs: 1000,
    clock: new FakeClock(),
    maxChars: 10_000,
    ...options,
  });
}

describe('a sealed state', () => {
  test('comes back as it was', async () => {
    const own = sealer('random');
    expect(await own.open(await own.seal(STATE, 'call'), 'call')).toEqual(STATE);
  });

  test('does not show what it holds', async () => {
    const sealed = await sealer().seal({ ...STATE, steps: { a: { value: 4_711 } } }, 'call');
    expect(sealed).toMatch(/^v2\.[\w-]{8}\.[\w-]+$/);
    expect(atob(sealed.slice(12).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('4711');
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

  test('is refused for another purpose, by the same ring', async () => {
    const ring = new KeyRing([KEY]);
    const sealed = await sealer([KEY], { ring }).seal(STATE, 'call');
    expect(await sealer([KEY], { ring, purpose: 'session' }).open(sealed, 'call')).toBeUndefined();
    expect(await sealer([KEY], { ring }).open(sealed, 'call')).toEqual(STATE);
  });

  test('does not depend on what becomes of the list of keys', async () => {
    const keys = [KEY];
    const own = sealer(keys);
    keys.length = 0;
    expect(await sealer().open(await own.seal(STATE, 'call'), 'call')).toEqual(STATE);
  });

  test('is refused if it is longer than any that was issued', async () => {
    const sealed = await sealer().seal(STATE, 'call');
    expect(await sealer([KEY], { maxChars: sealed.length }).open(sealed, 'call')).toEqual(STATE);
    expect(await sealer([KEY], { maxChars: sealed.length - 1 }).open(sealed, 'call')).toBeUndefined();
  });

  test('is good for its time and not longer', async () => {
    const clock = new FakeClock();
    const own = sealer([KEY], { clock });
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
