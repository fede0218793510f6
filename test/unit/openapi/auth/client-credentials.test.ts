import { afterEach, describe, expect, test } from 'vitest';
import { DefinitionError, ToolError } from '../../../../src/errors/errors.ts';
import type { AppliedCredentials } from '../../../../src/openapi/auth/authenticator.ts';
import type { ClientCredential } from '../../../../src/openapi/auth/credential.ts';
import { OutboundError } from '../../../../src/outbound/outbound-error.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { authenticatorOf, clientOf, closeAll, errorOf, requestOf, serve } from './local-servers.ts';
import type { Reply, Seen, TestedAuthenticator } from './local-servers.ts';
import { refused } from '../../../support/refused.ts';

afterEach(closeAll);

const CLIENT: ClientCredential = { clientId: 'me', clientSecret: 'top-secret' };
const flow = (tokenUrl?: string): object => ({
  oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } },
});

/** Issues `token-1`, `token-2` and so on. */
const counting =
  (rest: object = { expires_in: 3600 }) =>
  (_seen: Seen, count: number): Reply => ({
    body: { access_token: `token-${count}`, token_type: 'Bearer', ...rest },
  });

interface Setup {
  readonly clock: FakeClock;
  readonly seen: Seen[];
  readonly origin: string;
  readonly authenticator: TestedAuthenticator;
  authorize(scopes?: readonly string[], signal?: AbortSignal): Promise<AppliedCredentials>;
  /** The header that the API receives. */
  header(scopes?: readonly string[]): Promise<string | undefined>;
}

/** An API with a token endpoint at its own origin. */
async function setUp(
  answer: (seen: Seen, count: number) => Reply | Promise<Reply>,
  credential: Partial<ClientCredential> = {},
  schemes: object = flow('/token'),
): Promise<Setup> {
  const { origin, seen } = await serve(answer);
  const clock = new FakeClock();
  const options = { credentials: { oauth: { ...CLIENT, ...credential } } };
  const client = clientOf({ clock });
  const authenticator = authenticatorOf(schemes, options, { baseUrl: `${origin}/v1`, clock, client });
  const authorize: Setup['authorize'] = (scopes = [], signal) =>
    authenticator.authorize(requestOf([{ oauth: scopes }], { origin, ...(signal && { signal }) }));
  const header: Setup['header'] = async (scopes) => (await authorize(scopes)).headers['authorization'];
  return { clock, seen, origin, authenticator, authorize, header };
}

const unauthorized = { status: 401, headers: new Map<string, string>(), body: '' };

