import { afterEach, describe, expect, test } from 'vitest';
import { DefinitionError, ToolError } from '../../../../src/errors/errors.ts';
import { StaticAuthProvider } from '../../../../src/openapi/auth/schemes/auth-provider.ts';
import type {
  AuthFailure,
  AuthProvider,
  AuthRequest,
} from '../../../../src/openapi/auth/schemes/auth-provider.ts';
import type { AppliedCredentials } from '../../../../src/openapi/auth/authenticator.ts';
import type { AuthOptions, Credential } from '../../../../src/openapi/auth/credential.ts';
import { forwardAccessToken } from '../../../../src/openapi/auth/forward-access-token.ts';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { authenticatorOf, closeAll, errorOf, operationOf, requestOf } from './local-servers.ts';
import { refused } from '../../../support/refused.ts';

afterEach(closeAll);

const SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  part: { type: 'apiKey', in: 'query', name: 'api key' },
  sid: { type: 'apiKey', in: 'cookie', name: 'sid' },
  raw: { type: 'apiKey', in: 'header', name: 'Authorization' },
  user: { type: 'http', scheme: 'basic' },
  token: { type: 'http', scheme: 'bearer' },
  other: { type: 'http', scheme: 'Token' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'oauth2', flows: {} },
  open: { type: 'openIdConnect', openIdConnectUrl: '/openid' },
  tls: { type: 'mutualTLS' },
};

async function apply(
  options: AuthOptions,
  security: Operation['security'],
  rest: Parameters<typeof requestOf>[1] = {},
): Promise<Pick<AppliedCredentials, 'cookies' | 'headers' | 'query'>> {
  const { headers, query, cookies } = await authenticatorOf(SCHEMES, options).authorize(
    requestOf(security, rest),
  );
  return { headers, query, cookies };
}

const NOTHING = { headers: {}, query: [], cookies: [] };
const withHeaders = (headers: object): object => ({ ...NOTHING, headers });

const refusal = (status = 401): { status: number; headers: Map<string, string>; body: string } => ({
  status,
  headers: new Map([['www-authenticate', 'Bearer']]),
  body: 'no',
});

describe('a credential goes where its scheme wants it', () => {
  const basic = { authorization: 'Basic dXNlcjpwYTpzcw==' };
  test.each<[string, Credential, object]>([
    ['key', 'k-1', withHeaders({ 'x-key': 'k-1' })],
    ['key', { apiKey: 'k-1' }, withHeaders({ 'x-key': 'k-1' })],
    ['key', { apiKey: () => Promise.resolve('k-2') }, withHeaders({ 'x-key': 'k-2' })],
    ['part', 'k &1', { ...NOTHING, query: [['api key', 'k &1']] }],
    ['sid', 'k-1', { ...NOTHING, cookies: [['sid', 'k-1']] }],
    ['raw', 'token abc', withHeaders({ authorization: 'token abc' })],
    ['user', 'user:pa:ss', withHeaders(basic)],
    ['user', { username: 'user', password: 'pa:ss' }, withHeaders(basic)],
    ['user', 'sk_test:', withHeaders({ authorization: 'Basic c2tfdGVzdDo=' })],
    ['token', 'abc', withHeaders({ authorization: 'Bearer abc' })],
    ['token', 'bearer  abc', withHeaders({ authorization: 'Bearer abc' })],
    ['token', { token: () => 'def' }, withHeaders({ authorization: 'Bearer def' })],
    ['other', 'abc', withHeaders({ authorization: 'token abc' })],
    ['oauth', 'abc', withHeaders({ authorization: 'Bearer abc' })],
    ['open', { token: 'abc' }, withHeaders({ authorization: 'Bearer abc' })],
    [
      'digest',
      new StaticAuthProvider({ Authorization: 'Digest x' }),
      withHeaders({ authorization: 'Digest x' }),
    ],
  ])('%s: %o', async (name, credential, expected) => {
    expect(await apply({ credentials: { [name]: credential } }, [{ [name]: [] }])).toEqual(expected);
  });
});

