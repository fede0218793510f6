import { readFileSync } from 'node:fs';
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { introspection, jwt } from '../../../src/auth.ts';
import {
  AuthServer,
  CLIENT_SECRET,
  createNotes,
  MACHINE,
  RESOURCE_SERVER,
  serveProtected,
} from '../../support/auth-server.ts';
import type { Served } from '../../support/auth-server.ts';
import { dpop } from '../../support/dpop.ts';
import { OfficialClient, postCall, recordingFetch, TestOAuthClient } from '../../support/oauth-client.ts';

let authServer: AuthServer;
beforeAll(async () => {
  authServer = await AuthServer.start();
  return () => authServer.close();
});

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close();
});

const outbound = { allowPrivate: ['127.0.0.1'] };

describe('DPoP', () => {
  test('the page shows the verifier of these tests', () => {
    const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const [, source = ''] = /^(\/\*\* The keys[\s\S]*)/m.exec(read('test/support/dpop.ts')) ?? [];
    expect(source).toContain('export function dpop(');
    expect(read('docs/authorization-servers.md')).toContain(source);
  });

  async function serve(): Promise<Served> {
    const { issuer } = authServer;
    const served = await serveProtected(createNotes(), (resource) => ({
      auth: {
        verify: dpop({ issuer, jwksUri: `${issuer}/jwks`, resource }),
        requiredScopes: ['notes'],
      },
    }));
    open.push(served);
    return served;
  }

  async function connect({ url }: Served, mode: 'auto' | 'legacy' = 'auto'): Promise<OfficialClient> {
    const client = new OfficialClient(url, new TestOAuthClient({ dpop: true }), mode);
    open.push(client);
    await client.connect();
    return client;
  }

  test.each(['auto', 'legacy'] as const)('the official client, %s: flow, call and step-up', async (mode) => {
    const served = await serve();
    const client = await connect(served, mode);
    const metadata = `resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', served.url).href}"`;
    expect(client.challenges[0]).toBe(`DPoP scope="notes", algs="ES256", ${metadata}`);
    expect(client.oauth.saved.tokens?.token_type).toBe('DPoP');
    expect(JSON.parse(await client.call('whoami'))).toEqual({
      id: `${authServer.issuer}|ada`,
      scopes: ['notes'],
    });
    await expect(client.call('write')).rejects.toThrow('Unauthorized');
    expect(client.challenges.at(-1)).toBe(
      `DPoP error="insufficient_scope", error_description="The call requires further scopes.", scope="notes notes:write", algs="ES256", ${metadata}`,
    );
    await client.finishAuthorization();
    expect(await client.call('write')).toBe('written');
  });

  test('a proof counts once, for its request and its token', async () => {
    const served = await serve();
    const { oauth } = await connect(served);
    const { accessToken } = oauth;
    const session = await oauth.dpop?.();
    const prove = (htm: string, htu: string, token = accessToken): Promise<string> =>
      session?.buildProof({ htm, htu, accessToken: token }) ?? Promise.reject(new Error('no session'));
    const ask = async (proof: string, scheme = 'DPoP'): Promise<Response> =>
      postCall(served.url, `${scheme} ${accessToken}`, { dpop: proof });

    const proof = await prove('POST', served.url);
    expect((await ask(proof)).status).toBe(200);
    const again = await ask(proof);
    expect(again.status).toBe(401);
    expect(again.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"');
    for (const wrong of [
      await prove('GET', served.url),
      await prove('POST', 'https://other.test/mcp'),
      await prove('POST', served.url, 'another-token'),
      'not-a-proof',
      '',
    ]) {
      const response = await ask(wrong);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    expect((await ask(await prove('POST', served.url), 'Bearer')).status).toBe(401);
  });

  test('a token that is bound to a key is not accepted as a bearer token', async () => {
    const { issuer } = authServer;
    const credentials = { clientId: RESOURCE_SERVER, clientSecret: CLIENT_SECRET };
    for (const [path, verify] of [
      ['/mcp', (audience: string) => jwt({ issuer, audience, outbound })],
      ['/opaque', (audience: string) => introspection({ issuer, audience, ...credentials, outbound })],
    ] as const) {
      const served = await serveProtected(
        createNotes(),
        (url) => ({ auth: { verify: verify(url), requiredScopes: ['notes'] } }),
        path,
      );
      open.push(served);
      const oauth = new TestOAuthClient({ dpop: true });
      const client = new OfficialClient(served.url, oauth, 'auto');
      open.push(client);
      // The client has a bound token now, and sends it as one.
      await expect(client.connect()).rejects.toThrow();
      expect(oauth.saved.tokens?.token_type).toBe('DPoP');
      const response = await postCall(served.url, `Bearer ${oauth.accessToken}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('The token is bound to a key');
    }
  });
});

describe('client credentials', () => {
  test('the extension is declared, and a client without a user calls', async () => {
    const { issuer } = authServer;
    const served = await serveProtected(createNotes(), (audience) => ({
      auth: {
        verify: jwt({ issuer, audience, outbound }),
        requiredScopes: ['notes'],
        clientCredentials: true,
      },
    }));
    open.push(served);
    const exchanges: string[] = [];
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    open.push(client);
    const authProvider = new ClientCredentialsProvider({
      clientId: MACHINE,
      clientSecret: CLIENT_SECRET,
      expectedIssuer: issuer,
    });
    const fetch = recordingFetch(exchanges, []);
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { authProvider, fetch }));
    expect(exchanges).toEqual([
      'POST /mcp 401',
      'GET /.well-known/oauth-protected-resource/mcp 200',
      'GET /.well-known/oauth-authorization-server 200',
      'POST /token 200',
      'POST /mcp 200',
    ]);
    expect(client.getServerCapabilities()?.extensions).toEqual({
      'io.modelcontextprotocol/tasks': {},
      'io.modelcontextprotocol/oauth-client-credentials': {},
    });
    const { content } = await client.callTool({ name: 'whoami', arguments: {} });
    expect(JSON.parse((content as unknown as [{ text: string }])[0].text)).toEqual({
      id: `${issuer}|nightly-job`,
      scopes: ['notes'],
    });
  });
});
