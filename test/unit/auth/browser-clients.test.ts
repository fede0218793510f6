import { describe, expect, test } from 'vitest';
import { anyOf, apiKeys, custom, MemoryApiKeyStore, trustedHeaders } from '../../../src/auth.ts';
import type { Verifier } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { createServer, silentLogger } from '../../../src/index.ts';

const ORIGIN = 'https://app.example.com';

const keys = apiKeys(new MemoryApiKeyStore(), { header: 'X-Service-Key' });
const session = custom(() => undefined, { credentialHeaders: ['X-Session'] });
const proxy = trustedHeaders({ proxies: ['10.0.0.5'], id: 'x-user' });

/** The headers that a page may send, of those that it asks for. */
async function allowedOf(verify: Verifier, path: string): Promise<string | null> {
  const server = createServer({ name: 's', version: '1.0.0', logger: silentLogger });
  const handle = toFetchHandler(server, {
    auth: { verify, resource: 'https://s.test/mcp' },
    path: '/mcp',
    allowedOrigins: [ORIGIN],
  });
  const response = await handle(
    new Request(`http://localhost${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, X-Service-Key, x-session, x-user',
      },
    }),
  );
  await handle.close();
  await server.close();
  expect(response.status).toBe(204);
  return response.headers.get('access-control-allow-headers');
}

describe.each(['/mcp', '/.well-known/oauth-protected-resource/mcp'])('a preflight of %s', (path) => {
  test.each<[string, Verifier, string]>([
    ['apiKeys', keys, 'authorization, X-Service-Key'],
    ['custom', session, 'authorization, x-session'],
    ['anyOf', anyOf(keys, session), 'authorization, X-Service-Key, x-session'],
    // Set by a proxy, never by a page.
    ['trustedHeaders', proxy, 'authorization'],
  ])('allows the headers with credentials: %s', async (_name, verify, allowed) => {
    expect(await allowedOf(verify, path)).toBe(allowed);
  });
});

test('a page can read the nonce that a verifier of DPoP asks for', async () => {
  const verify = custom(
    () => ({
      kind: 'invalid' as const,
      error: 'use_dpop_nonce',
      description: 'A nonce is required.',
      headers: { 'DPoP-Nonce': 'n-1' },
    }),
    { scheme: 'DPoP' },
  );
  const server = createServer({ name: 's', version: '1.0.0', logger: silentLogger });
  const handle = toFetchHandler(server, {
    auth: { verify, resource: 'https://s.test/mcp' },
    allowedOrigins: [ORIGIN],
  });
  const { status, headers } = await handle(
    new Request('http://localhost/mcp', { method: 'POST', headers: { origin: ORIGIN } }),
  );
  expect([status, headers.get('dpop-nonce')]).toEqual([401, 'n-1']);
  expect(headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
  await handle.close();
  await server.close();
});
