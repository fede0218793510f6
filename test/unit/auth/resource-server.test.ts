/** Requirements of the authorization chapters that no other file shows. `conformance/authorization.md` cites the titles. */
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { custom, introspection, jwt } from '../../../src/auth.ts';
import type { AuthOptions, Verifier } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { serveHttp } from '../../../src/http.ts';
import { createServer, defineTool, silentLogger } from '../../../src/index.ts';
import { createTestIssuer } from '../../../src/testing.ts';

const RESOURCE = 'https://server.test/mcp';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

interface Sent {
  readonly token?: string | undefined;
  readonly method?: string;
  readonly rpc?: string;
  readonly params?: object;
  readonly session?: string;
}

let handled = 0;

async function serve(auth: Verifier | AuthOptions): Promise<(sent?: Sent) => Promise<Response>> {
  handled = 0;
  const server = createServer({
    name: 'protected',
    version: '1.0.0',
    logger: silentLogger,
    missingScopes: 'challenge',
    tools: [
      defineTool({
        name: 'write',
        description: 'Writes',
        scopes: ['files:write', 'offline_access'],
        inputSchema: z.object({}),
        handler: () => {
          handled += 1;
          return 'written';
        },
      }),
    ],
  });
  const running = await serveHttp(server, { port: 0, auth });
  open.push(() => running.close());
  return ({
    token,
    method = 'POST',
    rpc = 'tools/call',
    params = { name: 'write', arguments: {} },
    session,
  } = {}) =>
    fetch(running.url, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      },
      ...(method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: rpc, params }) } : {}),
    });
}

const initialize = (protocolVersion: string): Sent => ({
  rpc: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

test('no request is served without a token, whatever its method, its revision and its session', async () => {
  const issuer = await createTestIssuer();
  const send = await serve(jwt(issuer.jwtOptions));
  const token = await issuer.tokenFor({ sub: 'ada', scopes: ['files:write', 'offline_access'] });
  for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25'])
    expect((await send(initialize(revision))).status).toBe(401);
  const opened = await send({ ...initialize('2025-11-25'), token });
  expect(opened.status).toBe(200);
  const session = opened.headers.get('mcp-session-id') ?? '';
  expect(session).not.toBe('');
  for (const method of ['POST', 'GET', 'DELETE']) {
    const response = await send({ method, session });
    expect([method, response.status]).toEqual([method, 401]);
    expect(response.headers.get('www-authenticate')).toContain('resource_metadata="https://server.test/');
  }
  expect(handled).toBe(0);
  expect((await send({ session, token })).status).toBe(200);
  expect(handled).toBe(1);
});

test('an invalid token is a 401 with error="invalid_token", and reaches no handler', async () => {
  const issuer = await createTestIssuer();
  const stranger = await createTestIssuer();
  const send = await serve(jwt(issuer.jwtOptions));
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: 'ada' };
  const tokens: Record<string, string> = {
    'another key': await stranger.tokenFor(claims),
    'another issuer': await issuer.tokenFor({ ...claims, claims: { iss: 'https://evil.test' } }),
    'no issuer': await issuer.tokenFor({ ...claims, claims: { iss: undefined } }),
    expired: await issuer.tokenFor({ ...claims, expiresIn: -60 }),
    'no expiry': await issuer.tokenFor({ ...claims, claims: { exp: undefined } }),
    'not valid yet': await issuer.tokenFor({ ...claims, claims: { nbf: now + 60 } }),
    'issued in the future': await issuer.tokenFor({ ...claims, claims: { iat: now + 60 } }),
    'no subject': await issuer.tokenFor({ sub: '' }),
    'an ID token': await issuer.tokenFor({ ...claims, header: { typ: 'id_token+jwt' } }),
    'no signature':
      `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: issuer.issuer, aud: RESOURCE, sub: 'ada', exp: now + 60 }))}.`.replaceAll(
        '=',
        '',
      ),
    text: 'text',
  };
  for (const [name, token] of Object.entries(tokens)) {
    const response = await send({ ...initialize('2025-11-25'), token });
    expect([name, response.status]).toEqual([name, 401]);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await response.text()).not.toContain(token);
  }
  expect(handled).toBe(0);
});

