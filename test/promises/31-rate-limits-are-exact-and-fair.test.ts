/**
 * The limits of one process, whose callers have JSON Web Tokens or API keys, or are anonymous. Limits that several processes share belong
 * here as soon as there is a store for them. A call above the limit gets a result with the time to wait, not the status 429.
 */
import { expect } from 'vitest';
import { textOf } from '../protocol/support/rpc.ts';
import { asked } from './support/asked.ts';
import { ChildServer } from './support/child-server.ts';
import { createCredentials, tokenId } from './support/credentials.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';

const LONG_MS = 600_000;
/** Number of concurrent calls, and the limit. */
const SHARES = { calls: 2500, limit: 1000 };
/** Enough with a defence turned off. */
const WEAK_SHARES = { calls: 250, limit: 100 };
const KEYS = 100;
const WEAK_KEYS = 10;

/** Ada, Kay and a hundred others have an API key; Ada's belongs to the principal of her tokens. */
const credentials = await createCredentials([
  { id: tokenId('ada') },
  { id: 'kay' },
  ...Array.from({ length: KEYS }, (_, index) => ({ id: `user${index}` })),
]);
const { tokenFor } = credentials;
const [adaKey = '', kayKey = '', ...userKeys] = credentials.keys;

function tokensFor(sub: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => tokenFor({ sub })));
}

/** Wait time of a call: 0 if it was allowed. */
function waitOf(ended: Ended): number {
  const answer = answerIn(ended) ?? {};
  if (ended.status === 200 && textOf(answer) === 'done') return 0;
  const { code, retryAfterMs } = (answer.result?._meta?.['toolwright/error'] ?? {}) as {
    code?: string;
    retryAfterMs?: number;
  };
  if (
    ended.status !== 200 ||
    code !== 'RATE_LIMITED' ||
    answer.result?.isError !== true ||
    retryAfterMs === undefined
  )
    throw new Error(`neither allowed nor limited: ${ended.loss ?? ended.text}`);
  return retryAfterMs;
}

function countAllowed(waits: readonly number[]): number {
  return waits.filter((wait) => wait === 0).length;
}

async function start(
  without: readonly Weakness[],
  env: Readonly<Record<string, string>>,
): Promise<{
  server: ChildServer;
  http: HttpCaller;
  handled: () => Promise<{ handled: Record<string, number> }>;
}> {
  const server = await ChildServer.listen('limited-http.mjs', {
    without,
    env: { ...credentials.env, ...env },
  });
  const http = new HttpCaller(server.port, 100);
  return { server, http, handled: () => asked(server, 'handled', 'handled') };
}

/** Headers that claim another identity. */
function spoofed(index: number): Record<string, string> {
  const address = `10.0.${index >> 8}.${index & 255}`;
  return {
    'X-Forwarded-For': address,
    'X-Real-IP': address,
    Forwarded: `for=${address}`,
    'X-Client-IP': address,
    'True-Client-IP': address,
  };
}

/** All at once, of one user: with other tokens, with an API key, with other addresses, and in separate sessions. */
async function callAll(http: HttpCaller, calls: number): Promise<readonly number[]> {
  const tokens = await tokensFor('ada', 100);
  const sessions = await Promise.all(
    tokens.slice(0, 10).map(async (token) => {
      const client = new TokenClient(http, token);
      return { client, session: await client.openSession() };
    }),
  );
  return Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const { client, session } = sessions[index % 10] as (typeof sessions)[number];
      const params = { name: 'count', arguments: {} };
      if (index % 5 === 0)
        return waitOf(await client.inSession(session, { method: 'tools/call', params, id: index }));
      const credential = index % 7 === 0 ? adaKey : tokens[index % 100];
      const other = new TokenClient(http, credential, { headers: spoofed(index) });
      return waitOf(await other.call('count'));
    }),
  );
}

function expectExact(env: Readonly<Record<string, string>>): (without: readonly Weakness[]) => Promise<void> {
  return async (without) => {
    const { calls, limit } = without.length > 0 ? WEAK_SHARES : SHARES;
    const { http, handled } = await start(without, { LIMIT: String(limit), ...env });
    const waits = await callAll(http, calls);
    expect(countAllowed(waits), 'calls that were allowed').toBe(limit);
    expect(await handled(), 'handlers that ran').toEqual({
      handled: { [`count ${tokenId('ada')}`]: limit },
    });
    const refused = waits.filter((wait) => wait > 0);
    expect(Math.max(...refused), 'the longest time to wait').toBeLessThanOrEqual(LONG_MS);
    expect(Math.min(...refused), 'the shortest time to wait').toBeGreaterThan(LONG_MS - 60_000);
    // Other callers are not affected.
    expect(waitOf(await new TokenClient(http, kayKey).call('count')), 'a call of somebody else').toBe(0);
    http.close();
  };
}

