import { UnauthorizedError } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { introspection, jwt } from '../../../src/auth.ts';
import type { AuthOptions, Verifier } from '../../../src/auth.ts';
import {
  AuthServer,
  CLIENT_SECRET,
  createNotes,
  RESOURCE_SERVER,
  serveProtected,
} from '../../support/auth-server.ts';
import type { Served } from '../../support/auth-server.ts';
import { OfficialClient, postCall, recordingFetch, TestOAuthClient } from '../../support/oauth-client.ts';

let authServer: AuthServer;
beforeAll(async () => {
  authServer = await AuthServer.start();
  return () => authServer.close();
});

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const opened of open.splice(0).toReversed()) await opened.close();
  await authServer.setTime(0);
});

const outbound = { allowPrivate: ['127.0.0.1'] };

function verifyJwt(audience: string): Verifier {
  return jwt({ issuer: authServer.issuer, audience, outbound, clock: authServer.clock });
}

function introspect(audience: string): Verifier {
  const { issuer, clock } = authServer;
  const credentials = { clientId: RESOURCE_SERVER, clientSecret: CLIENT_SECRET };
  return introspection({ issuer, audience, ...credentials, cacheMs: 0, outbound, clock });
}

async function serve(
  verify: (url: string) => Verifier,
  { path, ...options }: Partial<AuthOptions> & { readonly path?: string } = {},
): Promise<Served> {
  const served = await serveProtected(
    createNotes(),
    (url) => ({ auth: { verify: verify(url), requiredScopes: ['notes'], ...options } }),
    path,
  );
  open.push(served);
  return served;
}

function clientOf(
  { url }: Served,
  oauth: TestOAuthClient = new TestOAuthClient(),
  mode: 'auto' | 'legacy' = 'auto',
): OfficialClient {
  const client = new OfficialClient(url, oauth, mode);
  open.push(client);
  return client;
}

/** Requests until the client has a token. */
const DISCOVERY = [
  'POST /mcp 401',
  'GET /.well-known/oauth-protected-resource/mcp 200',
  'GET /.well-known/oauth-authorization-server 200',
];

describe.each(['auto', 'legacy'] as const)('the official client, %s', (mode) => {
  test('discovers, registers, authorizes, calls, steps up and calls again', async () => {
    const served = await serve(verifyJwt);
    const client = clientOf(served, new TestOAuthClient(), mode);
    await client.connect();
    expect(client.exchanges.slice(0, 6)).toEqual([
      ...DISCOVERY,
      'POST /reg 201',
      'POST /token 200',
      'POST /mcp 200',
    ]);
    const { opened } = client.oauth;
    expect(Object.fromEntries(opened[0]?.searchParams ?? [])).toEqual({
      response_type: 'code',
      client_id: client.oauth.saved.client?.client_id,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      redirect_uri: 'http://127.0.0.1/callback',
      // The client adds offline_access by itself: the authorization server offers it, this server does not name it.
      scope: 'notes offline_access',
      prompt: 'consent',
      resource: served.url,
    });
    expect(JSON.parse(await client.call('whoami'))).toEqual({
      id: `${authServer.issuer}|ada`,
      scopes: ['notes'],
    });

    const before = client.exchanges.length;
    await expect(client.call('write')).rejects.toThrow(UnauthorizedError);
    expect(client.exchanges.slice(before)).toEqual(['POST /mcp 403']);
    expect(client.challenges.at(-1)).toBe(
      `Bearer error="insufficient_scope", error_description="The call requires further scopes.", scope="notes notes:write", resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', served.url).href}"`,
    );
    expect(opened[1]?.searchParams.get('scope')).toBe('notes notes:write offline_access');
    await client.finishAuthorization();
    expect(await client.call('write')).toBe('written');
    expect(JSON.parse(await client.call('whoami'))).toEqual({
      id: `${authServer.issuer}|ada`,
      scopes: ['notes', 'notes:write'],
    });
  });

  test('refreshes a token that has expired', async () => {
    const client = clientOf(await serve(verifyJwt), new TestOAuthClient(), mode);
    await client.connect();
    expect(await client.call('whoami')).toContain('ada');
    const expired = client.oauth.accessToken;
    // Tokens are valid for 3,600 s, and 5 s longer by the leeway.
    await authServer.setTime(3_590_000);
    expect(await client.call('whoami')).toContain('ada');
    await authServer.setTime(3_606_000);
    const before = client.exchanges.length;
    expect(await client.call('whoami')).toContain('ada');
    expect(client.exchanges.slice(before)).toEqual(['POST /mcp 401', 'POST /token 200', 'POST /mcp 200']);
    expect(client.challenges.at(-1)).toContain('error_description="The token has expired."');
    expect(client.oauth.accessToken).not.toBe(expired);
    expect(client.oauth.opened).toHaveLength(1);
  });
});

