import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectedApi } from './support/connected-api.ts';
import { headerOf, RecordingServer } from './support/recording-server.ts';
import type { RecordedRequest } from './support/recording-server.ts';

const OK = { responses: { 200: { description: 'It arrived' } } };

function paths(requirements: Readonly<Record<string, readonly object[]>>): object {
  return Object.fromEntries(
    Object.entries(requirements).map(([name, security]) => [
      `/${name}`,
      { get: { operationId: name, security, ...OK } },
    ]),
  );
}

const SCHEMES = {
  keyInHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  keyInQuery: { type: 'apiKey', in: 'query', name: 'api key' },
  keyInCookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://id.invalid/.well-known/openid-configuration' },
};

const CREDENTIALS = {
  keyInHeader: 'key-1',
  keyInQuery: 'key 2&',
  keyInCookie: 'key-3',
  basic: 'ann:pass:wörd',
  bearer: 'token-4',
  openId: 'token-5',
};

interface SecurityCase {
  readonly operation: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const NONE = { 'x-api-key': undefined, authorization: undefined, cookie: undefined };

const CASES: readonly SecurityCase[] = [
  { operation: 'keyInHeader', headers: { ...NONE, 'x-api-key': 'key-1' } },
  { operation: 'keyInQuery', target: '/keyInQuery?api%20key=key%202%26', headers: NONE },
  { operation: 'keyInCookie', headers: { ...NONE, cookie: 'session=key-3' } },
  // user:pass:wörd in UTF-8.
  { operation: 'basic', headers: { ...NONE, authorization: 'Basic YW5uOnBhc3M6d8O2cmQ=' } },
  { operation: 'bearer', headers: { ...NONE, authorization: 'Bearer token-4' } },
  { operation: 'openId', headers: { ...NONE, authorization: 'Bearer token-5' } },
  { operation: 'both', headers: { ...NONE, 'x-api-key': 'key-1', authorization: 'Bearer token-4' } },
  { operation: 'either', headers: { ...NONE, cookie: 'session=key-3' } },
  { operation: 'nothing', headers: NONE },
];

describe('credentials of a document', () => {
  let connected: ConnectedApi;
  beforeAll(async () => {
    connected = await ConnectedApi.open((origin) => ({
      document: {
        openapi: '3.1.1',
        info: { title: 'Secured', version: '1' },
        servers: [{ url: origin }],
        components: { securitySchemes: { ...SCHEMES, unknown: { type: 'http', scheme: 'hoba' } } },
        paths: paths({
          keyInHeader: [{ keyInHeader: [] }],
          keyInQuery: [{ keyInQuery: [] }],
          keyInCookie: [{ keyInCookie: [] }],
          basic: [{ basic: [] }],
          bearer: [{ bearer: [] }],
          openId: [{ openId: ['pets:read'] }],
          both: [{ keyInHeader: [], bearer: [] }],
          either: [{ unknown: [] }, { keyInCookie: [] }],
          nothing: [],
        }),
      },
      openapi: { credentials: CREDENTIALS },
    }));
  });
  afterAll(() => connected.close());

  test.for(CASES)('$operation', async ({ operation, target = `/${operation}`, headers = {} }) => {
    const request = await connected.send(operation);
    expect(request.target).toBe(target);
    for (const [name, value] of Object.entries(headers)) expect(headerOf(request, name), name).toBe(value);
  });

  test('credentials are not arguments', async () => {
    const tools = await connected.client.listTools();
    expect(tools.map(({ inputSchema }) => Object.keys(inputSchema['properties'] ?? {}))).toEqual(
      CASES.map(() => ['continue_from']),
    );
  });
});

test('Swagger 2.0: a key, a user and a token', async () => {
  const connected = await ConnectedApi.open((origin) => ({
    document: {
      swagger: '2.0',
      info: { title: 'Secured', version: '1' },
      host: new URL(origin).host,
      schemes: ['http'],
      securityDefinitions: {
        key: { type: 'apiKey', in: 'query', name: 'token' },
        user: { type: 'basic' },
        oauth: {
          type: 'oauth2',
          flow: 'application',
          tokenUrl: `${origin}/token`,
          scopes: { 'pets:read': 'Read' },
        },
      },
      paths: paths({ key: [{ key: [] }], user: [{ user: [] }], oauth: [{ oauth: ['pets:read'] }] }),
    },
    openapi: { credentials: { key: 'k', user: 'a:b', oauth: { clientId: 'id', clientSecret: 'secret' } } },
  }));
  connected.api.answer = ({ target }) =>
    target === '/token'
      ? {
          headers: { 'content-type': 'application/json' },
          body: '{"access_token":"t","token_type":"bearer"}',
        }
      : { status: 204 };
  try {
    expect((await connected.send('key')).target).toBe('/key?token=k');
    expect(headerOf(await connected.send('user'), 'authorization')).toBe('Basic YTpi');
    const { requests } = await connected.call('oauth');
    expect(requests.map(lineOf)).toEqual(['POST /token', 'GET /oauth']);
    expect(requests.map((request) => headerOf(request, 'authorization'))).toEqual([
      'Basic aWQ6c2VjcmV0',
      'Bearer t',
    ]);
    expect(Object.fromEntries(new URLSearchParams(requests[0]?.body.toString()))).toEqual({
      grant_type: 'client_credentials',
      scope: 'pets:read',
    });
  } finally {
    await connected.close();
  }
});

test('OAuth 2 client credentials: one token for many calls, a new one when it is refused', async () => {
  const connected = await ConnectedApi.open((origin) => ({
    document: {
      openapi: '3.0.4',
      info: { title: 'Secured', version: '1' },
      servers: [{ url: origin }],
      components: {
        securitySchemes: {
          oauth: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: { a: '', b: '' } } },
          },
        },
      },
      security: [{ oauth: ['a', 'b'] }],
      paths: { '/pets': { get: { operationId: 'listPets', ...OK }, post: { operationId: 'addPet', ...OK } } },
    },
    openapi: { credentials: { oauth: { clientId: 'i d', clientSecret: 's:1' } } },
  }));
  const valid = new Set<string>();
  connected.api.answer = (request) => {
    if (request.target === '/oauth/token') {
      const token = `token-${valid.size + 1}`;
      valid.add(token);
      const body = JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 });
      return { headers: { 'content-type': 'application/json' }, body };
    }
    const token = headerOf(request, 'authorization')?.slice('Bearer '.length) ?? '';
    return token === `token-${valid.size}` && !revoked.has(token) ? { status: 204 } : { status: 401 };
  };
  const revoked = new Set<string>();
  try {
    const first = await connected.call('listPets');
    expect(first.requests.map(lineOf)).toEqual(['POST /oauth/token', 'GET /pets']);
    // i+d and s%3A1, form-encoded.
    expect(first.requests.map((request) => headerOf(request, 'authorization'))).toEqual([
      'Basic aStkOnMlM0Ex',
      'Bearer token-1',
    ]);
    expect(first.requests[0]?.body.toString()).toBe('grant_type=client_credentials&scope=a+b');
    expect((await connected.call('addPet')).requests.map(lineOf)).toEqual(['POST /pets']);

    revoked.add('token-1');
    const renewed = await connected.call('addPet');
    expect(renewed.result.isError).toBeFalsy();
    expect(renewed.requests.map(lineOf)).toEqual(['POST /pets', 'POST /oauth/token', 'POST /pets']);
    expect(headerOf(renewed.requests[2] ?? NOTHING, 'authorization')).toBe('Bearer token-2');

    // The new token is rejected a moment later: the error reports it, and no third token is requested.
    revoked.add('token-2');
    const refused = await connected.call('listPets');
    expect(refused.result.isError).toBe(true);
    expect(refused.requests.map(lineOf)).toEqual(['GET /pets']);
  } finally {
    await connected.close();
  }
});