describe('a token', () => {
  test('is asked for as the protocol has it', async () => {
    const { seen, authorize } = await setUp(counting(), {
      audience: 'pets',
      resource: 'https://api.example/',
    });
    const applied = await authorize(['write', 'read', 'read']);
    expect(applied.headers).toEqual({ authorization: 'Bearer token-1' });
    expect(applied.secrets).toContain('token-1');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/token',
      headers: {
        authorization: 'Basic bWU6dG9wLXNlY3JldA==',
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
    });
    expect(seen[0]?.form).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'pets',
      resource: 'https://api.example/',
    });
  });

  test('is asked for with the secret in the form, if that is said', async () => {
    const { seen, header } = await setUp(counting(), { clientAuthentication: 'post' });
    expect(await header()).toBe('Bearer token-1');
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(seen[0]?.form).toEqual({
      grant_type: 'client_credentials',
      client_id: 'me',
      client_secret: 'top-secret',
    });
  });

  test('is asked for with names and secrets of any characters', async () => {
    const { seen, header } = await setUp(counting(), { clientId: 'a:b', clientSecret: 'c d/ä' });
    await header();
    const [, encoded = ''] = seen[0]?.headers.authorization?.split(' ') ?? [];
    expect(Buffer.from(encoded, 'base64').toString()).toBe('a%3Ab:c+d%2F%C3%A4');
  });

  test('is kept for each set of scopes', async () => {
    const { seen, header } = await setUp(counting());
    expect(await header(['a', 'b'])).toBe('Bearer token-1');
    expect(await header(['b', 'a'])).toBe('Bearer token-1');
    expect(await header(['a'])).toBe('Bearer token-2');
    expect(await header()).toBe('Bearer token-3');
    expect(await header(['a'])).toBe('Bearer token-2');
    expect(seen.map(({ form }) => form['scope'])).toEqual(['a b', 'a', undefined]);
  });

  test('is for the scopes of the author, if there are any', async () => {
    const { seen, header } = await setUp(counting(), { scopes: ['all'] });
    expect([await header(['a']), await header(['b'])]).toEqual(['Bearer token-1', 'Bearer token-1']);
    expect(seen.map(({ form }) => form['scope'])).toEqual(['all']);
  });

  test('is not asked for with scopes that are none', async () => {
    const { seen, header } = await setUp(counting());
    await header(['a b', 'c"', 'd', '']);
    expect(seen[0]?.form['scope']).toBe('d');
  });

  test('is renewed half a minute before its end', async () => {
    const { clock, seen, header } = await setUp(counting({ expires_in: '3600' }));
    expect(await header()).toBe('Bearer token-1');
    clock.advance(3_569_999);
    expect(await header()).toBe('Bearer token-1');
    clock.advance(1);
    expect(await header()).toBe('Bearer token-2');
    expect(seen).toHaveLength(2);
  });

  test('that lives for a moment is used for half of it', async () => {
    const { clock, header } = await setUp(counting({ expires_in: 20 }));
    await header();
    clock.advance(9999);
    expect(await header()).toBe('Bearer token-1');
    clock.advance(1);
    expect(await header()).toBe('Bearer token-2');
  });

  test.each([undefined, null, 'soon', '', {}, '1e999'])(
    'that says of its end %o is used for five minutes',
    async (said) => {
      const { clock, header } = await setUp(counting({ expires_in: said }));
      await header();
      clock.advance(269_999);
      expect(await header()).toBe('Bearer token-1');
      clock.advance(1);
      expect(await header()).toBe('Bearer token-2');
    },
  );

  test('that is over already is used once', async () => {
    const { header } = await setUp(counting({ expires_in: -5 }));
    expect([await header(), await header()]).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});

describe('many requests at once', () => {
  test('wait for one token', async () => {
    const { seen, header } = await setUp(counting());
    const headers = await Promise.all(Array.from({ length: 100 }, () => header(['a'])));
    expect([new Set(headers), seen.length]).toEqual([new Set(['Bearer token-1']), 1]);
  });

  test('share a failure, which is not kept', async () => {
    const { seen, header } = await setUp((each, count) =>
      count === 1 ? { status: 500, body: 'down' } : counting()(each, count),
    );
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => header()));
    expect([settled.every(({ status }) => status === 'rejected'), seen.length]).toEqual([true, 1]);
    expect(await header()).toBe('Bearer token-2');
  });

  test('do not end because one of them is cancelled', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { seen, authorize } = await setUp(async (each, count) => {
      await held;
      return counting()(each, count);
    });
    const controller = new AbortController();
    const impatient = authorize([], controller.signal);
    const patient = authorize();
    await expect.poll(() => seen).toHaveLength(1);
    controller.abort();
    const error = await errorOf(() => impatient);
    expect([error instanceof OutboundError, (error as OutboundError).failure]).toEqual([true, 'cancelled']);
    release();
    expect((await patient).headers).toEqual({ authorization: 'Bearer token-1' });
    expect(seen).toHaveLength(1);
    // Aborted before it began.
    expect(((await errorOf(() => authorize(['other'], controller.signal))) as OutboundError).failure).toBe(
      'cancelled',
    );
    expect(seen).toHaveLength(1);
  });

  test('leave nothing behind when all of them are cancelled', async () => {
    const never = new Promise<Reply>(() => {});
    const { seen, authorize, header } = await setUp((each, count) =>
      count === 1 ? never : counting()(each, count),
    );
    const controller = new AbortController();
    const all = [authorize([], controller.signal), authorize([], controller.signal)];
    await expect.poll(() => seen).toHaveLength(1);
    controller.abort();
    const settled = await Promise.allSettled(all);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await header()).toBe('Bearer token-2');
  });
});

