import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { anyOf, apiKeys, createApiKey, jwt, MemoryApiKeyStore, trustedHeaders } from '../../../src/auth.ts';
import type { AuthOptions, Verifier } from '../../../src/auth.ts';
import { serveHttp } from '../../../src/http.ts';
import { createServer, defineTool, silentLogger } from '../../../src/index.ts';
import { createTestIssuer } from '../../../src/testing.ts';
import * as z from 'zod';

const RESOURCE = 'https://server.test/mcp';
const METADATA = 'https://server.test/.well-known/oauth-protected-resource/mcp';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0).toReversed()) await close();
});

async function serve(
  auth: Verifier | AuthOptions,
): Promise<{ url: string; ask: (headers?: Record<string, string>, path?: string) => Promise<Response> }> {
  const whoami = defineTool({
    name: 'whoami',
    description: 'Tells the caller',
    inputSchema: z.object({}),
    handler: ({ context }) => JSON.stringify(context.principal ?? 'anonymous'),
  });
  const server = createServer({ name: 'protected', version: '1.0.0', tools: [whoami], logger: silentLogger });
  const running = await serveHttp(server, { port: 0, auth });
  open.push({ close: () => running.close() });
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'whoami',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  return {
    url: running.url,
    ask: (headers = {}, path = '') =>
      fetch(`${running.url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'whoami',
          ...headers,
        },
        body,
      }),
  };
}

async function principalOf(response: Response): Promise<unknown> {
  const { result } = (await response.json()) as { result: { content: [{ text: string }] } };
  return JSON.parse(result.content[0].text);
}

describe('jwt', () => {
  test('the official client lists and calls with a valid token, in both eras', async () => {
    const issuer = await createTestIssuer();
    const { url } = await serve(jwt(issuer.jwtOptions));
    const token = await issuer.tokenFor({ sub: 'ada', scopes: ['notes:read', 'notes:write'] });
    for (const mode of ['auto', 'legacy'] as const) {
      const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      const { content } = await client.callTool({ name: 'whoami' });
      expect(JSON.parse((content as unknown as [{ text: string }])[0].text)).toMatchObject({
        id: 'https://issuer.test|ada',
        scopes: ['notes:read', 'notes:write'],
        roles: [],
      });
      await client.close();
    }
  });

  test('a request without a token is a 401 that names the metadata; the metadata names the issuer', async () => {
    const issuer = await createTestIssuer();
    const { ask, url } = await serve({
      verify: jwt(issuer.jwtOptions),
      requiredScopes: ['mcp'],
      resourceName: 'Notes',
    });
    const response = await ask();
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="mcp", resource_metadata="${METADATA}"`,
    );
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
    ]) {
      const metadata = await fetch(new URL(path, url));
      expect(metadata.status).toBe(200);
      expect(await metadata.json()).toEqual({
        resource: RESOURCE,
        authorization_servers: ['https://issuer.test'],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
        resource_name: 'Notes',
      });
    }
  });

  test('a token that lacks a required scope is a 403 that names all of them', async () => {
    const issuer = await createTestIssuer();
    const { ask } = await serve({ verify: jwt(issuer.jwtOptions), requiredScopes: ['mcp', 'notes'] });
    const token = await issuer.tokenFor({ sub: 'ada', scopes: ['mcp'] });
    const response = await ask({ authorization: `Bearer ${token}` });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", error_description="The token lacks a scope that this server requires.", scope="mcp notes", resource_metadata="${METADATA}"`,
    );
  });

  test('a token in the query string is a 401', async () => {
    const issuer = await createTestIssuer();
    const { ask } = await serve({ verify: jwt(issuer.jwtOptions), anonymous: true });
    const token = await issuer.tokenFor({ sub: 'ada' });
    const response = await ask({}, `?access_token=${token}`);
    // RFC 6750, 3.1: an unsupported way to authenticate has no error code.
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA}"`,
    ]);
    expect(await response.json()).toMatchObject({
      error: {
        message: 'A token in the query string is not accepted. Send it in the header Authorization alone.',
      },
    });
  });

  test('a token in the query string beside the header is a 400', async () => {
    const issuer = await createTestIssuer();
    const { ask } = await serve(jwt(issuer.jwtOptions));
    const token = await issuer.tokenFor({ sub: 'ada' });
    const response = await ask({ authorization: `Bearer ${token}` }, `?access_token=${token}`);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      400,
      `Bearer error="invalid_request", error_description="A token in the query string is not accepted. Send it in the header Authorization alone.", resource_metadata="${METADATA}"`,
    ]);
  });

  test('anonymous: true serves requests without credentials, and no invalid ones', async () => {
    const issuer = await createTestIssuer();
    const { ask } = await serve({ verify: jwt(issuer.jwtOptions), anonymous: true });
    expect(await principalOf(await ask())).toBe('anonymous');
    const expired = await issuer.tokenFor({ sub: 'ada', expiresIn: -60 });
    const response = await ask({ authorization: `Bearer ${expired}` });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error_description="The token has expired."');
  });
});