/** Twenty calls of each of a hundred users, all at once. */
async function expectNoCrossEffects(without: readonly Weakness[]): Promise<void> {
  const keys = without.length > 0 ? WEAK_KEYS : KEYS;
  for (const [tool, limit] of [
    ['count', 10],
    ['few', 1000],
  ] as const) {
    const { http, handled } = await start(without, { LIMIT: String(limit) });
    const allowed = await Promise.all(
      Array.from({ length: keys }, async (_, index) => {
        const token = index % 2 === 0 ? userKeys[index] : await tokenFor({ sub: `user${index}` });
        const client = new TokenClient(http, token);
        const ended = await Promise.all(Array.from({ length: 20 }, () => client.call(tool)));
        return countAllowed(ended.map(waitOf));
      }),
    );
    expect(allowed, `calls of each user that were allowed (${tool})`).toEqual(Array(keys).fill(10));
    const runs = Object.values((await handled()).handled);
    expect(runs, 'handlers that ran').toEqual(Array(keys).fill(10));
    http.close();
  }
}

/** The calls that are allowed of 200 at once. */
async function countOf200(clientOf: (index: number) => TokenClient): Promise<number> {
  const ended = await Promise.all(Array.from({ length: 200 }, (_, index) => clientOf(index).call('count')));
  return countAllowed(ended.map(waitOf));
}

function expectAnonymousByAddress(
  env: Readonly<Record<string, string>>,
): (without: readonly Weakness[]) => Promise<void> {
  return async (without) => {
    const { http, handled, server } = await start(without, { LIMIT: '50', ...env });
    const ofAnybody = (from: HttpCaller): Promise<number> =>
      countOf200((index) => new TokenClient(from, undefined, { headers: spoofed(index) }));
    expect(await ofAnybody(http), 'anonymous calls that were allowed').toBe(50);
    expect(await handled(), 'handlers that ran').toEqual({ handled: { 'count anonymous': 50 } });
    const neighbour = new HttpCaller(server.port, 100, '127.0.0.2');
    expect(await ofAnybody(neighbour), 'calls from another address that were allowed').toBe(50);
    neighbour.close();
    if (env['ANONYMOUS'] !== undefined) {
      // The limit of the address is reached; that of a principal at this address is its own.
      const ada = new TokenClient(http, await tokenFor({ sub: 'ada' }));
      expect(await countOf200(() => ada), 'calls of a principal that were allowed').toBe(50);
    }
    http.close();
  };
}

/** Behind a proxy, which appends the address of its client to the header. */
async function expectTrustedProxies(without: readonly Weakness[]): Promise<void> {
  const { http, server } = await start(without, {
    LIMIT: '50',
    IS_OPEN: '1',
    PROXIES: '127.0.0.1 10.9.0.0/16',
  });
  const through = (from: HttpCaller, chain: (index: number) => string): Promise<number> =>
    countOf200((index) => new TokenClient(from, undefined, { headers: { 'X-Forwarded-For': chain(index) } }));
  const neighbour = new HttpCaller(server.port, 100, '127.0.0.2');
  const counts = {
    'a client that writes entries of its own': await through(
      http,
      (index) => `10.0.0.${index}, 198.51.100.7`,
    ),
    'another client': await through(http, () => '198.51.100.8'),
    'a client behind two proxies': await through(http, (index) => `10.0.0.${index}, 198.51.100.9, 10.9.0.1`),
    'a sender that is no proxy': await through(neighbour, (index) => `10.0.0.${index}`),
  };
  expect(counts, 'calls by address that were allowed').toEqual({
    'a client that writes entries of its own': 50,
    'another client': 50,
    'a client behind two proxies': 50,
    'a sender that is no proxy': 50,
  });
  neighbour.close();
  http.close();
}

