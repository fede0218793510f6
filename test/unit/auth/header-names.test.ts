import { expect, test } from 'vitest';
import { apiKeys, MemoryApiKeyStore, trustedHeaders } from '../../../src/auth.ts';
import { refused } from '../../support/refused.ts';

const NOT_NAMES = ['', ' ', 'x key', 'x-key:', 'Schlüssel', 'a\nb'];

test.each(NOT_NAMES)('%j is rejected as the name of a header', (name) => {
  const proxies = ['10.0.0.0/8'];
  expect(() => apiKeys(new MemoryApiKeyStore(), { header: name })).toThrow(refused('header'));
  expect(() => trustedHeaders({ proxies, id: name })).toThrow(refused('id'));
  expect(() => trustedHeaders({ proxies, id: 'x-user', tenant: name })).toThrow(refused('tenant'));
});

test('the error names the option and what it takes', () => {
  expect(() => apiKeys(new MemoryApiKeyStore(), { header: 'x key' })).toThrow(
    'apiKeys: header must be the name of a header, such as "x-api-key"; received "x key".',
  );
});
