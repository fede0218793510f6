import { afterEach, describe, expect, test } from 'vitest';
import { anyOf, apiKeys, introspection, jwt, MemoryApiKeyStore } from '../../../src/auth.ts';
import type { AuthOptions, Verifier } from '../../../src/auth.ts';
import { serveHttp } from '../../../src/http.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import { createNotes } from '../../support/auth-server.ts';
import { post, postCall } from '../../support/oauth-client.ts';

const RESOURCE = 'https://server.test/mcp';
const METADATA = 'resource_metadata="https://server.test/.well-known/oauth-protected-resource/mcp"';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close();
});

async function serve(auth: Verifier | AuthOptions): Promise<string> {
  const running = await serveHttp(createNotes(), { port: 0, auth });
  open.push(running);
  return running.url;
}

const KEY_BOUND = { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } };

describe('a token that is bound to a key is not a bearer token', () => {
  test('jwt', async () => {
    const issuer = await createTestIssuer();
    const url = await serve(jwt(issuer.jwtOptions));
    const bound = await issuer.tokenFor({ sub: 'ada', claims: KEY_BOUND });
    const response = await postCall(url, `Bearer ${bound}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="The token is bound to a key, and the request has no proof of it.", ${METADATA}`,
    );
    for (const cnf of [
      { 'x5t#S256': 'bwcK0esc3ACC3DB2' },
      { jwk: {} },
      { kid: 'of-the-client' },
      'unknown',
    ]) {
      const other = await issuer.tokenFor({ sub: 'ada', claims: { cnf } });
      expect((await postCall(url, `Bearer ${other}`)).status).toBe(401);
    }
  });

  test('introspection', async () => {
    const claims = { active: true, sub: 'ada', aud: RESOURCE };
    const responses: Record<string, object> = {
      bound: { ...claims, ...KEY_BOUND },
      certificate: { ...claims, cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2' } },
      typed: { ...claims, token_type: 'DPoP' },
      plain: { ...claims, token_type: 'Bearer' },
    };
    const url = await serve(
      introspection({
        issuer: 'https://issuer.test',
        audience: RESOURCE,
        endpoint: 'https://issuer.test/introspect',
        clientId: 'mcp',
        clientSecret: 'secret',
        fetch: async (_, { body }) =>
          Response.json(responses[new URLSearchParams(body).get('token') ?? ''] ?? { active: false }),
      }),
    );
    const statuses = await Promise.all(
      ['bound', 'certificate', 'typed', 'plain'].map(
        async (token) => (await postCall(url, `Bearer ${token}`)).status,
      ),
    );
    expect(statuses).toEqual([401, 401, 401, 200]);
  });
});

test('a verifier of another scheme writes its own challenge and adds to the metadata', async () => {
  const verifier: Verifier = {
    authorizationServers: ['https://issuer.test'],
    audience: RESOURCE,
    scheme: 'DPoP',
    challenge: { algs: 'ES256 Ed25519' },
    metadata: { dpop_bound_access_tokens_required: true, resource: 'https://other.test' },
    verify: ({ headers }) =>
      headers.get('authorization')?.startsWith('DPoP ') === true
        ? {
            kind: 'invalid',
            error: 'use_dpop_nonce',
            description: 'Use the nonce.',
            headers: { 'dpop-nonce': 'n-1' },
          }
        : { kind: 'no-credentials' },
  };
  const url = await serve(verifier);
  const without = await postCall(url, 'Basic x');
  expect(without.status).toBe(401);
  expect(without.headers.get('www-authenticate')).toBe(`DPoP algs="ES256 Ed25519", ${METADATA}`);
  expect(without.headers.get('dpop-nonce')).toBeNull();
  const invalid = await postCall(url, 'DPoP token');
  expect(invalid.status).toBe(401);
  expect(invalid.headers.get('www-authenticate')).toBe(
    `DPoP error="use_dpop_nonce", error_description="Use the nonce.", algs="ES256 Ed25519", ${METADATA}`,
  );
  expect(invalid.headers.get('dpop-nonce')).toBe('n-1');
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url));
  expect(await metadata.json()).toEqual({
    resource: RESOURCE,
    authorization_servers: ['https://issuer.test'],
    bearer_methods_supported: ['header'],
    dpop_bound_access_tokens_required: true,
  });
});

test('anyOf challenges with the scheme of each verifier, and merges their metadata', async () => {
  const issuer = await createTestIssuer();
  const bound: Verifier = {
    authorizationServers: ['https://issuer.test'],
    scheme: 'DPoP',
    challenge: { algs: 'ES256' },
    metadata: { dpop_signing_alg_values_supported: ['ES256'] },
    verify: () => ({ kind: 'no-credentials' }),
  };
  const keys = apiKeys(new MemoryApiKeyStore(), { header: 'x-api-key' });
  const url = await serve({
    verify: anyOf(jwt(issuer.jwtOptions), keys, anyOf(bound)),
    requiredScopes: ['notes'],
  });
  const response = await postCall(url, 'Basic x');
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer scope="notes", ${METADATA}, DPoP scope="notes", algs="ES256", ${METADATA}`,
  );
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource', url));
  expect(await metadata.json()).toMatchObject({ dpop_signing_alg_values_supported: ['ES256'] });
});

test('the client credentials extension is declared where it is configured', async () => {
  const issuer = await createTestIssuer();
  const token = await issuer.tokenFor({ sub: 'job' });
  const discover = async (options: Partial<AuthOptions>): Promise<unknown> => {
    const url = await serve({ verify: jwt(issuer.jwtOptions), ...options });
    const response = await post(
      url,
      { method: 'server/discover', params: {} },
      { authorization: `Bearer ${token}` },
    );
    const { result } = (await response.json()) as { result: { capabilities: { extensions: unknown } } };
    return result.capabilities.extensions;
  };
  expect(await discover({})).toEqual({ 'io.modelcontextprotocol/tasks': {} });
  expect(await discover({ clientCredentials: true })).toEqual({
    'io.modelcontextprotocol/tasks': {},
    'io.modelcontextprotocol/oauth-client-credentials': {},
  });
});