/** Invalid credentials of Ada and Kay: forged, expired, and guesses of a key whose prefix is known. */
async function invalidCredentials(count: number): Promise<readonly string[]> {
  const stranger = await createCredentials();
  const forged = await Promise.all(Array.from({ length: count }, () => stranger.tokenFor({ sub: 'ada' })));
  const expired = await tokenFor({ sub: 'ada', expiresIn: -60 });
  const prefix = kayKey.slice(0, 'tw_'.length + 16);
  const guesses = Array.from({ length: count }, (_, index) => `${prefix}_${String(index).padStart(43, 'A')}`);
  return [...forged, expired, ...guesses];
}

/** Authentication comes first: credentials that are not valid count for nobody. */
async function expectInvalidUncounted(without: readonly Weakness[]): Promise<void> {
  const { http, handled } = await start(without, { LIMIT: '50' });
  const invalid = await invalidCredentials(without.length > 0 ? 100 : 500);
  const statuses = await Promise.all(
    invalid.map(async (token) => (await new TokenClient(http, token).call('count')).status),
  );
  const ada = new TokenClient(http, await tokenFor({ sub: 'ada' }));
  const kay = new TokenClient(http, kayKey);
  expect(await countOf200(() => ada), 'calls of Ada that were allowed after forged tokens').toBe(50);
  expect(await countOf200(() => kay), 'calls of Kay that were allowed after guessed keys').toBe(50);
  expect([...new Set(statuses)], 'statuses of invalid credentials').toEqual([401]);
  expect(await handled(), 'handlers that ran').toEqual({
    handled: { [`count ${tokenId('ada')}`]: 50, 'count kay': 50 },
  });
  http.close();
}

/** The time of day may jump; windows are as long as before. */
async function expectTimeOfDayIgnored(without: readonly Weakness[]): Promise<void> {
  const { http, server } = await start(without, { LIMIT: '50' });
  const kay = new TokenClient(http, kayKey);
  expect(await countOf200(() => kay), 'calls that were allowed').toBe(50);
  for (const skew of [86_400_000, -86_400_000]) {
    await asked(server, { skew }, 'skewMs');
    const wait = waitOf(await kay.call('count'));
    expect(wait, 'the time to wait after a jump of the time of day').toBeGreaterThan(LONG_MS - 60_000);
    expect(wait, 'the time to wait after a jump of the time of day').toBeLessThanOrEqual(LONG_MS);
  }
  http.close();
}

async function expectWindows(without: readonly Weakness[]): Promise<void> {
  const { http, server } = await start(without, { LIMIT: '1000' });
  const ada = new TokenClient(http, await tokenFor({ sub: 'ada' }));
  const waitLater = async (ms: number): Promise<number> => {
    await asked(server, { advance: ms }, 'time');
    return waitOf(await ada.call('brief'));
  };
  for (const round of ['first', 'second']) {
    const waits = (await Promise.all(Array.from({ length: 12 }, () => ada.call('brief')))).map(waitOf);
    expect(countAllowed(waits), `calls allowed in the ${round} window`).toBe(5);
    expect(Math.max(...waits), 'the time to wait').toBe(1000);
    // Rejected calls do not extend the wait.
    expect(await waitLater(600), 'the time that is left').toBe(400);
    expect(await waitLater(399), 'the time that is left').toBe(1);
    await asked(server, { advance: 1 }, 'time');
  }
  http.close();
}

const ASYNC = 'of 2,500 calls at once exactly 1,000 are allowed, by a store that takes its time';
const FAIR = 'a hundred callers do not take calls from each other';
const ANONYMOUS =
  'anonymous callers are counted by the address of their connection, not by headers that name one';
const OPTIONAL = 'anonymous callers beside principals are counted by address, principals by themselves';
const PROXIES = 'behind trusted proxies, clients are counted by the address that the proxies write';
const INVALID = 'invalid tokens and guessed keys do not use up the limit of anybody';
const TIME = 'jumps of the time of day change no window';
const WINDOWS = 'after the time to wait, as many are allowed again';

