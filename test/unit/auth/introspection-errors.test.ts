import { expect, test } from 'vitest';
import { introspection } from '../../../src/auth.ts';
import type { CredentialRequest } from '../../../src/auth.ts';

const REQUEST: CredentialRequest = {
  method: 'POST',
  url: '/mcp',
  headers: new Headers({ authorization: 'Bearer token' }),
  address: undefined,
};

async function verify(status: number, body: object): Promise<unknown> {
  const verifier = introspection({
    issuer: 'https://issuer.test',
    audience: 'https://server.test/mcp',
    endpoint: 'https://issuer.test/introspect',
    clientId: 'mcp',
    clientSecret: 'secret',
    fetch: () => Promise.resolve(Response.json(body, { status })),
  });
  return verifier.verify(REQUEST);
}

test('a token of a type that the authorization server does not introspect is invalid', async () => {
  expect(await verify(400, { error: 'unsupported_token_type' })).toEqual({
    kind: 'invalid',
    description: 'The token is not active.',
  });
});

test.each([
  ['credentials of this server', 401, { error: 'invalid_client' }],
  ['the request of this server', 400, { error: 'invalid_request' }],
  ['a failure', 500, { error: 'unsupported_token_type' }],
  ['anything else', 200, { text: 'welcome' }],
])(
  '%s that the authorization server rejects says nothing of the token: the verifier throws',
  async (_, status, body) => {
    await expect(verify(status, body)).rejects.toThrow();
  },
);

const ACTIVE = { active: true, aud: 'https://server.test/mcp', sub: 'ada', exp: 4_000_000_000 };

test.each<[string, object, string]>([
  ['of another issuer', { iss: 'https://other.test' }, 'The token is of another issuer.'],
  ['for another audience', { aud: 'https://server.test/other' }, 'The token is for another audience.'],
  ['without an audience', { aud: undefined }, 'The token is for another audience.'],
  ['that has expired', { exp: 1 }, 'The token is not active.'],
  ['that is not active', { active: false }, 'The token is not active.'],
  ['without a subject', { sub: undefined }, 'The token names no subject.'],
])('a response about a token %s makes it invalid', async (_name, change, description) => {
  expect(await verify(200, { ...ACTIVE, ...change })).toEqual({ kind: 'invalid', description });
});

test('the principal is named by the issuer of the option, also where the response has none', async () => {
  expect(await verify(200, ACTIVE)).toMatchObject({
    kind: 'verified',
    principal: { id: 'https://issuer.test|ada' },
  });
});
