/** The keys of an issuer are fetched as seldom as possible and within the limits of the outbound client, whatever tokens name. */
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import { textOf } from '../protocol/support/rpc.ts';
import { createTestIssuer } from '../../src/testing.ts';
import type { TestIssuer } from '../../src/testing.ts';
import { asked } from './support/asked.ts';
import { listenHere } from './support/asking.ts';
import { ChildServer } from './support/child-server.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';
import type { Weakness } from './support/weaken.ts';

interface Running {
  readonly server: ChildServer;
  readonly issuer: TestIssuer;
  /** Requests for keys so far. */
  readonly fetches: () => number;
  /** Changes how requests for keys are answered. */
  readonly answer: (listener: RequestListener) => void;
  /** The outcome of a call with a token: the id of the principal, or the status. */
  readonly call: (token: string) => Promise<string>;
}

/** Time enough for a busy machine. */
const LOOPBACK = { allowPrivate: ['127.0.0.1'], timeoutMs: 8000 };
const IMPATIENT = { ...LOOPBACK, timeoutMs: 500 };

/** The keys of an issuer on this machine, and a server that needs them. */
async function start(without: readonly Weakness[], outbound: object = LOOPBACK): Promise<Running> {
  const issuer = await createTestIssuer();
  let count = 0;
  let listener: RequestListener = (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(issuer.jwks));
  };
  const keys = await listenHere(
    createServer((request, response) => {
      count += 1;
      listener(request, response);
    }),
  );
  const env = { JWKS_URI: `${keys}/jwks`, OUTBOUND: JSON.stringify(outbound) };
  const server = await ChildServer.listen('keys-http.mjs', { without, env });
  const http = new HttpCaller(server.port, 100);
  return {
    server,
    issuer,
    fetches: () => count,
    answer: (changed) => (listener = changed),
    call: async (token) => {
      const ended = await new TokenClient(http, token).call('echo');
      return ended.status === 200 ? textOf(answerIn(ended) ?? {}) : String(ended.status);
    },
  };
}

/** How often each outcome came. */
function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function times<Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

async function expectNoFetchForKeyIds(without: readonly Weakness[]): Promise<void> {
  const { issuer, fetches, call } = await start(without);
  expect(await call(await issuer.tokenFor({ sub: 'ada' }))).toBe('https://issuer.test|ada');
  const invented = await times(1000, (index) =>
    issuer.tokenFor({ sub: 'eve', header: { kid: `invented-${index}` } }),
  );
  expect(tally(await Promise.all(invented.map(call))), '1,000 invented key ids').toEqual({ 401: 1000 });
  expect(fetches(), 'fetches for 1,000 invented key ids').toBe(1);
}

async function expectOneFetch(without: readonly Weakness[]): Promise<void> {
  const { server, issuer, fetches, answer, call } = await start(without);
  const tokens = await times(500, (index) => issuer.tokenFor({ sub: `user-${index}` }));
  const outcomes = await Promise.all(tokens.map(call));
  expect(outcomes, '500 callers at once').toEqual(
    Array.from({ length: 500 }, (_, index) => `https://issuer.test|user-${index}`),
  );
  expect(fetches(), 'fetches for 500 callers at once').toBe(1);
  // An issuer that changes its keys is asked once more, after a while.
  const renewed = await createTestIssuer();
  const jwks = { keys: renewed.jwks.keys.map((key) => ({ ...key, kid: 'renewed' })) };
  answer((_request, response) => void response.end(JSON.stringify(jwks)));
  await asked(server, { skip: 30_000 }, 'skipped');
  const others = await times(50, (index) =>
    renewed.tokenFor({ sub: `other-${index}`, header: { kid: 'renewed' } }),
  );
  expect(await Promise.all(others.map(call)), 'callers with a new key').toEqual(
    Array.from({ length: 50 }, (_, index) => `https://issuer.test|other-${index}`),
  );
  expect(fetches(), 'fetches for a new key').toBe(2);
}

const TEN_MEGABYTES = Buffer.alloc(10_000_000, ' ');

/** Ways in which an issuer does not give its keys. */
const FAULTS: Readonly<Record<string, RequestListener>> = {
  'it hangs up': (_request, response) => void response.destroy(),
  'it is slow': () => {},
  'it fails': (_request, response) => void response.writeHead(500).end('no keys'),
  'it sends no JSON': (_request, response) => void response.end('<html>'),
  'it sends no key set': (_request, response) => void response.end('{"keys":{}}'),
  'it sends 10 MB': (_request, response) => void response.end(TEN_MEGABYTES),
};