describe('a token that the API refuses', () => {
  test('is dropped, and another one is had, once', async () => {
    const { clock, seen, authorize, header } = await setUp(counting());
    const first = await authorize();
    expect(await first.refused({ ...unauthorized, status: 403 })).toBe(false);
    expect(await header()).toBe('Bearer token-1');
    expect(await first.refused(unauthorized)).toBe(true);
    const second = await authorize();
    expect(second.headers).toEqual({ authorization: 'Bearer token-2' });
    // The token is not the reason, so no new one is requested immediately.
    expect(await second.refused(unauthorized)).toBe(false);
    expect([await header(), seen.length]).toEqual(['Bearer token-2', 2]);
    clock.advance(10_000);
    expect(await second.refused(unauthorized)).toBe(true);
    expect(await header()).toBe('Bearer token-3');
  });

  test('is dropped once, however many requests were refused with it', async () => {
    const { seen, authorize } = await setUp(counting());
    const old = await Promise.all(Array.from({ length: 50 }, () => authorize()));
    const again = await Promise.all(
      old.map(async (applied) => ((await applied.refused(unauthorized)) ? (await authorize()).headers : {})),
    );
    expect([new Set(again.map(({ authorization }) => authorization)), seen.length]).toEqual([
      new Set(['Bearer token-2']),
      2,
    ]);
    expect(await old[0]?.refused(unauthorized)).toBe(true);
    expect((await authorize()).headers).toEqual({ authorization: 'Bearer token-2' });
  });
});

describe('a refresh token', () => {
  test('is used, and kept where no new one comes', async () => {
    const { clock, seen, header } = await setUp((each, count) =>
      counting({ expires_in: 60, ...(count === 1 ? { refresh_token: 'again' } : {}) })(each, count),
    );
    for (const expected of ['Bearer token-1', 'Bearer token-2', 'Bearer token-3']) {
      expect(await header(['a'])).toBe(expected);
      clock.advance(60_000);
    }
    const refresh = { grant_type: 'refresh_token', refresh_token: 'again' };
    expect(seen.map(({ form }) => form)).toEqual([
      { grant_type: 'client_credentials', scope: 'a' },
      refresh,
      refresh,
    ]);
    expect(seen[1]?.headers.authorization).toBe('Basic bWU6dG9wLXNlY3JldA==');
  });

  test('that is not good any more leaves the ordinary way', async () => {
    const { clock, seen, header } = await setUp((each, count) =>
      each.form['grant_type'] === 'refresh_token'
        ? { status: 400, body: { error: 'invalid_grant' } }
        : counting({ expires_in: 60, refresh_token: 'again' })(each, count),
    );
    await header();
    clock.advance(60_000);
    expect(await header()).toBe('Bearer token-3');
    expect(seen.map(({ form }) => form['grant_type'])).toEqual([
      'client_credentials',
      'refresh_token',
      'client_credentials',
    ]);
  });

  test('goes with the token that the API refuses', async () => {
    const { seen, authorize } = await setUp(counting({ expires_in: 60, refresh_token: 'again' }));
    await (await authorize()).refused(unauthorized);
    await authorize();
    expect(seen.map(({ form }) => form['grant_type'])).toEqual(['client_credentials', 'client_credentials']);
  });
});