promise('rate limits are exact and fair', {
  checks: {
    'of 2,500 concurrent calls exactly 1,000 are allowed, whatever their headers claim': expectExact({}),
    [ASYNC]: expectExact({ IS_ASYNC: '1' }),
    [FAIR]: expectNoCrossEffects,
    [ANONYMOUS]: expectAnonymousByAddress({ IS_OPEN: '1' }),
    [OPTIONAL]: expectAnonymousByAddress({ ANONYMOUS: '1' }),
    [PROXIES]: expectTrustedProxies,
    [INVALID]: expectInvalidUncounted,
    [TIME]: expectTimeOfDayIgnored,
    [WINDOWS]: expectWindows,
  },
  switches: [
    {
      defence: 'a limit',
      off: [{ module: 'pipeline/tool/secure.js', defence: 'rate-limit' }],
      red: /calls that were allowed/,
    },
    {
      defence: 'a limit for calls that wait for the store',
      off: [{ module: 'pipeline/tool/secure.js', defence: 'rate-limit-of-slow-stores' }],
      check: ASYNC,
      red: /calls that were allowed/,
    },
    {
      defence: 'one count for all tokens of a principal',
      off: [
        {
          module: 'pipeline/tool/secure.js',
          defence: 'count-for-each-principal',
          by: 'return `${arguments[0].namespace}|principal|${arguments[1].accessToken}`;',
        },
      ],
      red: /calls that were allowed/,
    },
    {
      defence: 'a count for each caller',
      off: [
        {
          module: 'pipeline/tool/secure.js',
          defence: 'count-for-each-principal',
          by: 'return `${arguments[0].namespace}|principal`;',
        },
      ],
      check: FAIR,
      red: /calls of each user that were allowed \(count\)/,
    },
    {
      defence: 'a count for each caller of a tool',
      off: [
        {
          module: 'middleware/parts/caller-identity.js',
          defence: 'name-of-a-caller',
          by: "return ['principal'];",
        },
      ],
      check: FAIR,
      red: /calls of each user that were allowed \(few\)/,
    },
    {
      defence: 'ignoring forwarded address headers',
      off: [
        {
          module: 'transport/http/gate/identify.js',
          defence: 'anonymous-callers',
          by: "return { caller: { accessToken: arguments[0].header('x-forwarded-for') } };",
        },
      ],
      check: ANONYMOUS,
      red: /anonymous calls that were allowed/,
    },
    {
      defence: 'a count for each address',
      off: [
        {
          module: 'pipeline/tool/secure.js',
          defence: 'count-for-each-address',
          by: 'return arguments[0].anonymousKey;',
        },
      ],
      check: ANONYMOUS,
      red: /calls from another address that were allowed/,
    },
    {
      defence: 'a count for each address beside principals',
      off: [
        {
          module: 'pipeline/tool/secure.js',
          defence: 'count-for-each-principal',
          by: 'return `${arguments[0].namespace}|address|127.0.0.1`;',
        },
        {
          module: 'pipeline/tool/secure.js',
          defence: 'count-for-each-address',
          by: 'return `${arguments[0].namespace}|address|${arguments[1].address}`;',
        },
      ],
      check: OPTIONAL,
      red: /calls of a principal that were allowed/,
    },
    {
      defence: 'a look at who wrote an entry of X-Forwarded-For',
      off: [
        {
          module: 'transport/http/forwarded-for.js',
          defence: 'entries-of-trusted-proxies',
          by: '() => true',
        },
      ],
      check: PROXIES,
      red: /calls by address that were allowed/,
    },
    {
      defence: 'authentication before the count',
      off: [
        {
          module: 'auth/jwt.js',
          defence: 'signature-of-a-token',
          by: '{ payload: arguments[1].jose.decodeJwt(arguments[0]), protectedHeader: arguments[1].jose.decodeProtectedHeader(arguments[0]) }',
        },
      ],
      check: INVALID,
      red: /calls of Ada that were allowed after forged tokens/,
    },
    {
      defence: 'a comparison of whole keys',
      off: [{ module: 'auth/api-keys.js', defence: 'hash-of-a-key', by: 'return true;' }],
      check: INVALID,
      red: /calls of Kay that were allowed after guessed keys/,
    },
    {
      defence: 'windows in monotonic time',
      off: [
        {
          module: 'stores/rate-limit-store.js',
          defence: 'windows-in-monotonic-time',
          by: 'this.#clock.wallTime()',
        },
      ],
      check: TIME,
      red: /the time to wait after a jump of the time of day/,
    },
    {
      defence: 'the end of windows',
      off: [{ module: 'stores/rate-windows.js', defence: 'end-of-windows' }],
      check: WINDOWS,
      red: /calls allowed in the second window/,
    },
  ],
});
