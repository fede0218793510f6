import { describe, expect, test } from 'vitest';
import { anyOf, apiKeys, createApiKey, custom, MemoryApiKeyStore } from '../../../src/auth.ts';
import type { CredentialRequest, Verifier } from '../../../src/auth.ts';

const withHeaders = (headers: Readonly<Record<string, string>>): CredentialRequest => ({
  method: 'POST',
  url: '/mcp',
  address: undefined,
  headers: { get: (name) => headers[name] ?? null },
});
const REQUEST = withHeaders({});

const ADA = { kind: 'verified', principal: { id: 'ada' } };
const INVALID = { kind: 'invalid', description: 'The credentials are not valid.' };

/** A verifier for each outcome, which comes at once or later. */
const OUTCOMES: Readonly<Record<string, Verifier>> = {
  ada: custom(() => ({ id: 'ada' })),
  'ada later': custom(async () => ({ id: 'ada' })),
  invalid: custom(() => false),
  'invalid later': custom(async () => false as const),
  none: custom(() => undefined),
  'none later': custom(async () => undefined),
  throws: custom(() => {
    throw new Error('down');
  }),
  rejects: custom(() => Promise.reject(new Error('down'))),
};

function among(...names: readonly string[]): Verifier {
  return anyOf(...names.map((name) => OUTCOMES[name] as Verifier));
}

describe('anyOf', () => {
  test.each([
    [['ada', 'invalid'], ADA],
    [['invalid', 'ada'], ADA],
    [['invalid later', 'none', 'ada later'], ADA],
    [['throws', 'ada'], ADA],
    [['rejects', 'none later', 'ada'], ADA],
    [['none', 'invalid', 'none later'], INVALID],
    [['none', 'none later'], { kind: 'no-credentials' }],
  ])('%j', async (names, expected) => {
    expect(await among(...names).verify(REQUEST)).toEqual(expected);
  });

  test.each([
    [['throws', 'invalid']],
    [['invalid', 'rejects']],
    [['none later', 'throws']],
    [['rejects', 'none']],
  ])('%j cannot be verified now', async (names) => {
    await expect((async () => among(...names).verify(REQUEST))()).rejects.toThrow('down');
  });
});

test('a verdict comes at once where nothing has to be waited for', () => {
  const { key, record } = createApiKey({ id: 'ci' });
  const keys = apiKeys(new MemoryApiKeyStore([record]), { header: 'x-api-key' });
  const request = withHeaders({ 'x-api-key': key });
  const expected = { kind: 'verified', principal: { id: 'ci' } };
  expect(keys.verify(request)).toEqual(expected);
  expect(anyOf(among('none', 'invalid'), keys).verify(request)).toEqual(expected);
  expect(among('ada').verify(request)).toEqual(ADA);
});

test('a store that answers later is waited for', async () => {
  const { key, record } = createApiKey({ id: 'ci' });
  const keys = apiKeys({ find: async (prefix) => (prefix === record.prefix ? record : undefined) });
  const verify = (token: string) => keys.verify(withHeaders({ authorization: `Bearer ${token}` }));
  expect(await verify(key)).toEqual({ kind: 'verified', principal: { id: 'ci' }, accessToken: key });
  expect(await verify(key.replace(/^tw/, 'xx'))).toEqual({
    kind: 'invalid',
    description: 'The API key is not valid.',
  });
});