describe('a server that gives no token', () => {
  const echo = `for top-secret ${encodeURIComponent('top-secret')} and bWU6dG9wLXNlY3JldA==`;
  test.each<[Reply, string | Error]>([
    [{ status: 401, body: { error: 'invalid_client' } }, 'it responded with status 401 invalid_client.'],
    [
      { status: 400, body: { error: 'invalid_scope', error_description: `no\u202E\n ${echo}` } },
      'it responded with status 400 invalid_scope (no   for [redacted] [redacted] and [redacted]).',
    ],
    [{ status: 200, body: { ok: false, error: 'bad_client' } }, 'it responded with status 200 bad_client.'],
    [{ status: 200, body: {} }, 'it responded with status 200, without a token.'],
    [{ status: 200, body: { access_token: 7 } }, 'it responded with status 200, without a token.'],
    [{ status: 200, body: 'top-secret' }, 'it responded with status 200, without a token.'],
    [{ status: 302, body: { access_token: 'x' } }, 'it responded with status 302, without a token.'],
    [{ status: 503, body: '<html>top-secret</html>' }, 'it responded with status 503, without a token.'],
    [
      { body: { access_token: 'x', token_type: 'DPoP' } },
      'it returned a token of the type dpop, but only bearer tokens are supported.',
    ],
    [{ body: { access_token: 'x\r\ny: z' } }, 'its token has characters that are not allowed in a header.'],
  ])('%o', async (reply, message) => {
    const { origin, header } = await setUp(() => reply);
    const error = await errorOf(() => header());
    expect(error).toBeInstanceOf(ToolError);
    expect(error.message).toBe(`No token for credentials.oauth from ${origin}/token: ${message}`);
  });

  test('says no endless things, and no half of a secret', async () => {
    const { header } = await setUp(() => ({
      status: 400,
      body: { error: 'x'.repeat(500), error_description: `${'y'.repeat(195)}top-secret` },
    }));
    const { message } = await errorOf(() => header());
    expect(message.length).toBeLessThan(550);
    expect(message).not.toContain('top');
  });

  test('that is not there is named', async () => {
    const { origin, header } = await setUp(counting());
    closeAll();
    const error = await errorOf(() => header());
    expect(error).toBeInstanceOf(OutboundError);
    expect(error.message).toBe(
      `No token for credentials.oauth: ${origin} could not be reached: it refused the connection.`,
    );
  });
});

describe('the secret is shown to', () => {
  const load = (schemes: object, credential: object = {}, origins: readonly string[] = []): unknown =>
    authenticatorOf(schemes, {
      origins,
      credentials: { oauth: { ...CLIENT, ...credential } },
    });

  test('no server that only the document names', async () => {
    const error = await errorOf(() => load(flow('https://evil.example/token')));
    expect(error).toBeInstanceOf(DefinitionError);
    expect(error.message).toBe(
      'credentials.oauth: the token endpoint URL of the document is at https://evil.example, which is not the origin of the API. ' +
        'To trust it, set tokenUrl in the credential, or add "https://evil.example" to origins.',
    );
    const description = {
      oauth: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://evil.example/.well-known/openid-configuration',
      },
    };
    expect((await errorOf(() => load(description))).message).toContain(
      'the authorization server metadata URL of the document is at https://evil.example',
    );
    expect((await errorOf(() => load(flow('http://api.example/token')))).message).toContain(
      'the token endpoint URL of the document is at http://api.example',
    );
    expect((await errorOf(() => load(flow('//evil.example/token')))).message).toContain(
      'the token endpoint URL of the document is at https://evil.example',
    );
  });

  test('one that the author confirms', () => {
    expect(load(flow('https://id.example/token'), {}, ['https://id.example'])).toBeDefined();
    expect(load(flow('https://id.example/token'), { tokenUrl: 'https://id.example/token' })).toBeDefined();
    expect(load(flow('https://api.example/token'))).toBeDefined();
  });

  test('the one of the author, whatever the document says', async () => {
    const { origin, seen } = await serve(counting());
    const credentials = { oauth: { ...CLIENT, tokenUrl: `${origin}/real` } };
    const authenticator = authenticatorOf(flow('https://evil.example/token'), { credentials });
    expect((await authenticator.authorize(requestOf([{ oauth: [] }]))).headers).toEqual({
      authorization: 'Bearer token-1',
    });
    expect(seen.map(({ url }) => url)).toEqual(['/real']);
  });

  test('no server after a redirect', async () => {
    const other = await serve(counting());
    const { header, seen } = await setUp(() => ({ status: 307, body: '' }));
    await errorOf(() => header());
    expect([seen.length, other.seen.length]).toEqual([1, 0]);
  });

  test.each<[object, object, string | Error]>([
    [flow('ftp://api.example/token'), {}, 'the token endpoint URL of the document is invalid. Set tokenUrl.'],
    [flow('https://user:pass@api.example/'), {}, 'is invalid. Set tokenUrl.'],
    [flow('https://[/'), {}, 'is invalid. Set tokenUrl.'],
    [flow(), {}, 'the document names no token endpoint. Set tokenUrl.'],
    [
      { oauth: { type: 'http', scheme: 'bearer' } },
      {},
      'the document names no token endpoint. Set tokenUrl.',
    ],
    [flow('/token'), { tokenUrl: '/token' }, 'tokenUrl must be a URL such as'],
    [flow('/token'), { tokenUrl: 'file:///token' }, 'tokenUrl must be a URL such as'],
    [flow('/token'), { tokenUrl: '' }, refused('credentials', { path: ['oauth', 'tokenUrl'] })],
    [flow('/token'), { clientSecret: '' }, refused('credentials', { path: ['oauth', 'clientSecret'] })],
    [flow('/token'), { clientId: 5 }, refused('credentials', { path: ['oauth', 'clientId'] })],
    [flow('/token'), { scopes: 'a b' }, refused('credentials', { path: ['oauth', 'scopes'] })],
    [
      flow('/token'),
      { clientAuthentication: 'jwt' },
      refused('credentials', { path: ['oauth', 'clientAuthentication'] }),
    ],
    [
      flow('/token'),
      { scope: 'a' },
      refused('credentials', { path: ['oauth', 'scope'], reason: 'unknown-option' }),
    ],
  ])('nobody, if it cannot be meant: %o %o', async (schemes, credential, message) => {
    const error = await errorOf(() => load(schemes, credential));
    expect(error).toBeInstanceOf(DefinitionError);
    expect(() => {
      throw error;
    }).toThrow(message);
    expect(error.message).not.toContain('top-secret');
  });
});