test('a client metadata document in place of registration', async () => {
  const document = await authServer.publishClient(new TestOAuthClient().clientMetadata);
  open.push(document);
  const oauth = new TestOAuthClient({ clientMetadataUrl: document.url });
  const client = clientOf(await serve(verifyJwt), oauth);
  await client.connect();
  expect(client.exchanges.slice(0, 5)).toEqual([...DISCOVERY, 'POST /token 200', 'POST /mcp 200']);
  expect(oauth.opened[0]?.searchParams.get('client_id')).toBe(document.url);
  expect(await client.call('whoami')).toContain('ada');
  await expect(client.call('write')).rejects.toThrow(UnauthorizedError);
  await client.finishAuthorization();
  expect(await client.call('write')).toBe('written');
});

test('SDK 1.x: discovers, registers, authorizes and calls', async () => {
  const { url } = await serve(verifyJwt);
  const oauth = new TestOAuthClient();
  const exchanges: string[] = [];
  const createTransport = (): TransportV1 =>
    new TransportV1(new URL(url), { authProvider: oauth, fetch: recordingFetch(exchanges, []) });
  const client = new ClientV1({ name: 'test', version: '1.0.0' });
  const first = createTransport();
  await expect(client.connect(first)).rejects.toThrow('Unauthorized');
  await first.finishAuth(oauth.callback.get('code') ?? '');
  await client.connect(createTransport());
  open.push(client);
  expect(exchanges.slice(0, 5)).toEqual([...DISCOVERY, 'POST /reg 201', 'POST /token 200']);
  const { content } = await client.callTool({ name: 'whoami' });
  expect((content as [{ text: string }])[0].text).toContain('|ada');
});