async function expectOneFetchWhereItFails(without: readonly Weakness[]): Promise<void> {
  await Promise.all(
    Object.entries(FAULTS).map(async ([title, listener]) => {
      const { issuer, fetches, answer, call } = await start(without, IMPATIENT);
      answer(listener);
      const tokens = await times(50, (index) => issuer.tokenFor({ sub: `user-${index}` }));
      expect(tally(await Promise.all(tokens.slice(0, 25).map(call))), title).toEqual({ 503: 25 });
      expect(tally(await Promise.all(tokens.slice(25).map(call))), title).toEqual({ 503: 25 });
      expect(fetches(), `fetches while ${title}`).toBe(1);
    }),
  );
}

async function expectNoOtherAddress(without: readonly Weakness[]): Promise<void> {
  const closed = await start(without, { timeoutMs: 500 });
  const token = await closed.issuer.tokenFor({ sub: 'ada' });
  expect(await closed.call(token), 'keys at a private address').toBe('503');
  expect(closed.fetches(), 'requests to a private address').toBe(0);
  const moved = await start(without);
  let strays = 0;
  const elsewhere = await listenHere(
    createServer((_request, response) => {
      strays += 1;
      response.end(JSON.stringify(moved.issuer.jwks));
    }),
  );
  moved.answer((_request, response) => void response.writeHead(302, { location: `${elsewhere}/jwks` }).end());
  expect(await moved.call(await moved.issuer.tokenFor({ sub: 'ada' })), 'keys behind a redirect').toBe('503');
  expect([moved.fetches(), strays], 'requests for keys, and where they are redirected to').toEqual([1, 0]);
}

async function expectStaleKeysForATime(without: readonly Weakness[]): Promise<void> {
  const { server, issuer, fetches, answer, call } = await start(without);
  const tokens = await times(4, (index) => issuer.tokenFor({ sub: `user-${index}` }));
  const [first, second, third, fourth] = tokens as [string, string, string, string];
  expect(await call(first)).toBe('https://issuer.test|user-0');
  answer(FAULTS['it fails'] as RequestListener);
  await asked(server, { skip: 590_000 }, 'skipped');
  expect(await call(second), 'a token within 10 minutes, while the issuer is down').toBe(
    'https://issuer.test|user-1',
  );
  expect(fetches(), 'fetches within 10 minutes').toBe(1);
  await asked(server, { skip: 10_000 }, 'skipped');
  expect(await call(third), 'a token after 10 minutes, while the issuer is down').toBe('503');
  expect(await call(second), 'a token that was verified before, after 10 minutes').toBe(
    'https://issuer.test|user-1',
  );
  answer((_request, response) => void response.end(JSON.stringify(issuer.jwks)));
  expect(await call(fourth), 'a token 5 s after a failed fetch, at the latest').toBe('503');
  await asked(server, { skip: 5000 }, 'skipped');
  expect(await call(fourth), 'a token once the issuer is back').toBe('https://issuer.test|user-3');
  expect(fetches(), 'fetches').toBe(3);
}

const COLD = '500 callers at once are one fetch';
const FAILING = 'an issuer that fails is asked once';
const ADDRESSES = 'keys are fetched from public addresses and without redirects';
const STALE = 'keys serve for 10 minutes while the issuer is down, and no longer';

promise('keys of an issuer cannot be used against us', {
  checks: {
    '1,000 invented key ids cause no fetch': expectNoFetchForKeyIds,
    [COLD]: expectOneFetch,
    [FAILING]: expectOneFetchWhereItFails,
    [ADDRESSES]: expectNoOtherAddress,
    [STALE]: expectStaleKeysForATime,
  },
  switches: [
    {
      defence: 'a cooldown',
      off: [{ module: 'auth/key-set.js', defence: 'cooldown-of-keys', by: '0' }],
      red: /fetches for 1,000 invented key ids/,
    },
    {
      defence: 'one fetch for all',
      off: [{ module: 'auth/key-set.js', defence: 'one-fetch-for-all', by: 'return this.#loadOnce();' }],
      check: COLD,
      red: /fetches for 500 callers at once/,
    },
    {
      defence: 'a pause after a failed fetch',
      off: [{ module: 'auth/key-set.js', defence: 'pause-after-a-failed-fetch' }],
      check: FAILING,
      red: /fetches while/,
    },
    {
      defence: 'the outbound client',
      off: [
        {
          module: 'auth/identity-fetch.js',
          defence: 'keys-by-the-outbound-client',
          by: '{ send: async ({ url }) => { const found = await globalThis.fetch(url); return { status: found.status, headers: found.headers, body: await found.arrayBuffer() }; } }',
        },
      ],
      check: ADDRESSES,
      red: /keys at a private address/,
    },
    {
      defence: 'an end to keys',
      off: [{ module: 'auth/key-set.js', defence: 'age-of-keys', by: 'Infinity' }],
      check: STALE,
      red: /a token after 10 minutes/,
    },
  ],
});