test('a token is accepted only if its audience is this resource exactly', async () => {
  const issuer = await createTestIssuer();
  const send = await serve(jwt(issuer.jwtOptions));
  const statusOf = async (audience: unknown): Promise<number> => {
    const token = await issuer.tokenFor({ sub: 'ada', claims: { aud: audience } });
    return (await send({ ...initialize('2025-11-25'), token })).status;
  };
  expect(await statusOf(RESOURCE)).toBe(200);
  expect(await statusOf(['https://other.test', RESOURCE])).toBe(200);
  for (const audience of [
    undefined,
    [],
    'https://other.test/mcp',
    'https://server.test',
    'https://server.test/mcp/',
    'https://server.test/mcp/v2',
    'https://server.test.evil.test/mcp',
    'http://server.test/mcp',
    'server.test/mcp',
  ])
    expect([audience, await statusOf(audience)]).toEqual([audience, 401]);
});

describe.each(Object.entries({ jwt: jwtStatus, introspection: introspectionStatus }))('%s', (_, statusOf) => {
  test('the scheme and the host of an audience are compared in any case, and nothing else is', async () => {
    const resource = 'https://notes.example.com/mcp';
    for (const aud of ['HTTPS://Notes.Example.com/mcp', ['a', 'Https://NOTES.example.com/mcp']])
      expect([aud, await statusOf(aud, resource)]).toEqual([aud, 200]);
    for (const aud of [
      'https://notes.example.com/MCP',
      'https://notes.example.com/mcp/',
      'https://notes.example.com/mcp?a',
      'https://notes.example.com:443/mcp',
      'https://notes.example.com/./mcp',
      'https://notes.example.com/%6Dcp',
      'https://notes.example.com./mcp',
      'https://ada@notes.example.com/mcp',
      ' https://notes.example.com/mcp',
      7,
      { href: resource },
    ])
      expect([aud, await statusOf(aud, resource)]).toEqual([aud, 401]);
    // The Kelvin sign, whose lower case is "k".
    expect(await statusOf('https://\u212Aey.example.com', 'https://key.example.com')).toBe(401);
  });

  test('the audience of an origin is accepted with and without its slash', async () => {
    expect(await statusOf('https://Notes.example.com/', 'https://notes.example.com')).toBe(200);
    expect(await statusOf('https://notes.example.com', 'https://NOTES.example.com/')).toBe(200);
    expect(await statusOf('https://notes.example.com//', 'https://notes.example.com')).toBe(401);
  });

  test('an audience that is no http URL is compared as it is written', async () => {
    const own = { resource: 'https://notes.example.com/mcp' };
    expect(await statusOf('api://Default', 'api://Default', own)).toBe(200);
    expect(await statusOf('api://default', 'api://Default', own)).toBe(401);
    expect(await statusOf('notes', 'Notes', own)).toBe(401);
  });
});

async function jwtStatus(aud: unknown, audience: string, own: Partial<AuthOptions> = {}): Promise<number> {
  const issuer = await createTestIssuer();
  const send = await serve({ verify: jwt({ ...issuer.jwtOptions, audience }), ...own });
  const token = await issuer.tokenFor({ sub: 'ada', claims: { aud } });
  return (await send({ ...initialize('2025-11-25'), token })).status;
}

async function introspectionStatus(
  aud: unknown,
  audience: string,
  own: Partial<AuthOptions> = {},
): Promise<number> {
  const verify = introspection({
    issuer: 'https://issuer.test',
    audience,
    endpoint: 'https://issuer.test/introspect',
    clientId: 'notes',
    clientSecret: 'secret',
    fetch: async () => Response.json({ active: true, sub: 'ada', aud }),
  });
  const send = await serve({ verify, ...own });
  return (await send({ ...initialize('2025-11-25'), token: 'opaque' })).status;
}