describe('tokens for others', () => {
  test('a token for another resource is a 401', async () => {
    const [mine, other] = [await serve(verifyJwt), await serve(verifyJwt)];
    const client = clientOf(other);
    await client.connect();
    const { accessToken } = client.oauth;
    expect((await postCall(other.url, `Bearer ${accessToken}`)).status).toBe(200);
    const response = await postCall(mine.url, `Bearer ${accessToken}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('The token is for another audience.');
  });

  test('an opaque token for another resource is a 401', async () => {
    const [mine, other] = [
      await serve(introspect, { path: '/opaque' }),
      await serve(introspect, { path: '/opaque' }),
    ];
    const client = clientOf(other);
    await client.connect();
    const { accessToken } = client.oauth;
    expect((await postCall(other.url, `Bearer ${accessToken}`)).status).toBe(200);
    const response = await postCall(mine.url, `Bearer ${accessToken}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('The token is for another audience.');
  });

  test('a JWT is a 401 where tokens are opaque: the authorization server does not introspect it', async () => {
    const [jwtServer, opaque] = [await serve(verifyJwt), await serve(introspect, { path: '/opaque' })];
    const client = clientOf(jwtServer);
    await client.connect();
    const response = await postCall(opaque.url, `Bearer ${client.oauth.accessToken}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('The token is not active.');
  });

  test('a refresh token is no access token', async () => {
    for (const [verify, path] of [
      [verifyJwt, '/mcp'],
      [introspect, '/opaque'],
    ] as const) {
      const served = await serve(verify, { path });
      const client = clientOf(served);
      await client.connect();
      const token = client.oauth.saved.tokens?.refresh_token ?? '';
      expect((await postCall(served.url, `Bearer ${token}`)).status).toBe(401);
    }
  });
});

test.each(['auto', 'legacy'] as const)(
  'anonymous: true, %s: no flow until a tool needs scopes',
  async (mode) => {
    const client = clientOf(await serve(verifyJwt, { anonymous: true }), new TestOAuthClient(), mode);
    await client.connect();
    expect(await client.call('whoami')).toBe('"anonymous"');
    expect(client.exchanges.every((exchange) => /^POST \/mcp 20[02]$/.test(exchange))).toBe(true);
    await expect(client.call('write')).rejects.toThrow(UnauthorizedError);
    // The client has no token yet: the challenge is the one for requests without credentials.
    expect(client.exchanges.at(-2)).toBe('GET /.well-known/oauth-authorization-server 200');
    expect(client.challenges).toEqual([
      `Bearer scope="notes notes:write", resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', client.url).href}"`,
    ]);
    await client.finishAuthorization();
    // A session belongs to the caller that began it: that of the anonymous caller is unknown to the principal.
    if (mode === 'legacy') {
      await expect(client.call('write')).rejects.toThrow('Session not found');
      await client.close();
      await client.connect();
    }
    expect(await client.call('write')).toBe('written');
    for (const authorization of ['Bearer not-a-token', 'Bearer', 'Basic YWRhOnNlY3JldA==', 'DPoP token'])
      expect((await postCall(client.url, authorization)).status).toBe(401);
  },
);

describe('revocation', () => {
  test('introspection without a cache: the next call is a 401', async () => {
    const served = await serve(introspect, { path: '/opaque' });
    const client = clientOf(served);
    await client.connect();
    expect(JSON.parse(await client.call('whoami'))).toEqual({
      id: `${authServer.issuer}|ada`,
      scopes: ['notes'],
    });
    const { accessToken, saved } = client.oauth;
    expect(accessToken).toMatch(/^[\w-]{43}$/);
    const client_id = saved.client?.client_id ?? '';
    const revoked = await authServer.post('/token/revocation', { token: accessToken, client_id });
    expect(revoked.status).toBe(200);
    const response = await postCall(served.url, `Bearer ${accessToken}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('The token is not active.');

    // This authorization server revokes the refresh token with the access token: the client authorizes again.
    const before = client.exchanges.length;
    await expect(client.call('whoami')).rejects.toThrow(UnauthorizedError);
    expect(client.exchanges.slice(before)).toEqual(['POST /opaque 401', 'POST /token 400']);
    await client.finishAuthorization();
    expect(await client.call('whoami')).toContain('ada');
  });

  test('jwt: a token is accepted until it expires, whatever was revoked', async () => {
    const served = await serve(verifyJwt);
    const client = clientOf(served);
    await client.connect();
    const { accessToken, saved } = client.oauth;
    const client_id = saved.client?.client_id ?? '';
    const revoke = async (token: string): Promise<number> =>
      (await authServer.post('/token/revocation', { token, client_id })).status;
    // A JWT cannot be revoked at this authorization server; the grant can.
    expect(await revoke(accessToken)).toBe(400);
    expect(await revoke(saved.tokens?.refresh_token ?? '')).toBe(200);
    const ask = async (): Promise<number> => (await postCall(served.url, `Bearer ${accessToken}`)).status;
    expect(await ask()).toBe(200);
    await authServer.setTime(3_590_000);
    expect(await ask()).toBe(200);
    await authServer.setTime(3_606_000);
    expect(await ask()).toBe(401);
  });
});
