/**
 * Two halves: `authenticate` of the application is called for every request on every route, and nothing but a principal is let in; and
 * with `auth: jwt(…)` a matrix of tokens, each wrong in one way, is rejected on every route, also in a session that a good token opened.
 */
import { expect } from 'vitest';
import { JSON_HEADERS, modernRequest } from '../protocol/support/raw-http.ts';
import type { RawRequest } from '../protocol/support/raw-http.ts';
import {
  initializeMessage,
  legacyMessage,
  modernMessage,
  notification,
  textOf,
} from '../protocol/support/rpc.ts';
import { asked } from './support/asked.ts';
import { ChildServer } from './support/child-server.ts';
import { forgeTokens } from './support/forged-tokens.ts';
import type { ForgedToken, Forgery } from './support/forged-tokens.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { within } from './support/patience.ts';
import { promise } from './support/promise.ts';
import type { Switch } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';

/** A route: a request that is valid except for its token, and its status with a valid token. */
interface Way {
  readonly title: string;
  readonly status: number;
  readonly request: RawRequest;
  /** Whether it runs a handler. */
  readonly isCall?: true;
}

interface Counts {
  readonly asked: number;
  readonly handled: number;
}

/** Tokens for which `authenticate` returns a value that is not a principal. */
const NOT_A_PRINCIPAL = [
  'refused',
  'refused-later',
  'undefined',
  'null',
  'true',
  'text',
  'empty-object',
  'empty-id',
  'number-id',
  'object-id',
  'list',
  'function',
  'undefined-later',
  'nobody-knows',
];
/** Tokens for which `authenticate` fails. */
const FAILING = ['throws', 'rejects', 'getter-throws', 'hangs'];

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const CALL = modernMessage('tools/call', { name: 'echo', arguments: {} }, { id: 1 });

function toSend({ request }: Way, headers: RawRequest['headers']): RawRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** Every route there is, with sessions of the good one. The session is ended last. */
async function openWays(http: HttpCaller, good: string): Promise<readonly Way[]> {
  const ada = new TokenClient(http, good);
  const session = { 'Mcp-Session-Id': await ada.openSession(), 'MCP-Protocol-Version': '2025-11-25' };
  const headers = { ...JSON_HEADERS, ...session };
  const stream = { Accept: 'text/event-stream' };
  const path = await within(
    new Promise<string>((resolve) => {
      const onPart = (text: string): void => resolve(/\/messages\?sessionId=\w+/.exec(text)?.[0] ?? '');
      void http.send({ method: 'GET', path: '/sse', headers: { ...stream, ...bearer(good) } }, { onPart });
    }),
    10_000,
    'a stream of 2024-11-05',
  );
  const call = legacyMessage('tools/call', { name: 'echo', arguments: {} }, 1);
  return [
    { title: 'a call', status: 200, request: modernRequest(CALL), isCall: true },
    { title: 'a list', status: 200, request: modernRequest(modernMessage('tools/list')) },
    {
      title: 'a handshake',
      status: 200,
      request: { headers: JSON_HEADERS, body: initializeMessage('2025-11-25') },
    },
    { title: 'a call in a session', status: 200, request: { headers, body: call }, isCall: true },
    {
      title: 'a notification',
      status: 202,
      request: { headers, body: notification('notifications/initialized') },
    },
    {
      title: 'an answer in a session',
      status: 202,
      request: { headers, body: { jsonrpc: '2.0', id: 9, result: {} } },
    },
    {
      title: 'the stream of a session',
      status: 200,
      request: { method: 'GET', headers: { ...session, ...stream } },
    },
    {
      title: 'a stream that is resumed',
      status: 200,
      request: { method: 'GET', headers: { ...session, ...stream, 'Last-Event-ID': 'a-1' } },
    },
    {
      title: 'a stream of 2024-11-05',
      status: 200,
      request: { method: 'GET', path: '/sse', headers: stream },
    },
    {
      title: 'a message of 2024-11-05',
      status: 202,
      request: { path, headers: JSON_HEADERS, body: initializeMessage('2024-11-05') },
    },
    { title: 'the end of a session', status: 204, request: { method: 'DELETE', headers: session } },
  ];
}

async function start(without: readonly Weakness[]): Promise<{ server: ChildServer; http: HttpCaller }> {
  const server = await ChildServer.listen('checked-http.mjs', { without });
  return { server, http: new HttpCaller(server.port) };
}