test('a bearer scheme takes a client as well, and its roles are no scopes', async () => {
  const { origin, seen } = await serve(counting());
  const credentials = { plain: { ...CLIENT, tokenUrl: `${origin}/token` } };
  const authenticator = authenticatorOf({ plain: { type: 'http', scheme: 'bearer' } }, { credentials });
  const { headers } = await authenticator.authorize(requestOf([{ plain: ['admin'] }]));
  expect([headers, seen[0]?.form]).toEqual([
    { authorization: 'Bearer token-1' },
    { grant_type: 'client_credentials' },
  ]);
});

test('tokens are given out where another flow says, if there is none for programs', async () => {
  const schemes = { oauth: { type: 'oauth2', flows: { authorizationCode: { tokenUrl: 'token?x=1' } } } };
  const { seen, header } = await setUp(counting(), {}, schemes);
  expect([await header(), seen[0]?.url]).toEqual(['Bearer token-1', '/token?x=1']);
});

describe('a server that describes itself', () => {
  const described = {
    oauth: { type: 'openIdConnect', openIdConnectUrl: '/.well-known/openid-configuration' },
  };
  const asks = (seen: readonly Seen[]): string[] => seen.map(({ method, url }) => `${method} ${url}`);
  const describing =
    (metadata: (host: string) => unknown) =>
    (each: Seen, count: number): Reply =>
      each.method === 'POST' ? counting()(each, count) : { body: metadata(`http://${each.headers.host}`) };

  test('is requested first, once for all calls, and without the secret', async () => {
    const { seen, header, clock } = await setUp(
      describing((host) => ({ token_endpoint: `${host}/t` })),
      {},
      described,
    );
    expect(await Promise.all([header(['a']), header(['a']), header(['b'])])).toHaveLength(3);
    expect(asks(seen).toSorted()).toEqual(['GET /.well-known/openid-configuration', 'POST /t', 'POST /t']);
    expect(seen.find(({ method }) => method === 'GET')?.headers.authorization).toBeUndefined();
    expect(seen.find(({ method }) => method === 'POST')?.headers.authorization).toBe(
      'Basic bWU6dG9wLXNlY3JldA==',
    );
    clock.advance(3_599_999);
    await header(['c']);
    expect(asks(seen)).toHaveLength(4);
    clock.advance(1);
    await header(['d']);
    expect(asks(seen).slice(4)).toEqual(['GET /.well-known/openid-configuration', 'POST /t']);
  });

  test('is described in OpenAPI 3.2 for OAuth as well', async () => {
    const schemes = { oauth: { type: 'oauth2', oauth2MetadataUrl: '/about', flows: {} } };
    const { seen, header } = await setUp(
      describing((host) => ({ token_endpoint: `${host}/t` })),
      {},
      schemes,
    );
    await header();
    expect(asks(seen)).toEqual(['GET /about', 'POST /t']);
  });

  test.each([
    [['client_secret_post'], undefined, 'post'],
    [['client_secret_post', 'client_secret_basic'], undefined, 'basic'],
    [['private_key_jwt'], undefined, 'basic'],
    ['client_secret_post', undefined, 'basic'],
    [['client_secret_post'], 'basic', 'basic'],
  ] as const)('says how clients show who they are: %o, %o', async (methods, said, expected) => {
    const metadata = (host: string): object => ({
      token_endpoint: `${host}/t`,
      token_endpoint_auth_methods_supported: methods,
    });
    const credential = said === undefined ? {} : { clientAuthentication: said };
    const { seen, header } = await setUp(describing(metadata), credential, described);
    await header();
    expect(seen[1]?.form['client_secret'] === undefined ? 'basic' : 'post').toBe(expected);
  });

  test('cannot send the secret elsewhere', async () => {
    const other = await serve(counting());
    const { origin, header } = await setUp(
      describing(() => ({ token_endpoint: `${other.origin}/t` })),
      {},
      described,
    );
    const error = await errorOf(() => header());
    expect(error).toBeInstanceOf(ToolError);
    expect(error.message).toContain(
      `${origin}/.well-known/openid-configuration names a token endpoint at ${other.origin}, which is not trusted.`,
    );
    expect(other.seen).toEqual([]);
  });

  test('may send it where the author says', async () => {
    const other = await serve(counting());
    const { origin } = await serve(() => ({ body: { token_endpoint: `${other.origin}/t` } }));
    const options = { credentials: { oauth: CLIENT }, origins: [other.origin] };
    const authenticator = authenticatorOf(described, options, { baseUrl: origin });
    expect((await authenticator.authorize(requestOf([{ oauth: [] }], { origin }))).headers).toEqual({
      authorization: 'Bearer token-1',
    });
  });

  test.each<[Reply]>([
    [{ status: 404, body: { token_endpoint: 'https://a.example/t' } }],
    [{ body: 'no JSON' }],
    [{ body: [] }],
    [{ body: { token_endpoint: '/relative' } }],
    [{ body: { token_endpoint: 7 } }],
  ])('wrongly gives no token, and is asked again: %o', async (reply) => {
    const { origin, seen, header } = await setUp(() => reply, {}, described);
    const error = await errorOf(() => header());
    expect(error).toBeInstanceOf(ToolError);
    expect(error.message).toBe(
      `No token for credentials.oauth: ${origin}/.well-known/openid-configuration names no valid token_endpoint.`,
    );
    await errorOf(() => header());
    expect(seen).toHaveLength(2);
  });
});

