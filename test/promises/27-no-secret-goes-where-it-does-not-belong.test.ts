/**
 * Three kinds of secrets, each a unique string: access tokens of callers, credentials for an upstream API, and secret arguments. They are
 * searched for in everything that leaves the server. Traces, metrics and the contents of Redis belong here as soon as they exist.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { TASKS } from '../protocol/support/rpc.ts';
import { asked } from './support/asked.ts';
import { listenHere } from './support/asking.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { until } from './support/patience.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';

const CALLER = {
  bearer: 'canary-caller-bearer',
  key: 'canary-caller-key',
  cookie: 'canary-caller-cookie',
  proxy: 'canary-caller-proxy',
  query: 'canary-caller-query',
};
const UPSTREAM = {
  UPSTREAM_BEARER: 'canary-upstream-bearer',
  UPSTREAM_KEY: 'canary-upstream-key',
  UPSTREAM_QUERY: 'canary-upstream-query',
  UPSTREAM_COOKIE: 'canary-upstream-cookie',
};
const ARGUMENT = 'canary-argument';

/** A request to the API, as text. */
function toText({ method, url, rawHeaders }: IncomingMessage): string {
  return JSON.stringify({ method, url, rawHeaders });
}

/** Behaviours of the API: all of them repeat the request in the response. */
const API: Readonly<Record<string, (said: string, response: ServerResponse) => void>> = {
  json: (said, response) => {
    response.setHeader('content-type', 'application/json').end(said);
  },
  text: (said, response) => {
    response.setHeader('content-type', 'text/plain').end(said);
  },
  error: (said, response) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end(said);
  },
  denied: (said, response) => {
    response.writeHead(401, { 'content-type': 'text/plain', 'www-authenticate': 'Bearer' }).end(said);
  },
  broken: (said, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${said}{`);
  },
  cut: (_said, response) => {
    response.destroy();
  },
};

interface Running {
  readonly server: ChildServer;
  readonly http: HttpCaller;
  /** Requests to the API. */
  readonly seen: string[];
  /** Requests to the target of the API's redirects. */
  readonly strays: string[];
  readonly client: (path: string) => TokenClient;
}

async function start(without: readonly Weakness[]): Promise<Running> {
  const seen: string[] = [];
  const strays: string[] = [];
  const elsewhere = await listenHere(
    createServer((request, response) => {
      strays.push(toText(request));
      response.end('elsewhere');
    }),
  );
  const upstream = await listenHere(
    createServer((request, response) => {
      const said = toText(request);
      seen.push(said);
      const [what = ''] = (request.url ?? '').slice(1).split('?');
      if (what === 'moved') response.writeHead(302, { location: `${elsewhere}/?said=${said}` }).end(said);
      else API[what]?.(said, response);
    }),
  );
  const server = await ChildServer.listen('secret-http.mjs', {
    without,
    env: { UPSTREAM: upstream, ...UPSTREAM },
  });
  const http = new HttpCaller(server.port);
  const headers = {
    'X-Api-Key': CALLER.key,
    Cookie: `session=${CALLER.cookie}`,
    'Proxy-Authorization': `Basic ${CALLER.proxy}`,
  };
  const client = (path: string): TokenClient =>
    new TokenClient(http, CALLER.bearer, { path: `${path}?access_token=${CALLER.query}`, headers });
  return { server, http, seen, strays, client };
}

/** Occurrences of secrets in a text. */
function findIn(where: string, text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${where}: ${text}`);
}

function textOf(ended: Ended): string {
  if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
  return JSON.stringify([ended.headers, ended.text]);
}