describe('of several alternatives', () => {
  const credentials = { key: 'k', part: 'p', token: 't' };

  test('the first is met for which everything is there', async () => {
    const security = [{ key: [], user: [] }, { part: [], key: [] }, { token: [] }];
    expect(await apply({ credentials }, security)).toEqual({
      headers: { 'x-key': 'k' },
      query: [['api key', 'p']],
      cookies: [],
    });
  });

  test('the empty one is for those who have nothing else', async () => {
    expect(await apply({ credentials }, [{}, { token: [] }])).toEqual(
      withHeaders({ authorization: 'Bearer t' }),
    );
    expect(await apply({ credentials: { key: 'k' } }, [{ token: [] }, {}])).toEqual(NOTHING);
    expect(await apply({ credentials: { key: 'k' } }, [{ token: [], key: [] }, {}])).toEqual(NOTHING);
  });

  test('available credentials are sent if no requirement is met', async () => {
    const security = [{ user: [] }, { user: [], sid: [], key: [] }, { part: [], key: [], open: [] }];
    expect(await apply({ credentials }, security)).toEqual({
      headers: { 'x-key': 'k' },
      query: [['api key', 'p']],
      cookies: [],
    });
  });

  test('two schemes of one header are met by one value', async () => {
    expect(await apply({ credentials: { open: 'o' } }, [{ oauth: [], open: [] }, { key: [] }])).toEqual(
      withHeaders({ authorization: 'Bearer o' }),
    );
    expect(await apply({ credentials: { user: 'a:b', token: 't' } }, [{ token: [], user: [] }])).toEqual(
      withHeaders({ authorization: 'Bearer t' }),
    );
  });

  test('credentials that an operation does not ask for are not sent', async () => {
    expect(await apply({ credentials }, [{ sid: [] }])).toEqual(NOTHING);
    expect(await apply({ credentials }, [])).toEqual(NOTHING);
  });

  test('very many cost no more than a hundred', async () => {
    const many = Array.from({ length: 300_000 }, () => ({ user: [] }));
    expect(await apply({ credentials }, [...many.slice(0, 99), { key: [] }, ...many])).toEqual(
      withHeaders({ 'x-key': 'k' }),
    );
    expect(authenticatorOf(SCHEMES, { credentials }).missingFor(operationOf(many)).lines).toEqual([
      'needs user (user name and password): give credentials.user',
    ]);
  });

  test('names of objects are not schemes', async () => {
    const security = JSON.parse('[{"__proto__":[]},{"constructor":[]},{"key":[]}]') as Operation['security'];
    expect(await apply({ credentials }, security)).toEqual(withHeaders({ 'x-key': 'k' }));
  });
});

describe('a document that says nothing', () => {
  test('gets what there is, and of one place the first', async () => {
    expect(await apply({}, undefined)).toEqual(NOTHING);
    expect(await apply({ credentials: { key: 'k' } }, undefined)).toEqual(withHeaders({ 'x-key': 'k' }));
    expect(await apply({ credentials: { token: 't', user: 'a:b', key: 'k' } }, undefined)).toEqual(
      withHeaders({ authorization: 'Bearer t', 'x-key': 'k' }),
    );
  });
});

describe('credentials go only to origins that they belong to:', () => {
  const options: AuthOptions = {
    credentials: { key: 'k' },
    headers: { 'X-Fixed': 'fixed' },
    authProvider: new StaticAuthProvider({ 'x-own': 'own' }),
    origins: ['https://files.example/'],
  };
  const all = withHeaders({ 'x-own': 'own', 'x-key': 'k', 'x-fixed': 'fixed' });

  test.each([
    ['https://api.example', all],
    ['https://files.example', all],
    ['http://api.example', NOTHING],
    ['https://api.example:8443', NOTHING],
    ['https://api.example.evil.example', NOTHING],
    ['https://evil.example', NOTHING],
    ['null', NOTHING],
  ])('%s', async (origin, expected) => {
    expect(await apply(options, [{ key: [] }], { origin })).toEqual(expected);
  });

  test('at another origin no credentials are sent, and a rejection is not retried', async () => {
    const applied = await authenticatorOf(SCHEMES, options).authorize(
      requestOf([{ key: [] }], { origin: 'https://evil.example' }),
    );
    expect([applied.origin, applied.secrets, await applied.refused(refusal())]).toEqual([
      'https://evil.example',
      [],
      false,
    ]);
  });

  test('a provider is not even asked', async () => {
    let asked = 0;
    const authProvider: AuthProvider = {
      getAuthHeaders: () => {
        asked += 1;
        return {};
      },
    };
    await apply({ authProvider }, undefined, { origin: 'https://evil.example' });
    expect(asked).toBe(0);
    await apply({ authProvider }, undefined);
    expect(asked).toBe(1);
  });
});