describe('apiKeys', () => {
  test('a key is valid until the store loses it', async () => {
    const store = new MemoryApiKeyStore();
    const { key, record } = createApiKey({ id: 'ci', scopes: ['notes:read'] });
    store.add(record);
    const { ask } = await serve({ verify: apiKeys(store, { header: 'x-api-key' }), resource: RESOURCE });
    expect(await principalOf(await ask({ 'x-api-key': key }))).toEqual({ id: 'ci', scopes: ['notes:read'] });
    const other = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    expect((await ask({ 'x-api-key': other })).status).toBe(401);
    expect(JSON.stringify(record)).not.toContain(key.slice(-43));
    store.remove(record.prefix);
    expect((await ask({ 'x-api-key': key })).status).toBe(401);
  });
});

describe('trustedHeaders', () => {
  test('headers of a named proxy are the identity; those of any other address are a 401', async () => {
    const identity = { 'x-user': 'ada', 'x-scopes': 'notes:read, notes:write' };
    const named = await serve({
      verify: trustedHeaders({ proxies: ['127.0.0.1'], id: 'x-user', scopes: 'x-scopes' }),
      resource: RESOURCE,
    });
    expect(await principalOf(await named.ask(identity))).toEqual({
      id: 'ada',
      scopes: ['notes:read', 'notes:write'],
      roles: [],
    });
    const other = await serve({
      verify: trustedHeaders({ proxies: ['10.0.0.0/8'], id: 'x-user' }),
      resource: RESOURCE,
      anonymous: true,
    });
    expect((await other.ask(identity)).status).toBe(401);
  });
});

describe('anyOf', () => {
  test('accepts the credentials of each, and rejects those of none', async () => {
    const issuer = await createTestIssuer();
    const store = new MemoryApiKeyStore();
    const { key, record } = createApiKey({ id: 'ci' });
    store.add(record);
    const { ask } = await serve({ verify: anyOf(jwt(issuer.jwtOptions), apiKeys(store)), anonymous: true });
    const token = await issuer.tokenFor({ sub: 'ada' });
    expect(await principalOf(await ask({ authorization: `Bearer ${token}` }))).toMatchObject({
      id: 'https://issuer.test|ada',
    });
    expect(await principalOf(await ask({ authorization: `Bearer ${key}` }))).toEqual({ id: 'ci' });
    expect((await ask({ authorization: 'Bearer something' })).status).toBe(401);
    expect(await principalOf(await ask())).toBe('anonymous');
  });
});

describe('authorize', () => {
  test('adds scopes, roles and a tenant, once for a principal', async () => {
    const issuer = await createTestIssuer();
    const asked: string[] = [];
    const { ask } = await serve({
      verify: jwt(issuer.jwtOptions),
      authorize: async ({ id }) => {
        asked.push(id);
        return { scopes: ['admin'], roles: ['owner'], tenant: 'acme' };
      },
    });
    const token = await issuer.tokenFor({ sub: 'ada', scopes: ['notes'] });
    for (let times = 0; times < 3; times += 1)
      expect(await principalOf(await ask({ authorization: `Bearer ${token}` }))).toMatchObject({
        scopes: ['notes', 'admin'],
        roles: ['owner'],
        tenant: 'acme',
      });
    expect(asked).toEqual(['https://issuer.test|ada']);
  });

  test('one that fails is a 503', async () => {
    const issuer = await createTestIssuer();
    const { ask } = await serve({
      verify: jwt(issuer.jwtOptions),
      authorize: () => Promise.reject(new Error('database is down')),
    });
    const token = await issuer.tokenFor({ sub: 'ada' });
    const response = await ask({ authorization: `Bearer ${token}` });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('database');
  });
});