function toolsThatAsk(path: string): (without: readonly Weakness[]) => Promise<void> {
  return async (without) => {
    const { server, http, seen, strays, client } = await start(without);
    const ours = [...Object.values(CALLER), ...Object.values(UPSTREAM)];
    const ada = client(path);
    const session = await ada.openSession();
    const leaks: string[] = [];
    for (const what of [...Object.keys(API), 'moved']) {
      const params = { name: 'ask', arguments: { what } };
      const answers = [
        textOf(await ada.call('ask', { what })),
        textOf(await ada.inSession(session, { method: 'tools/call', params })),
      ];
      leaks.push(...answers.flatMap((answer) => findIn(`an answer (${what})`, answer, ours)));
      const withArgument = textOf(await ada.call('ask', { what, password: ARGUMENT }));
      // An argument that an API repeats is data; the message of a configuration about a failure is not.
      const isMessage = path === '/config' && !['json', 'text'].includes(what);
      leaks.push(...findIn(`an answer (${what})`, withArgument, isMessage ? [...ours, ARGUMENT] : ours));
    }
    // Too long, so it is rejected before anything is sent.
    const refused = textOf(await ada.call('ask', { what: 'json', password: ARGUMENT.repeat(9) }));
    leaks.push(...findIn('a complaint', refused, [...ours, ARGUMENT]));
    for (const said of seen) leaks.push(...findIn('a request to the API', said, Object.values(CALLER)));
    leaks.push(...findIn('the log', server.stderr, [...ours, ARGUMENT]));
    expect(leaks, 'secrets where they do not belong').toEqual([]);
    expect(strays, 'requests to where the API redirects to').toEqual([]);
    // Each secret is where it belongs.
    for (const secret of Object.values(UPSTREAM))
      expect(seen.filter((said) => said.includes(secret)).length, `requests with ${secret}`).toBe(21);
    expect(seen.filter((said) => said.includes(ARGUMENT)).length, 'requests with the argument').toBe(7);
    http.close();
  };
}

async function expectNothingKept(without: readonly Weakness[]): Promise<void> {
  const { server, http, client } = await start(without);
  const secrets = [...Object.values(CALLER), ARGUMENT];
  const ada = client('/code');
  const session = await ada.openSession();
  const answers: string[] = [];
  for (const name of ['well', 'cached', 'cached', 'fails', 'throws', 'hangs', 'job', 'unknown']) {
    for (const password of [ARGUMENT, ARGUMENT.repeat(9)]) {
      const params = { name, arguments: { password } };
      answers.push(textOf(await ada.call(name, { password }, { capabilities: TASKS })));
      answers.push(textOf(await ada.inSession(session, { method: 'tools/call', params })));
    }
  }
  const broken = new TokenClient(http, 'broken', { path: `/code?access_token=${CALLER.query}` });
  answers.push(textOf(await broken.call('well')));
  await until(() => server.stderr.includes('authenticate failed'), 10_000, 'the end of the log');
  const { dump } = await asked<{ dump: string }>(server, 'dump', 'dump');
  const leaks = [
    ...answers.flatMap((answer) => findIn('an answer', answer, secrets)),
    ...findIn('the log', server.stderr, secrets),
    ...findIn('a store', dump, secrets),
  ];
  expect(leaks, 'secrets where they do not belong').toEqual([]);
  // The searched output is not empty.
  for (const what of ['call started', 'timed', 'audit', '[redacted]'])
    expect(server.stderr, 'the log').toContain(what);
  expect(dump.length, 'what stores were given').toBeGreaterThan(1000);
  http.close();
}

const OPENAPI = 'tools of an OpenAPI document';
const CODE = 'tools, logs and stores of code';
const LEAK = /secrets where they do not belong/;

promise('no secret goes where it does not belong', {
  checks: {
    'tools of a configuration': toolsThatAsk('/config'),
    [OPENAPI]: toolsThatAsk('/openapi'),
    [CODE]: expectNothingKept,
  },
  switches: [
    {
      defence: 'responses without values of the request',
      off: [{ module: 'config/http/http-answer.js', defence: 'answers-without-the-request' }],
      red: LEAK,
    },
    {
      defence: 'errors without values of the environment',
      off: [
        {
          module: 'config/http/http-tool.js',
          defence: 'errors-without-the-environment',
          by: '(text) => text',
        },
      ],
      red: LEAK,
    },
    {
      defence: 'responses without credentials',
      off: [
        {
          module: 'openapi/mapping/call-operation.js',
          defence: 'answers-without-credentials',
          by: '(text) => text',
        },
      ],
      check: OPENAPI,
      red: LEAK,
    },
    {
      defence: "credentials of our own, in the place of the caller's",
      off: [
        {
          module: 'openapi/mapping/call-operation.js',
          defence: 'credentials-of-our-own',
          by: "{ 'x-caller': arguments[2].accessToken, ...$& }",
        },
      ],
      check: OPENAPI,
      red: LEAK,
    },
    {
      defence: 'messages without secret arguments',
      off: [
        {
          module: 'pipeline/tool/hide-secrets.js',
          defence: 'messages-without-secrets',
          by: 'return arguments[0];',
        },
      ],
      check: CODE,
      red: LEAK,
    },
    {
      defence: 'a log without secret arguments',
      off: [
        {
          module: 'middleware/builtin/logging.js',
          defence: 'log-without-secrets',
          by: 'return arguments[0];',
        },
      ],
      check: CODE,
      red: LEAK,
    },
  ],
});
