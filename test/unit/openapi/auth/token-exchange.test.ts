import { afterEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../../../src/errors/errors.ts';
import type { AppliedCredentials } from '../../../../src/openapi/auth/authenticator.ts';
import { tokenExchange } from '../../../../src/openapi/auth/tokens/token-exchange.ts';
import type { TokenExchangeOptions } from '../../../../src/openapi/auth/tokens/token-exchange.ts';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { authenticatorOf, clientOf, closeAll, errorOf, requestOf, serve } from './local-servers.ts';
import type { Reply, Seen } from './local-servers.ts';
import { refused } from '../../../support/refused.ts';

afterEach(closeAll);

const SCHEMES = { token: { type: 'http', scheme: 'bearer' } };
const unauthorized = { status: 401, headers: new Map<string, string>(), body: '' };

const counting = (seen: Seen, count: number): Reply => ({
  body: {
    access_token: `${seen.form['subject_token']}-for-api-${count}`,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'N_A',
    expires_in: 600,
  },
});

interface Setup {
  readonly clock: FakeClock;
  readonly seen: Seen[];
  readonly origin: string;
  authorize(accessToken?: string, security?: Operation['security']): Promise<AppliedCredentials>;
  header(accessToken: string): Promise<string | undefined>;
}

async function setUp(
  answer: (seen: Seen, count: number) => Reply,
  options: Partial<TokenExchangeOptions> = {},
): Promise<Setup> {
  const { origin, seen } = await serve(answer);
  const clock = new FakeClock();
  const client = clientOf({ clock });
  const given = { tokenUrl: `${origin}/token`, clientId: 'mcp', clientSecret: 'top-secret', client, clock };
  const authenticator = authenticatorOf(SCHEMES, { authProvider: tokenExchange({ ...given, ...options }) });
  const authorize: Setup['authorize'] = (accessToken, security = [{ token: [] }]) =>
    authenticator.authorize(requestOf(security, { accessToken }));
  const header: Setup['header'] = async (accessToken) =>
    (await authorize(accessToken)).headers['authorization'];
  return { clock, seen, origin, authorize, header };
}

describe('the token of the caller', () => {
  test('is exchanged as the protocol has it', async () => {
    const { seen, header } = await setUp(counting, {
      audience: 'pets',
      resource: 'https://api.example/',
      scope: ['read', 'write'],
    });
    expect(await header('ann')).toBe('Bearer ann-for-api-1');
    expect(seen[0]?.headers.authorization).toBe('Basic bWNwOnRvcC1zZWNyZXQ=');
    expect(seen[0]?.form).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'ann',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'pets',
      resource: 'https://api.example/',
      scope: 'read write',
    });
  });

  test('is exchanged by a client without a secret, and for what is said', async () => {
    const { origin, seen } = await serve(counting);
    const authProvider = tokenExchange({
      tokenUrl: origin,
      clientId: 'mcp',
      client: clientOf(),
      scope: 'read',
      subjectTokenType: 'urn:ietf:params:oauth:token-type:jwt',
      requestedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
    });
    await authenticatorOf(SCHEMES, { authProvider }).authorize(requestOf(undefined, { accessToken: 'ann' }));
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(seen[0]?.form).toMatchObject({
      client_id: 'mcp',
      scope: 'read',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
  });

  test('is exchanged once for each caller, until the new one ends', async () => {
    const { clock, seen, header } = await setUp(counting);
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => header(index % 2 === 0 ? 'ann' : 'bob')),
    );
    expect(new Set(all.map((each) => each?.split('-')[0]))).toEqual(new Set(['Bearer ann', 'Bearer bob']));
    expect(all.every((each, index) => each?.startsWith(index % 2 === 0 ? 'Bearer ann' : 'Bearer bob'))).toBe(
      true,
    );
    expect(seen).toHaveLength(2);
    clock.advance(569_999);
    await header('ann');
    expect(seen).toHaveLength(2);
    clock.advance(1);
    expect(await header('ann')).toBe('Bearer ann-for-api-3');
  });

  test('is forgotten when too many others come', async () => {
    const { seen, header } = await setUp(counting, { cacheSize: 2 });
    for (const caller of ['ann', 'bob', 'ann', 'cid', 'ann']) await header(caller);
    expect(seen.map(({ form }) => form['subject_token'])).toEqual(['ann', 'bob', 'cid']);
    await header('bob');
    expect(seen).toHaveLength(4);
  });

  test('is exchanged anew after a refusal, once', async () => {
    const { seen, authorize, header } = await setUp(counting);
    const applied = await authorize('ann');
    await header('bob');
    expect(await applied.refused({ ...unauthorized, status: 403 })).toBe(false);
    expect(await applied.refused(unauthorized)).toBe(true);
    const again = await authorize('ann');
    expect(again.headers).toEqual({ authorization: 'Bearer ann-for-api-3' });
    expect(await applied.refused(unauthorized)).toBe(true);
    expect(await again.refused(unauthorized)).toBe(false);
    expect(await header('bob')).toBe('Bearer bob-for-api-2');
    expect(seen).toHaveLength(3);
  });

  test('is required, unless the operation needs no credentials', async () => {
    const { seen, authorize } = await setUp(counting);
    for (const security of [undefined, [{ token: [] }]] as const) {
      const error = await errorOf(() => authorize(undefined, security));
      expect(error).toBeInstanceOf(ToolError);
      expect(error.message).toBe(
        'This API is called on behalf of the caller, so the caller must be authenticated.',
      );
    }
    const applied = await authorize(undefined, []);
    expect([applied.headers, await applied.refused(unauthorized), seen]).toEqual([{}, false, []]);
  });

  test('is in no message', async () => {
    const body = { error: 'invalid_request', error_description: 'ann-token of mcp:top-secret is over' };
    const { origin, header } = await setUp(() => ({ status: 400, body }));
    const error = await errorOf(() => header('ann-token'));
    expect(error).toBeInstanceOf(ToolError);
    expect(error.message).toBe(
      `No token for the caller from ${origin}/token: it responded with 400 invalid_request ([redacted] of mcp:[redacted] is over).`,
    );
  });
});

test.each<[object, string | Error]>([
  [{ tokenUrl: '/token' }, refused('tokenUrl')],
  [{ tokenUrl: undefined }, refused('tokenUrl')],
  [{ clientId: '' }, refused('clientId')],
  [{ clientSecret: '' }, refused('clientSecret')],
  [{ clientAuthentication: 'jwt' }, refused('clientAuthentication')],
  [{ cacheSize: 0 }, refused('cacheSize')],
  [{ client: undefined }, refused('client')],
  [{ scopes: ['a'] }, 'Unknown option "scopes" of tokenExchange. Did you mean "scope"?'],
])('an exchange that cannot be meant is refused: %o', async (wrong, message) => {
  const options = { tokenUrl: 'https://id.example/token', clientId: 'mcp', client: clientOf(), ...wrong };
  const error = await errorOf(() => tokenExchange(options));
  expect(() => {
    throw error;
  }).toThrow(message);
});
