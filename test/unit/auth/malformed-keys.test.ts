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

test('a key set with more keys than any issuer has is not used', async () => {
  const issuer = await createTestIssuer();
  const keys = Array.from({ length: 101 }, (_, index) => ({ ...issuer.jwks.keys[0], kid: `${index}` }));
  const verifier = jwt({ ...issuer.jwtOptions, fetch: async () => Response.json({ keys }) });
  const token = await issuer.tokenFor({ sub: 'ada', header: { kid: '1' } });
  await expect(Promise.resolve(verifier.verify(requestOf(token)))).rejects.toThrow(
    'is not a JSON Web Key Set.',
  );
});

test('the metadata of another issuer names no keys', async () => {
  const issuer = await createTestIssuer();
  const asked: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    asked.push(url);
    return Response.json({
      issuer: 'https://other.test',
      jwks_uri: 'https://other.test/jwks',
      keys: issuer.jwks.keys,
    });
  };
  const verifier = jwt({ issuer: issuer.issuer, audience: issuer.audience, fetch });
  await expect(
    Promise.resolve(verifier.verify(requestOf(await issuer.tokenFor({ sub: 'ada' })))),
  ).rejects.toThrow(
    'The metadata at https://issuer.test/.well-known/oauth-authorization-server is of another issuer than https://issuer.test.',
  );
  expect(asked).toEqual(['https://issuer.test/.well-known/oauth-authorization-server']);
});

test('a token of more than 16,384 characters is rejected before it is parsed', async () => {
  const { jwtOptions } = await createTestIssuer();
  const verifier = jwt(jwtOptions);
  expect(await verifier.verify(requestOf('a'.repeat(16_385)))).toEqual({
    kind: 'invalid',
    description: 'The token is too long.',
  });
  expect(await verifier.verify(requestOf('a'.repeat(16_384)))).toEqual({
    kind: 'invalid',
    description: 'The token is malformed.',
  });
});