test('a request that is refused is sent once more, with another token, to the API alone', async () => {
  const tokens = await serve(counting());
  const api = await serve(({ headers }) =>
    headers.authorization === 'Bearer token-2' ? { body: 'pets' } : { status: 401, body: 'expired' },
  );
  const client = clientOf();
  const credentials = { oauth: { ...CLIENT, tokenUrl: `${tokens.origin}/token` } };
  const authenticator = authenticatorOf(flow(), { credentials }, { baseUrl: api.origin, client });
  const send = async (): Promise<[AppliedCredentials, Awaited<ReturnType<typeof client.send>>]> => {
    const applied = await authenticator.authorize(requestOf([{ oauth: [] }], { origin: api.origin }));
    return [applied, await client.send({ url: new URL(`${api.origin}/pets`), credentials: applied })];
  };
  const [applied, { status, headers, body }] = await send();
  expect([status, await applied.refused({ status, headers, body: body.toString() })]).toEqual([401, true]);
  const [, answer] = await send();
  expect([answer.status, answer.body.toString()]).toEqual([200, 'pets']);
  expect(api.seen.map(({ headers: { authorization } }) => authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ]);
  expect(tokens.seen.map(({ headers: { authorization } }) => authorization)).toEqual([
    'Basic bWU6dG9wLXNlY3JldA==',
    'Basic bWU6dG9wLXNlY3JldA==',
  ]);
  // The client does not send the credentials to other origins.
  const elsewhere = await errorOf(() => client.send({ url: new URL(tokens.origin), credentials: applied }));
  expect(elsewhere.message).toContain('The credentials are for');
});
