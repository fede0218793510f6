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
