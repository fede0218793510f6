import type * as Crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { apiKeys, createApiKey, MemoryApiKeyStore } from '../../../src/auth.ts';

const compared = vi.hoisted((): [number, number][] => []);
vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof Crypto>();
  return {
    ...crypto,
    timingSafeEqual: (left: Buffer, right: Buffer) => {
      compared.push([left.length, right.length]);
      return crypto.timingSafeEqual(left, right);
    },
  };
});

const verifierOf = (store: MemoryApiKeyStore) => async (key: string) => {
  const verdict = await apiKeys(store).verify({
    method: 'POST',
    url: '/mcp',
    address: undefined,
    headers: { get: (name) => (name === 'authorization' ? `Bearer ${key}` : null) },
  });
  return verdict.kind;
};

// Time itself is not measured: on a shared machine, the noise is larger than the comparison.
test('hashes of 43 characters are compared in constant time, for known and unknown prefixes alike', async () => {
  const store = new MemoryApiKeyStore();
  const { key, record } = createApiKey({ id: 'ci' });
  store.add(record);
  const verify = verifierOf(store);
  expect(await verify(key)).toBe('verified');
  expect(await verify(`${record.prefix}_${'A'.repeat(43)}`)).toBe('invalid');
  expect(await verify(`tw_0000000000000000_${'A'.repeat(43)}`)).toBe('invalid');
  expect(await verify('something else')).toBe('invalid');
  expect(await verify('something-else')).toBe('invalid');
  expect(compared).toEqual([
    [43, 43],
    [43, 43],
    [43, 43],
    [43, 43],
  ]);
});