describe('headers for everything', () => {
  test('go with every request, and give way to credentials', async () => {
    const headers = { 'X-Key': 'fixed', 'X-More': 'more' };
    expect(await apply({ headers }, [])).toEqual(withHeaders({ 'x-key': 'fixed', 'x-more': 'more' }));
    expect(await apply({ headers, credentials: { key: 'k' } }, [{ key: [] }])).toEqual(
      withHeaders({ 'x-key': 'k', 'x-more': 'more' }),
    );
  });
});

describe('a provider for everything', () => {
  /** Records its requests. */
  function recorder(
    headers: object,
    isHelpful: unknown = false,
  ): AuthProvider & { asked: AuthRequest[]; failed: AuthFailure[] } {
    const asked: AuthRequest[] = [];
    const failed: AuthFailure[] = [];
    return {
      asked,
      failed,
      getAuthHeaders: (request) => {
        asked.push(request);
        return headers as Record<string, string>;
      },
      handleAuthError: (failure) => {
        failed.push(failure);
        return isHelpful as boolean;
      },
    };
  }

  test('knows who calls, and what for', async () => {
    const authProvider = recorder({});
    const principal = { id: 'ann' };
    const signal = new AbortController().signal;
    await apply({ authProvider }, [{ oauth: ['read', 'write'] }, {}], {
      principal,
      accessToken: 'own',
      signal,
    });
    expect(authProvider.asked).toEqual([
      {
        operation: { key: 'GET /pets', operationId: 'listPets', method: 'GET', path: '/pets' },
        origin: 'https://api.example',
        scopes: ['read', 'write'],
        isOptional: true,
        principal,
        accessToken: 'own',
        signal,
      },
    ]);
  });

  test('wins over schemes of the same header, and leaves the others', async () => {
    const authProvider = recorder({ Authorization: 'Own 1', 'X-Nothing': undefined });
    const token = { token: () => Promise.reject(new Error('asked')) };
    expect(await apply({ authProvider, credentials: { key: 'k', token } }, [{ token: [], key: [] }])).toEqual(
      withHeaders({ authorization: 'Own 1', 'x-key': 'k' }),
    );
    expect(await apply({ authProvider, credentials: { key: 'k' } }, [{ token: [] }, { key: [] }])).toEqual(
      withHeaders({ authorization: 'Own 1' }),
    );
  });

  test('hears of a refusal, and decides', async () => {
    for (const [isHelpful, expected] of [
      [true, true],
      [false, false],
      ['yes', false],
    ] as const) {
      const authProvider = recorder({ Authorization: 'Own 1' }, isHelpful);
      const authenticator = authenticatorOf(SCHEMES, { authProvider });
      const applied = await authenticator.authorize(requestOf([{ token: ['a'] }], { accessToken: 'own' }));
      expect([await applied.refused(refusal(500)), authProvider.failed.length]).toEqual([false, 0]);
      expect(await applied.refused(refusal(403))).toBe(expected);
      expect(authProvider.failed).toMatchObject([
        { status: 403, body: 'no', given: { authorization: 'Own 1' }, accessToken: 'own', scopes: ['a'] },
      ]);
      expect(authProvider.failed[0]?.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test.each<[unknown, string | Error]>([
    [7, 'authProvider must return an object of headers.'],
    [['a'], 'authProvider must return an object of headers.'],
    [{ 'x a': 'secret-1' }, 'authProvider: The header "x a" cannot be set.'],
    [{ host: 'secret-1' }, 'authProvider: The header "host" cannot be set.'],
    [
      { 'x-a': 'secret-1\r\nx-b: c' },
      'authProvider: The value of the header "x-a" has characters that are not allowed in a header.',
    ],
    [
      { 'x-a': 5 },
      'authProvider: The value of the header "x-a" has characters that are not allowed in a header.',
    ],
  ])('may give anything: %o', async (headers, message) => {
    const error = await errorOf(() => apply({ authProvider: recorder(headers as object) }, undefined));
    expect([error instanceof ToolError, error.message]).toEqual([true, message]);
  });

  test.each([undefined, null, {}])('may give nothing: %o', async (headers) => {
    expect(await apply({ authProvider: recorder(headers as object) }, undefined)).toEqual(NOTHING);
  });

  test('that fails says nothing of how, unless it means to', async () => {
    const failing = (thrown: Error): AuthProvider => ({ getAuthHeaders: () => Promise.reject(thrown) });
    const hidden = await errorOf(() => apply({ authProvider: failing(new Error('secret-1')) }, undefined));
    expect([hidden instanceof ToolError, hidden.message]).toEqual([
      true,
      'authProvider could not provide credentials for this request.',
    ]);
    const told = await errorOf(() =>
      apply({ credentials: { key: failing(new ToolError('Sign in first.')) } }, [{ key: [] }]),
    );
    expect(told.message).toBe('Sign in first.');
  });
});

describe('the token of the caller', () => {
  test('is not passed on by itself', async () => {
    expect(await apply({ credentials: { key: 'k' } }, [{ token: [] }], { accessToken: 'own' })).toEqual(
      NOTHING,
    );
  });

  test('is passed on by who means it, and only to the API', async () => {
    const options = { authProvider: forwardAccessToken() };
    expect(await apply(options, [{ token: [] }], { accessToken: 'own' })).toEqual(
      withHeaders({ authorization: 'Bearer own' }),
    );
    expect(await apply(options, [{ token: [] }])).toEqual(NOTHING);
    expect(
      await apply(options, [{ token: [] }], { accessToken: 'own', origin: 'https://evil.example' }),
    ).toEqual(NOTHING);
  });
});

describe('after a refusal', () => {
  test('unchanged credentials are not retried', async () => {
    const options = {
      credentials: { key: 'k', part: 'p', user: 'a:b' },
      headers: { 'x-a': 'b' },
      authProvider: new StaticAuthProvider(),
    };
    const applied = await authenticatorOf(SCHEMES, options).authorize(
      requestOf([{ key: [], part: [], user: [] }]),
    );
    expect(await applied.refused(refusal())).toBe(false);
  });

  test('a token that is another one by now is', async () => {
    let token = 'one';
    const authenticator = authenticatorOf(SCHEMES, { credentials: { token: { token: () => token } } });
    const applied = await authenticator.authorize(requestOf([{ token: [] }]));
    expect(await applied.refused(refusal())).toBe(false);
    token = 'two';
    expect(await applied.refused(refusal(403))).toBe(false);
    expect(await applied.refused(refusal())).toBe(true);
    expect((await authenticator.authorize(requestOf([{ token: [] }]))).headers).toEqual({
      authorization: 'Bearer two',
    });
  });
});

test('a function that gives no secret fails in its call alone', async () => {
  const give = (secret: unknown, name = 'token'): Promise<Error> => {
    const credential = name === 'token' ? { token: () => secret } : { apiKey: () => secret };
    return errorOf(() => apply({ credentials: { [name]: credential as Credential } }, [{ [name]: [] }]));
  };
  expect((await give('')).message).toBe('credentials.token returned no secret for this request.');
  expect((await give(7)).message).toBe('credentials.token returned no secret for this request.');
  const split = await give('a\r\nb');
  expect([split instanceof ToolError, split.message]).toEqual([
    true,
    'fromOpenAPI: credentials.token must be a string of characters that are allowed in a header.',
  ]);
  expect((await give('a; admin=1', 'sid')).message).toBe(
    'fromOpenAPI: credentials.sid must be a string of characters that are allowed in a cookie.',
  );
});

test('secrets are listed, as a whole and in parts', async () => {
  const credentials = { key: 'Key abc/"12', part: 'p &?1', sid: 'cookie-1', user: 'ann:geheim' };
  const headers = { 'X-Version': '2024', Accept: 'application/json', 'X-Tenant': 'tenant-secret' };
  const applied = await authenticatorOf(SCHEMES, { credentials, headers }).authorize(
    requestOf([{ key: [], part: [], sid: [], user: [] }]),
  );
  expect([...applied.secrets].toSorted()).toEqual(
    [
      'Basic YW5uOmdlaGVpbQ==',
      'YW5uOmdlaGVpbQ==',
      'ann:geheim',
      'geheim',
      'Key abc/"12',
      'abc/"12',
      'p &?1',
      'cookie-1',
      'tenant-secret',
    ].toSorted(),
  );
});

describe('missing credentials', () => {
  const missing = (
    options: AuthOptions,
    security: Operation['security'],
    origin?: string,
  ): readonly string[] => authenticatorOf(SCHEMES, options).missingFor(operationOf(security), origin).lines;

  test('is named, with the way to give it', () => {
    expect(missing({}, [{ key: [] }])).toEqual(['needs key (header X-Key): give credentials.key']);
    expect(
      missing({ credentials: { part: 'p' } }, [
        { part: [], token: ['a'] },
        { oauth: [] },
        { open: [], sid: [] },
      ]),
    ).toEqual([
      'needs token (bearer token): give credentials.token',
      'or oauth (OAuth 2): give credentials.oauth',
      'or open (OpenID Connect): give credentials.open and sid (cookie sid): give credentials.sid',
    ]);
    expect(missing({}, [{ tls: [] }, { user: [] }, { other: [] }, { gone: [] }])).toEqual([
      'needs tls (client certificate): give the option tls of outbound requests',
      'or user (user name and password): give credentials.user',
      'or other (token credentials): give credentials.other',
      'or gone (which the document does not define): give it in headers, or by an authProvider',
    ]);
  });

  test('is nothing where nothing is needed, or enough is there', () => {
    expect(missing({}, undefined)).toEqual([]);
    expect(missing({}, [])).toEqual([]);
    expect(missing({}, [{ key: [] }, {}])).toEqual([]);
    expect(missing({ credentials: { part: 'p' } }, [{ key: [] }, { part: [] }])).toEqual([]);
    expect(missing({ headers: { 'x-KEY': 'k' } }, [{ key: [] }])).toEqual([]);
    expect(missing({ headers: { Authorization: 'Bearer x' } }, [{ oauth: [] }])).toEqual([]);
    expect(missing({ authProvider: new StaticAuthProvider() }, [{ key: [] }])).toEqual([]);
  });

  test('is another origin, if credentials would go there', () => {
    const line = 'goes to https://other.example, which is not among origins: credentials are not sent there';
    const other = 'https://other.example';
    expect(missing({ credentials: { key: 'k' } }, [{ key: [] }], other)).toEqual([line]);
    expect(missing({ credentials: { key: 'k' } }, undefined, other)).toEqual([line]);
    expect(missing({ headers: { 'x-a': 'b' } }, [], other)).toEqual([line]);
    expect(missing({}, [{ key: [] }], other)).toEqual([line]);
    expect(missing({}, undefined, other)).toEqual([]);
    expect(missing({ credentials: { key: 'k' } }, [], other)).toEqual([]);
    expect(missing({ credentials: { key: 'k' }, origins: [other] }, [{ key: [] }], other)).toEqual([]);
  });
});

describe('is refused at load:', () => {
  const unfit: [string, unknown, string | Error][] = [
    [
      'a scheme that is not there',
      { credentials: { tokens: 'secret-1' } },
      'the document has no security scheme "tokens". Did you mean "token"? It has: key, part,',
    ],
    [
      'a name of objects',
      { credentials: JSON.parse('{"__proto__":"secret-1"}') as object },
      'no security scheme "__proto__"',
    ],
    ['credentials that are none', { credentials: ['secret-1'] }, 'credentials must be an object'],
    ['an empty key', { credentials: { key: ' ' } }, refused('credentials', { path: ['key'] })],
    ['an empty user', { credentials: { user: ':' } }, refused('credentials', { path: ['user'] })],
    [
      'a user without a password',
      { credentials: { user: 'secret-1' } },
      'credentials.user must be a string such as user:password.',
    ],
    [
      'a colon in a user name',
      { credentials: { user: { username: 'a:b', password: 'secret-1' } } },
      refused('credentials', { path: ['user'] }),
    ],
    [
      'a password that is none',
      { credentials: { user: { username: 'a', password: 5 } } },
      refused('credentials', { path: ['user'] }),
    ],
    [
      'a token for a key',
      { credentials: { key: { token: 'secret-1' } } },
      'credentials.key does not match its security scheme: expected a string or { apiKey }, or an AuthProvider.',
    ],
    [
      'a key for a token',
      { credentials: { token: { apiKey: 'secret-1' } } },
      'expected a string, { token } or { clientId, clientSecret, tokenUrl }, or an AuthProvider.',
    ],
    [
      'a password for a token',
      { credentials: { oauth: { username: 'a', password: 'secret-1' } } },
      'expected a string, { token } or { clientId, clientSecret }, or an AuthProvider.',
    ],
    [
      'a client for another scheme of HTTP',
      { credentials: { other: { clientId: 'a', clientSecret: 'secret-1' } } },
      'expected a string or { token }, or an AuthProvider.',
    ],
    [
      'a token for a user',
      { credentials: { user: { token: 'secret-1' } } },
      'expected "user:password" or { username, password }, or an AuthProvider.',
    ],
    ['a number', { credentials: { key: 7 } }, 'credentials.key does not match'],
    ['null', { credentials: { key: null } }, 'credentials.key does not match'],
    [
      'a key that is no text',
      { credentials: { key: { apiKey: 7 } } },
      refused('credentials', { path: ['key'] }),
    ],
    [
      'a member too many',
      { credentials: { key: { apiKey: 'secret-1', in: 'query' } } },
      refused('credentials', { path: ['key', 'in'], reason: 'unknown-option' }),
    ],
    [
      'a key with a line break',
      { credentials: { key: 'secret-1\n' } },
      refused('credentials', { path: ['key'] }),
    ],
    [
      'a key that is several cookies',
      { credentials: { sid: 'secret-1; a=b' } },
      refused('credentials', { path: ['sid'] }),
    ],
    [
      'digest',
      { credentials: { digest: 'secret-1' } },
      'digest authentication is not supported. Use an AuthProvider.',
    ],
    [
      'a certificate',
      { credentials: { tls: 'secret-1' } },
      'credentials.tls: set the client certificate in the option tls of outbound requests.',
    ],
    ['a provider that is none', { authProvider: { headers: 'secret-1' } }, refused('authProvider')],
    [
      'headers that cannot be sent',
      { headers: { 'x-a': 'secret-1\n' } },
      'headers: The value of the header "x-a" has characters',
    ],
    ['headers that are none', { headers: 'secret-1' }, 'headers must be an object of names and values.'],
    ['an origin with a path', { origins: ['https://a.example/b'] }, refused('origins')],
    ['a pattern of origins', { origins: ['*.example.com'] }, refused('origins')],
    ['origins that are no list', { origins: 'https://a.example' }, refused('origins')],
  ];
  test.each(unfit)('%s', async (_what, options, message) => {
    const error = await errorOf(() => authenticatorOf(SCHEMES, options as AuthOptions));
    expect(error).toBeInstanceOf(DefinitionError);
    expect(() => {
      throw error;
    }).toThrow(message);
    expect(error.message).not.toContain('secret-1');
  });

  test('credentials for a document without schemes', async () => {
    const error = await errorOf(() => authenticatorOf({}, { credentials: { key: 'k' } }));
    expect(error.message).toBe(
      'credentials: the document has no security scheme "key". It has no security schemes: use headers or an authProvider.',
    );
  });

  test('a base URL that is none', async () => {
    for (const baseUrl of ['/v1', 'file:///etc', '']) {
      const error = await errorOf(() => authenticatorOf({}, {}, { baseUrl }));
      expect(error).toBeInstanceOf(DefinitionError);
    }
  });

  test('headers of a provider that cannot be sent', () => {
    expect(() => new StaticAuthProvider({ 'a b': 'c' })).toThrow(
      'The headers of StaticAuthProvider: The header "a b" cannot be set.',
    );
  });
});

test('a credential that is undefined was not given', () => {
  const credentials = { key: undefined } as unknown as Record<string, string>;
  expect(authenticatorOf(SCHEMES, { credentials }).missingFor(operationOf([{ key: [] }])).lines).toHaveLength(
    1,
  );
});

test('a certificate meets its scheme', () => {
  const client = { presentsCertificateTo: (origin: string) => origin === 'https://api.example' };
  const parts = { client: client as never };
  expect(authenticatorOf(SCHEMES, {}, parts).missingFor(operationOf([{ tls: [] }])).lines).toEqual([]);
});
