/** The limits of one process. Limits that several processes share belong here as soon as there is a store for them. */
import { expect } from 'vitest';
import { textOf } from '../protocol/support/rpc.ts';
import { asked } from './support/asked.ts';
import { ChildServer } from './support/child-server.ts';
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

/** Wait time of a call: 0 if it was allowed. */
function waitOf(ended: Ended): number {
  const answer = answerIn(ended) ?? {};
  if (ended.status === 200 && textOf(answer) === 'done') return 0;
  const { code, retryAfterMs } = (answer.result?._meta?.['toolwright/error'] ?? {}) as {
    code?: string;
    retryAfterMs?: number;
  };
  if (code !== 'RATE_LIMITED' || answer.result?.isError !== true || retryAfterMs === undefined)
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
  const server = await ChildServer.listen('limited-http.mjs', { without, env });
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

/** All at once, of one user: with other tokens, other addresses, and in separate sessions. */
async function callAll(http: HttpCaller, calls: number): Promise<readonly number[]> {
  const sessions = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const client = new TokenClient(http, `ada.${index}`);
      return { client, session: await client.openSession() };
    }),
  );
  return Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const { client, session } = sessions[index % 10] as (typeof sessions)[number];
      const params = { name: 'count', arguments: {} };
      if (index % 5 === 0)
        return waitOf(await client.inSession(session, { method: 'tools/call', params, id: index }));
      const other = new TokenClient(http, `ada.${index}`, { headers: spoofed(index) });
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
    expect(await handled(), 'handlers that ran').toEqual({ handled: { 'count ada': limit } });
    const refused = waits.filter((wait) => wait > 0);
    expect(Math.max(...refused), 'the longest time to wait').toBeLessThanOrEqual(LONG_MS);
    expect(Math.min(...refused), 'the shortest time to wait').toBeGreaterThan(LONG_MS - 60_000);
    // Other callers are not affected.
    expect(waitOf(await new TokenClient(http, 'bob').call('count')), 'a call of somebody else').toBe(0);
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
        const client = new TokenClient(http, `user${index}`);
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

async function expectAnonymousByAddress(without: readonly Weakness[]): Promise<void> {
  const { http, handled, server } = await start(without, { LIMIT: '50', IS_OPEN: '1' });
  const ended = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      new TokenClient(http, `anybody.${index}`, { headers: spoofed(index) }).call('count'),
    ),
  );
  expect(countAllowed(ended.map(waitOf)), 'anonymous calls that were allowed').toBe(50);
  expect(await handled(), 'handlers that ran').toEqual({ handled: { 'count anonymous': 50 } });
  const neighbour = new HttpCaller(server.port, 100, '127.0.0.2');
  const others = await Promise.all(
    Array.from({ length: 100 }, () => new TokenClient(neighbour, 'anybody').call('count')),
  );
  expect(countAllowed(others.map(waitOf)), 'calls from another address that were allowed').toBe(50);
  neighbour.close();
  http.close();
}

async function expectWindows(without: readonly Weakness[]): Promise<void> {
  const { http, server } = await start(without, { LIMIT: '1000' });
  const ada = new TokenClient(http, 'ada');
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
const WINDOWS = 'after the time to wait, as many are allowed again';

promise('rate limits are exact and fair', {
  checks: {
    'of 2,500 concurrent calls exactly 1,000 are allowed, whatever their headers claim': expectExact({}),
    [ASYNC]: expectExact({ IS_ASYNC: '1' }),
    [FAIR]: expectNoCrossEffects,
    [ANONYMOUS]: expectAnonymousByAddress,
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
      defence: 'the end of windows',
      off: [{ module: 'stores/rate-windows.js', defence: 'end-of-windows' }],
      check: WINDOWS,
      red: /calls allowed in the second window/,
    },
  ],
});