test('offline_access is in no challenge and in no metadata', async () => {
  const issuer = await createTestIssuer();
  const auth: AuthOptions = {
    verify: jwt(issuer.jwtOptions),
    scopesSupported: ['files:read', 'offline_access'],
  };
  const send = await serve(auth);
  const token = await issuer.tokenFor({ sub: 'ada' });
  const opened = await send({ ...initialize('2025-11-25'), token });
  const response = await send({ token, session: opened.headers.get('mcp-session-id') ?? '' });
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toBe(
    'Bearer error="insufficient_scope", error_description="The call requires further scopes.", scope="files:write", resource_metadata="https://server.test/.well-known/oauth-protected-resource/mcp"',
  );
  const handler = toFetchHandler(createServer({ name: 'p', version: '1', logger: silentLogger }), {
    auth,
    allowedHosts: ['server.test'],
  });
  const metadata = await handler(new Request('https://server.test/.well-known/oauth-protected-resource/mcp'));
  expect(await metadata.json()).toMatchObject({ scopes_supported: ['files:read'] });
});

test('authorize adds the scopes that a broader scope implies', async () => {
  const issuer = await createTestIssuer();
  const send = await serve({
    verify: jwt(issuer.jwtOptions),
    authorize: ({ scopes = [] }) =>
      scopes.includes('files') ? { scopes: ['files:write', 'offline_access'] } : {},
  });
  const statusOf = async (scope: string): Promise<number> => {
    const token = await issuer.tokenFor({ sub: scope, scopes: [scope] });
    const opened = await send({ ...initialize('2025-11-25'), token });
    return (await send({ token, session: opened.headers.get('mcp-session-id') ?? '' })).status;
  };
  expect(await statusOf('files')).toBe(200);
  expect(await statusOf('mail')).toBe(403);
});

test('the metadata lists every issuer of the verifiers, or the servers that are named', async () => {
  const verify = custom(() => ({ id: 'ada' }), {
    authorizationServers: ['https://a.test', 'https://b.test'],
  });
  const metadataOf = async (auth: AuthOptions): Promise<unknown> => {
    const handler = toFetchHandler(createServer({ name: 'p', version: '1', logger: silentLogger }), {
      auth,
      allowedHosts: ['server.test'],
    });
    const found = await handler(new Request('https://server.test/.well-known/oauth-protected-resource'));
    return ((await found.json()) as { authorization_servers: unknown }).authorization_servers;
  };
  expect(await metadataOf({ verify, resource: RESOURCE })).toEqual(['https://a.test', 'https://b.test']);
  expect(await metadataOf({ verify, resource: RESOURCE, authorizationServers: ['https://c.test'] })).toEqual([
    'https://c.test',
  ]);
});

test('keys of an issuer at a private address are not fetched unless it is allowed', async () => {
  const issuer = await createTestIssuer();
  const http = createHttpServer((_request, response) => response.end(JSON.stringify(issuer.jwks)));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  open.push(() => new Promise((resolve) => http.close(resolve)));
  const jwksUri = `http://127.0.0.1:${(http.address() as AddressInfo).port}/keys`;
  const { fetch: _fetch, ...options } = issuer.jwtOptions;
  const token = await issuer.tokenFor({ sub: 'ada' });
  const statusOf = async (verify: Verifier): Promise<number> =>
    (await (await serve(verify))({ ...initialize('2025-11-25'), token })).status;
  expect(await statusOf(jwt({ ...options, jwksUri }))).toBe(503);
  expect(await statusOf(jwt({ ...options, jwksUri, outbound: { allowPrivate: ['127.0.0.1'] } }))).toBe(200);
});