function countsOf(server: ChildServer): Promise<{ counts: Counts }> {
  return asked(server, 'counts', 'counts');
}

/** The status of a response, with the headers that a 401 must have. */
function seen({ status, headers }: Ended): string {
  const challenge = headers['www-authenticate'];
  return challenge === undefined ? String(status) : `${status} ${challenge}`;
}

/** Tokens that a route did not reject correctly. */
async function findAdmitted(http: HttpCaller, way: Way): Promise<string[]> {
  const wrong: string[] = [];
  const send = (headers: RawRequest['headers']): Promise<Ended> =>
    http.send(toSend(way, headers), { part: 'first' });
  const expectSeen = async (headers: RawRequest['headers'], expected: RegExp): Promise<void> => {
    const found = seen(await send(headers));
    if (!expected.test(found)) wrong.push(`${way.title} with ${JSON.stringify(headers)}: ${found}`);
  };
  for (const token of NOT_A_PRINCIPAL) await expectSeen(bearer(token), /^401 Bearer$/);
  for (const token of FAILING) await expectSeen(bearer(token), /^503$/);
  for (const headers of [{}, { Authorization: 'Basic YWRhOg==' }, { Authorization: 'good' }])
    await expectSeen(headers, /^401 Bearer$/);
  await expectSeen(bearer('refused-with-metadata'), /^401 Bearer resource_metadata="https:\/\/api\./);
  return wrong;
}

async function expectEveryRequestAsked(without: readonly Weakness[]): Promise<void> {
  const { server, http } = await start(without);
  const ways = await openWays(http, 'good');
  const { counts: before } = await countsOf(server);
  const wrong = (await Promise.all(ways.map((way) => findAdmitted(http, way)))).flat();
  expect(wrong, 'requests that were not refused as they should be').toEqual([]);
  const { counts: refused } = await countsOf(server);
  const perWay = NOT_A_PRINCIPAL.length + FAILING.length + 4;
  expect(refused, 'what was asked, and what ran').toEqual({
    asked: before.asked + ways.length * perWay,
    handled: 0,
  });
  // Each route works with a principal: nothing else blocked it.
  for (const way of ways) {
    const ended = await http.send(toSend(way, bearer('good-later')), { part: 'first' });
    expect(ended.status, `${way.title} with a good token`).toBe(way.status);
  }
  const { counts } = await countsOf(server);
  expect(counts, 'what was asked, and what ran').toEqual({
    asked: refused.asked + ways.length,
    handled: ways.filter(({ isCall }) => isCall).length,
  });
  http.close();
}

async function expectNoTokenInUrls(without: readonly Weakness[]): Promise<void> {
  const { server, http } = await start(without);
  const path = '/mcp?access_token=good&token=good&authorization=Bearer%20good';
  const post = modernRequest(CALL);
  const refused = await http.send({ ...post, path });
  expect(seen(refused), 'a token in the query string').toBe('401 Bearer');
  const request = { ...post, path, headers: { ...post.headers, ...bearer('good-later') } };
  const served = answerIn(await http.send(request));
  expect(textOf(served ?? {}), 'the token that a handler sees').toBe('ada good-later');
  expect(await countsOf(server)).toEqual({ counts: { asked: 2, handled: 1 } });
  http.close();
}

const METADATA = 'resource_metadata="https://server.test/.well-known/oauth-protected-resource/mcp"';

/** The responses to a token in the query string, without and with a token in the header (RFC 6750, 3.1). */
const QUERY_CHALLENGES = [
  `401 Bearer ${METADATA}`,
  `400 Bearer error="invalid_request", error_description="A token in the query string is not accepted. Send it in the header Authorization alone.", ${METADATA}`,
];

async function startWithTokens(
  without: readonly Weakness[],
  auth: object = {},
): Promise<{ server: ChildServer; http: HttpCaller; forgery: Forgery }> {
  const forgery = await forgeTokens();
  const env = { JWKS: JSON.stringify(forgery.jwks), AUTH: JSON.stringify(auth) };
  const server = await ChildServer.listen('tokens-http.mjs', { without, env });
  return { server, http: new HttpCaller(server.port), forgery };
}

/** The tokens that a way did not reject as it should. */
async function findAccepted(http: HttpCaller, way: Way, forged: readonly ForgedToken[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { title, token, description } of forged) {
    const found = seen(await http.send(toSend(way, bearer(token)), { part: 'first' }));
    const challenge = `Bearer error="invalid_token", error_description="${description}", ${METADATA}`;
    if (found !== `401 ${challenge}`) wrong.push(`${way.title}, ${title}: ${found}`);
  }
  return wrong;
}

async function expectOnlyOurTokens(without: readonly Weakness[]): Promise<void> {
  const { server, http, forgery } = await startWithTokens(without);
  const { valid, withAudiences, forged } = forgery;
  const ways = await openWays(http, valid);
  const wrong = (await Promise.all(ways.map((way) => findAccepted(http, way, forged)))).flat();
  expect(wrong, 'tokens that were not rejected as they should be').toEqual([]);
  const call = ways[0] as Way;
  const others: readonly (readonly [RawRequest['headers'], string])[] = [
    [{}, `401 Bearer ${METADATA}`],
    [{ Authorization: `Basic ${valid}` }, `401 Bearer ${METADATA}`],
    [{ Authorization: valid }, `401 Bearer ${METADATA}`],
    [{ 'X-Authorization': `Bearer ${valid}` }, `401 Bearer ${METADATA}`],
    // RFC 6750, 3.1: a request that is not well-formed.
    [{ Authorization: [`Bearer ${valid}`, `Bearer ${valid}`] }, '400'],
    // Longer than the headers that Node.js reads.
    [{ Authorization: `Bearer ${'a'.repeat(1_000_000)}` }, '431'],
  ];
  for (const [headers, expected] of others) {
    const ended = await http.send(toSend(call, headers));
    // The server may close the connection while 1 MB is still being sent.
    const found = ended.loss === undefined ? seen(ended) : '431';
    expect(found, `a call with ${JSON.stringify(headers).slice(0, 40)}`).toBe(expected);
  }
  expect(await countsOf(server), 'handlers that ran').toEqual({ counts: { handled: 0 } });
  // Everything but the token was in order.
  for (const way of ways) {
    const ended = await http.send(toSend(way, bearer(withAudiences)), { part: 'first' });
    expect(ended.status, `${way.title} with a valid token for several audiences`).toBe(way.status);
  }
  const lower = answerIn(await http.send(toSend(call, { Authorization: `bearer ${valid}` })));
  expect(textOf(lower ?? {}), 'a scheme in lower case').toBe('https://issuer.test|ada');
  expect(await countsOf(server), 'handlers that ran').toEqual({ counts: { handled: 3 } });
  http.close();
}

/** On every route, with and without the same token in the header; also where requests without credentials are served. */
async function expectNoTokenInQuery(without: readonly Weakness[]): Promise<void> {
  const { server, http, forgery } = await startWithTokens(without, { anonymous: true });
  const call = modernRequest(CALL);
  const wrong: string[] = [];
  for (const way of await openWays(http, forgery.valid)) {
    const { path = '/mcp' } = way.request;
    for (const name of ['access_token', 'access%5ftoken']) {
      const asked = `${path}${path.includes('?') ? '&' : '?'}${name}=${forgery.valid}`;
      for (const [index, headers] of [{}, bearer(forgery.valid)].entries()) {
        const ended = await http.send({ ...toSend(way, headers), path: asked }, { part: 'first' });
        if (seen(ended) !== QUERY_CHALLENGES[index]) wrong.push(`${way.title}: ${seen(ended)}`);
      }
    }
  }
  expect(wrong, 'a token in the query string').toEqual([]);
  const [expired] = forgery.forged.filter(({ title }) => title === 'expired') as [ForgedToken];
  const invalid = await http.send({ ...call, headers: { ...call.headers, ...bearer(expired.token) } });
  expect(invalid.status, 'an invalid token where anonymous callers are served').toBe(401);
  expect(await countsOf(server), 'handlers that ran').toEqual({ counts: { handled: 0 } });
  const anonymous = answerIn(await http.send(call));
  expect(textOf(anonymous ?? {}), 'a request without a token').toBe('undefined');
  http.close();
}

async function expectNamedProxies(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('api-keys-http.mjs', { without });
  const request = modernRequest(CALL, { 'X-User': 'ada', 'X-Forwarded-For': '127.0.0.2' });
  const from = async (address: string): Promise<Ended> => {
    const http = new HttpCaller(server.port, 1, address);
    const ended = await http.send({ ...request, path: '/proxied' });
    http.close();
    return ended;
  };
  for (const address of ['127.0.0.1', '127.0.0.3', '127.0.0.20'])
    expect(seen(await from(address)), `headers of identity from ${address}`).toBe(
      `401 Bearer error="invalid_token", error_description="Headers of identity are accepted from the proxy only.", ${METADATA}`,
    );
  expect(await countsOf(server), 'handlers that ran').toEqual({ counts: { handled: 0 } });
  expect(textOf(answerIn(await from('127.0.0.2')) ?? {}), 'headers of the proxy').toBe('ada');
}

const PROXIES = 'headers of identity count from the named proxy alone';
const TOKENS = 'tokens of this issuer, for this server, in time, and no others';
const QUERY = 'a JSON Web Token in the query string is rejected';
const ACCEPTED = /tokens that were not rejected as they should be/;

/** A switch that turns a rule of `jwt` off. */
function ruleOfTokens(words: string, rule: Omit<Weakness, 'module'>): Switch {
  return { defence: words, off: [{ module: 'auth/jwt.js', ...rule }], check: TOKENS, red: ACCEPTED };
}

const URLS = 'a token in a URL is not read';

promise('every request is authenticated', {
  checks: {
    'on every route, and only by a principal': expectEveryRequestAsked,
    [URLS]: expectNoTokenInUrls,
    [TOKENS]: expectOnlyOurTokens,
    [QUERY]: expectNoTokenInQuery,
    [PROXIES]: expectNamedProxies,
  },
  switches: [
    {
      defence: 'authentication of every request of a session',
      off: [
        {
          module: 'transport/http/http-endpoint.js',
          defence: 'every-request-is-identified',
          by: "arguments[0].header('mcp-session-id') === undefined ? ($&) : { caller: { principal: { id: 'ada' } } }",
        },
      ],
      red: /requests that were not refused as they should be/,
    },
    {
      defence: 'the check of the principal',
      off: [{ module: 'transport/http/gate/identify.js', defence: 'principals' }],
      red: /requests that were not refused as they should be/,
    },
    {
      defence: 'a rejection if it throws',
      off: [
        {
          module: 'transport/http/gate/identify.js',
          defence: 'refusal-where-it-throws',
          by: 'return { caller: {} };',
        },
      ],
      red: /requests that were not refused as they should be/,
    },
    {
      defence: 'a rejection if its promise rejects',
      off: [
        {
          module: 'transport/http/gate/identify.js',
          defence: 'refusal-where-it-rejects',
          by: '$&.then((identified) => (identified.status === 503 ? { caller: {} } : identified))',
        },
      ],
      red: /requests that were not refused as they should be/,
    },
    {
      defence: 'a challenge',
      off: [{ module: 'transport/http/message/http-options.js', defence: 'challenge', by: '{}' }],
      red: /requests that were not refused as they should be/,
    },
    {
      defence: 'tokens from headers only',
      off: [
        {
          module: 'transport/http/gate/identify.js',
          defence: 'tokens-of-headers-alone',
          by: "return new URLSearchParams(arguments[0].target.split('?')[1]).get('access_token') ?? undefined;",
        },
      ],
      check: URLS,
      red: /the token that a handler sees/,
    },
    ruleOfTokens('a look at the signature', {
      defence: 'signature-of-a-token',
      by: '{ payload: arguments[1].jose.decodeJwt(arguments[0]), protectedHeader: arguments[1].jose.decodeProtectedHeader(arguments[0]) }',
    }),
    ruleOfTokens('a list of algorithms', { defence: 'algorithms-of-tokens' }),
    ruleOfTokens('a look at the issuer', { defence: 'issuer-of-a-token' }),
    ruleOfTokens('a look at the audience', { defence: 'audience-of-a-token' }),
    ruleOfTokens('an end to every token', { defence: 'tokens-expire', by: '[]' }),
    ruleOfTokens('a look at the time', { defence: 'time-of-a-token', by: 'new Date(0)' }),
    ruleOfTokens('a look at the type', { defence: 'type-of-a-token' }),
    ruleOfTokens('a look at when it was issued', { defence: 'issued-in-the-past' }),
    {
      defence: 'a look at the query string',
      off: [{ module: 'auth/protected-resource.js', defence: 'no-token-in-the-query' }],
      check: QUERY,
      red: /a token in the query string/,
    },
    {
      defence: 'named proxies',
      off: [{ module: 'auth/trusted-headers.js', defence: 'named-proxies' }],
      check: PROXIES,
      red: /headers of identity from 127\.0\.0\.1/,
    },
  ],
});
