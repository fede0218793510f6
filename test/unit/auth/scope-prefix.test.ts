import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { anyOf, apiKeys, introspection, issuerPreset, jwt, MemoryApiKeyStore } from '../../../src/auth.ts';
import type { AuthOptions } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { serveHttp } from '../../../src/http.ts';
import { createServer, defineTool, silentLogger } from '../../../src/index.ts';
import { createTestIssuer } from '../../../src/testing.ts';

const CLIENT = '11111111-2222-3333-4444-555555555555';
const RESOURCE = 'https://server.test/mcp';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const entra = issuerPreset('entra', { tenantId: '268da1a1-9db4-48b9-b1fe-683250ba90cc', audience: CLIENT });

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

type Send = (path: string, init?: RequestInit) => Promise<Response>;

function createNotes() {
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    logger: silentLogger,
    missingScopes: 'challenge',
    tools: [
      defineTool({
        name: 'write',
        description: 'Writes',
        scopes: ['Notes.Write'],
        inputSchema: z.object({}),
        handler: () => 'written',
      }),
    ],
  });
  open.push(() => server.close());
  return server;
}

const FACES: Record<string, (auth: AuthOptions) => Promise<Send>> = {
  node: async (auth) => {
    const running = await serveHttp(createNotes(), { port: 0, auth });
    open.push(() => running.close());
    return (path, init) => fetch(new URL(path, running.url), init);
  },
  fetch: async (auth) => {
    const handle = toFetchHandler(createNotes(), { auth });
    return (path, init) => handle(new Request(new URL(path, 'http://localhost'), init));
  },
};

/** A call of the tool, with the token or without. */
function call(send: Send, token?: string): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'write', arguments: {}, _meta };
  return send('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'write',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}

const scopeOf = (response: Response): string | undefined =>
  /scope="(?<scope>[^"]*)"/.exec(response.headers.get('www-authenticate') ?? '')?.groups?.['scope'];

async function scopesSupported(send: Send): Promise<unknown> {
  return ((await (await send(METADATA)).json()) as { scopes_supported: unknown }).scopes_supported;
}

describe.each(Object.entries(FACES))('%s', (_, serve) => {
  test('Entra: scopes are announced as clients request them, and compared as tokens have them', async () => {
    const issuer = await createTestIssuer({ issuer: entra.issuer, audience: CLIENT, algorithm: 'RS256' });
    const { fetch: keys } = issuer.jwtOptions;
    const verify = jwt({ ...entra, ...(keys && { fetch: keys }) });
    const send = await serve({ verify, resource: RESOURCE, requiredScopes: ['Notes.Read'] });
    const tokenWith = (scp: string): Promise<string> => issuer.tokenFor({ sub: 'ada', claims: { scp } });

    expect(await scopesSupported(send)).toEqual([`api://${CLIENT}/Notes.Read`]);

    const unknown = await call(send);
    expect([unknown.status, scopeOf(unknown)]).toEqual([401, `api://${CLIENT}/Notes.Read`]);
    const other = await call(send, await tokenWith('Other'));
    expect([other.status, scopeOf(other)]).toEqual([403, `api://${CLIENT}/Notes.Read`]);
    const reader = await call(send, await tokenWith('Notes.Read'));
    expect([reader.status, scopeOf(reader)]).toEqual([
      403,
      `api://${CLIENT}/Notes.Read api://${CLIENT}/Notes.Write`,
    ]);
    const writer = await call(send, await tokenWith('Notes.Read Notes.Write'));
    expect(writer.status).toBe(200);
  });

  test('an anonymous caller of a tool with scopes is told the long ones', async () => {
    const send = await serve({ verify: jwt(entra), resource: RESOURCE, anonymous: true });
    const response = await call(send);
    expect([response.status, scopeOf(response)]).toEqual([401, `api://${CLIENT}/Notes.Write`]);
  });
});

const announced = async (verify: AuthOptions['verify'], scopes: readonly string[]): Promise<unknown> =>
  scopesSupported(
    await (FACES['fetch'] as (typeof FACES)[string])({ verify, resource: RESOURCE, scopesSupported: scopes }),
  );

const issuer = 'https://id.example.com';
const prefixed = { issuer, audience: RESOURCE, scopePrefix: 'notes/' };

test('scopes of OpenID Connect, and scopes that are URIs, are announced as they are', async () => {
  const scopes = [
    'openid',
    'profile',
    'email',
    'address',
    'phone',
    'offline_access',
    'api://other/Read',
    'read',
  ];
  expect(await announced(jwt(prefixed), scopes)).toEqual([
    'openid',
    'profile',
    'email',
    'address',
    'phone',
    'api://other/Read',
    'notes/read',
  ]);
});

test('introspection has the option too', async () => {
  const verify = introspection({ ...prefixed, clientId: 'a', clientSecret: 'b' });
  expect(await announced(verify, ['read'])).toEqual(['notes/read']);
});

test('of several verifiers, the first one with an authorization server decides', async () => {
  const keys = apiKeys(new MemoryApiKeyStore());
  const plain = jwt({ issuer: 'https://other.example.com', audience: RESOURCE });
  expect(await announced(anyOf(keys, jwt(prefixed), plain), ['read'])).toEqual(['notes/read']);
  expect(await announced(anyOf(keys, plain, jwt(prefixed)), ['read'])).toEqual(['read']);
});

test('an invalid prefix is rejected', () => {
  expect(() => jwt({ ...prefixed, scopePrefix: '' })).toThrow('scopePrefix');
  expect(() => jwt({ ...prefixed, scopePrefix: 7 as never })).toThrow('scopePrefix');
});