test('credentials do not go to another origin, and not where an answer points', async () => {
  const other = await RecordingServer.start();
  const connected = await ConnectedApi.open((origin) => ({
    document: {
      openapi: '3.1.1',
      info: { title: 'Two places', version: '1' },
      servers: [{ url: origin }],
      components: { securitySchemes: { key: SCHEMES.keyInHeader, query: SCHEMES.keyInQuery } },
      security: [{ key: [], query: [] }],
      paths: {
        '/here': { get: { operationId: 'here', ...OK } },
        '/there': { get: { operationId: 'there', servers: [{ url: other.origin }], ...OK } },
      },
    },
    openapi: { credentials: { key: 'secret-1', query: 'secret-2' } },
  }));
  try {
    expect((await connected.send('here')).target).toBe('/here?api%20key=secret-2');
    await connected.call('there');
    const [elsewhere] = other.take();
    expect(elsewhere?.target).toBe('/there');
    expect(JSON.stringify(elsewhere?.headers)).not.toContain('secret');

    connected.api.answer = () => ({ status: 307, headers: { location: `${other.origin}/stolen` } });
    const moved = await connected.call('here');
    expect(moved.result.isError).toBe(true);
    expect(other.take()).toEqual([]);
    expect(JSON.stringify(moved.result)).not.toContain('secret');
  } finally {
    await connected.close();
    other.close();
  }
});

const NOTHING: RecordedRequest = { method: '', target: '', headers: [], body: Buffer.alloc(0) };

function lineOf({ method, target }: RecordedRequest): string {
  return `${method} ${target}`;
}
