import { expect, test } from 'vitest';
import { jwt } from '../../../src/auth.ts';
import type { CredentialRequest } from '../../../src/auth.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function requestOf(token: string): CredentialRequest {
  return { method: 'POST', url: '/mcp', headers: { get: () => `Bearer ${token}` }, address: undefined };
}

/** A verdict of `invalid` would make clients authorize again and again for a mistake of the issuer. */
test.each<[unknown]>([
  [[]],
  ['keys'],
  [{}],
  [{ keys: {} }],
  [{ keys: [null] }],
  [{ keys: ['a key'] }],
  [{ keys: [[]] }],
])('keys that are no key set are an error of the issuer, not of the token: %j', async (jwks) => {
  const issuer = await createTestIssuer();
  const verifier = jwt({ ...issuer.jwtOptions, fetch: async () => Response.json(jwks) });
  const token = await issuer.tokenFor({ sub: 'ada' });
  await expect(Promise.resolve(verifier.verify(requestOf(token)))).rejects.toThrow(
    'The keys of the issuer: https://issuer.test/jwks is not a JSON Web Key Set.',
  );
});

test('keys that are no key set do not replace those that were fetched before', async () => {
  const issuer = await createTestIssuer();
  const clock = new FakeClock();
  const responses = [issuer.jwks, { keys: [null] }];
  const fetch = async (): Promise<Response> => Response.json(responses.shift());
  const verifier = jwt({ ...issuer.jwtOptions, fetch, clock, cacheMs: 0 });
  const verify = async (header: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const token = await issuer.tokenFor({ sub: 'ada', claims: { iat: undefined }, header });
    return verifier.verify(requestOf(token));
  };
  expect(await verify({})).toMatchObject({ kind: 'verified' });
  clock.advance(30_000);
  await expect(verify({ kid: 'unknown' })).rejects.toThrow('is not a JSON Web Key Set.');
  expect(await verify({})).toMatchObject({ kind: 'verified' });
});

test('a token that several keys match is told apart from a malformed one', async () => {
  const issuer = await createTestIssuer();
  const [key] = issuer.jwks.keys;
  const fetch = async (): Promise<Response> => Response.json({ keys: [key, { ...key, kid: 'another' }] });
  const verifier = jwt({ ...issuer.jwtOptions, fetch });
  const token = await issuer.tokenFor({ sub: 'ada', header: { kid: undefined } });
  expect(await verifier.verify(requestOf(token))).toEqual({
    kind: 'invalid',
    description: 'Several keys of the issuer match the token.',
  });
});
