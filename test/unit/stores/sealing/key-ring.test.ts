import { describe, expect, test } from 'vitest';
import { KeyRing } from '../../../../src/stores/sealing/key-ring.ts';

const OLD = 'the old secret, which is 32 characters long';
const NEW = 'the new secret, which is 32 characters long';
const PURPOSE = 'purpose';

const kidOf = (text: string): string | undefined => text.split('.')[1];

describe('a ring of keys', () => {
  test('names the key of a text by its secret alone, without revealing it', async () => {
    const [one, other] = [new KeyRing([OLD]), new KeyRing([OLD, NEW])];
    const kid = kidOf(await one.seal('text', PURPOSE, 'b'));
    // The last 6 of the 38 bytes of HKDF-SHA-256 over the secret, as OpenSSL computes them.
    expect(kid).toBe('vZRp_Hoq');
    expect(kidOf(await other.seal('another', 'another purpose', 'c'))).toBe(kid);
    expect(kidOf(await new KeyRing([NEW]).seal('text', PURPOSE, 'b'))).not.toBe(kid);
  });

  test('rotates its secrets without a pause', async () => {
    // Two processes: at every step, both open the texts of each other.
    const rings = [new KeyRing([OLD]), new KeyRing([OLD])] as const;
    const steps = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
    for (const secrets of steps) {
      for (const ring of rings) {
        ring.replace(secrets);
        for (const from of rings)
          for (const to of rings)
            expect(await to.open(await from.seal('text', PURPOSE, 'b'), PURPOSE, 'b')).toBe('text');
      }
    }
  });

  test('opens a text of an old secret until the secret is removed', async () => {
    const ring = new KeyRing([OLD]);
    const text = await ring.seal('text', PURPOSE, 'b');
    ring.replace([NEW, OLD]);
    expect(await ring.open(text, PURPOSE, 'b')).toBe('text');
    ring.replace([NEW]);
    expect(await ring.open(text, PURPOSE, 'b')).toBeUndefined();
  });

  test('opens no text under the name of another key', async () => {
    const ring = new KeyRing([NEW, OLD]);
    const [, , body] = (await ring.seal('text', PURPOSE, 'b')).split('.');
    const oldKid = kidOf(await new KeyRing([OLD]).seal('text', PURPOSE, 'b'));
    for (const kid of [oldKid, 'AAAAAAAA', '__proto__', ''])
      expect(await ring.open(`v2.${kid}.${body}`, PURPOSE, 'b')).toBeUndefined();
  });

  test('opens no text for another purpose or binding, however they are joined', async () => {
    const ring = new KeyRing();
    const text = await ring.seal('text', 'a', 'b","c');
    for (const [purpose, binding] of [
      ['a","b', 'c'],
      ['a', 'b'],
      ['b","c', 'a'],
      ['', 'ab","c'],
    ] as const)
      expect(await ring.open(text, purpose, binding)).toBeUndefined();
    expect(await ring.open(text, 'a', 'b","c')).toBe('text');
  });

  test('has a random secret by default, which no other ring has', async () => {
    const [one, other] = [new KeyRing(), new KeyRing()];
    const text = await one.seal('text', PURPOSE, 'b');
    expect([one.isRandom, await one.open(text, PURPOSE, 'b')]).toEqual([true, 'text']);
    expect(await other.open(text, PURPOSE, 'b')).toBeUndefined();
    one.replace([NEW]);
    expect(one.isRandom).toBe(false);
  });

  test('rejects secrets that are missing or too short, and does not repeat them', () => {
    const message = 'KeyRing: secrets must be an array of secrets of at least 32 characters each.';
    for (const wrong of [[], ['too short'], [OLD, ''], [OLD, 1], OLD, null])
      expect(() => new KeyRing(wrong as never)).toThrow(message);
    const ring = new KeyRing([OLD]);
    expect(() => ring.replace(undefined as never)).toThrow('KeyRing: secrets is required');
    expect(() => ring.replace(['short'])).toThrow(message);
  });
});
