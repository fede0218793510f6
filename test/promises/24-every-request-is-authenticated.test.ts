/**
 * Toolwright calls `authenticate` of the application for every request; it verifies no tokens itself. So this test shows that
 * `authenticate` is called for every request, on every route, and that only a principal grants access. If Toolwright verifies tokens one
 * day, forged, expired and misdirected JSON Web Tokens belong here.
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
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { within } from './support/patience.ts';
import { promise } from './support/promise.ts';
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

/** All routes, with sessions of the authenticated caller. The session is ended last. */
async function openWays(http: HttpCaller): Promise<readonly Way[]> {
  const ada = new TokenClient(http, 'good');
  const session = { 'Mcp-Session-Id': await ada.openSession(), 'MCP-Protocol-Version': '2025-11-25' };
  const headers = { ...JSON_HEADERS, ...session };
  const stream = { Accept: 'text/event-stream' };
  const path = await within(
    new Promise<string>((resolve) => {
      const onPart = (text: string): void => resolve(/\/messages\?sessionId=\w+/.exec(text)?.[0] ?? '');
      void http.send({ method: 'GET', path: '/sse', headers: { ...stream, ...bearer('good') } }, { onPart });
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
  const ways = await openWays(http);
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

const URLS = 'a token in a URL is not read';

promise('every request is authenticated', {
  checks: {
    'on every route, and only by a principal': expectEveryRequestAsked,
    [URLS]: expectNoTokenInUrls,
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
  ],
});
