/**
 * Four kinds of secrets, each a text that is nowhere else: the credentials of callers, also those that `toolwright/auth` verifies; our own
 * credentials at an API and at an authorization server; secret arguments; claims of tokens. They are looked for in everything that leaves the
 * server: responses, all that the process writes (logs at every level, audit entries, timings, records of calls, the output of a crash), and stores: the
 * values that they are given, the files of SQLite, and all keys and values of Redis. Errors hold whole requests, as those of HTTP clients do. Traces and metrics have their place here when
 * there are such things.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import { TASKS } from '../protocol/support/rpc.ts';
import { createTestIssuer } from '../../src/testing.ts';
import { RedisServer } from '../support/redis-server.ts';
import { asked } from './support/asked.ts';
import { listenHere } from './support/asking.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { FLOWS } from './support/flows.ts';
import { Listener } from './support/listener.ts';
import { Nodes } from './support/nodes.ts';
import { until } from './support/patience.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';

const CALLER = {
  bearer: 'canary-caller-bearer',
  key: 'canary-caller-key',
  cookie: 'canary-caller-cookie',
  proxy: 'canary-caller-proxy',
  query: 'canary-caller-query',
  // Beside the id in the object that `authenticate` returns.
  hash: 'canary-caller-hash',
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
  const stores = mkdtempSync(join(tmpdir(), 'secret-stores-'));
  onTestFinished(() => rmSync(stores, { recursive: true }));
  const server = await ChildServer.listen('secret-http.mjs', {
    without,
    env: { UPSTREAM: upstream, STORES: stores, ...UPSTREAM },
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
    leaks.push(...findIn('the output', server.written, [...ours, ARGUMENT]));
    expect(leaks, 'secrets where they do not belong').toEqual([]);
    expect(strays, 'requests to where the API redirects to').toEqual([]);
    // Each secret is where it belongs.
    for (const secret of Object.values(UPSTREAM))
      expect(seen.filter((said) => said.includes(secret)).length, `requests with ${secret}`).toBe(21);
    expect(seen.filter((said) => said.includes(ARGUMENT)).length, 'requests with the argument').toBe(7);
    http.close();
  };
}

/** Tools of `/code`; the last one does not exist. */
const CALLED = [
  'well',
  'keeps',
  'cached',
  'cached',
  'fails',
  'throws',
  'request',
  'object',
  'quoted',
  'upstream',
  'confirmed',
  'hangs',
  'job',
  'unknown',
];

async function expectNothingKept(without: readonly Weakness[]): Promise<void> {
  const { server, http, client } = await start(without);
  const secrets = [...Object.values(CALLER), ARGUMENT, 'canary-set-cookie'];
  const ada = client('/code');
  const session = await ada.openSession();
  const answers: string[] = [];
  for (const name of CALLED) {
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
    ...findIn('the output', server.written, secrets),
    ...findIn('a store', dump, secrets),
  ];
  expect(leaks, 'secrets where they do not belong').toEqual([]);
  // The searched output is not empty.
  for (const what of [
    'call started',
    'timed',
    'audit',
    'call ended',
    '[redacted]',
    'Caused by: {',
    'the event bus failed',
  ])
    expect(server.stderr, 'the log').toContain(what);
  for (const what of ['SQLite format 3', 'toolwright_rates', 'visits', 'principal'])
    expect(dump, 'what stores were given').toContain(what);
  http.close();
}

/** Secrets of an authorization server, and those that it is told. */
const IDENTITY = {
  clientSecret: 'canary-client-secret',
  opaque: 'canary-opaque-token',
  jwksQuery: 'canary-jwks-query',
  jwksBody: 'canary-jwks-body',
  claim: 'canary-claim',
};

/** What the authorization server does with a request for introspection, after it was told the token and our secret. */
const INTROSPECTION: Readonly<Record<string, (said: string, response: ServerResponse) => void>> = {
  inactive: (_said, response) => {
    response.setHeader('content-type', 'application/json').end('{"active":false}');
  },
  'no-json': (said, response) => {
    response.setHeader('content-type', 'application/json').end(`${said}{`);
  },
  'no-object': (said, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify([said]));
  },
  text: (said, response) => {
    response.setHeader('content-type', 'text/plain').end(said);
  },
  denied: (said, response) => {
    response
      .writeHead(401, {
        'content-type': 'application/json',
        'www-authenticate': `Basic realm="${said.replaceAll('"', '')}"`,
      })
      .end(JSON.stringify({ error: 'invalid_client', error_description: said }));
  },
  error: (said, response) => {
    response.writeHead(500, { 'content-type': 'text/html' }).end(said);
  },
  moved: (said, response) => {
    response.writeHead(307, { location: `/elsewhere?said=${encodeURIComponent(said)}` }).end(said);
  },
  cut: (_said, response) => {
    response.destroy();
  },
};

async function expectNoCredentials(without: readonly Weakness[]): Promise<void> {
  const issuer = await createTestIssuer({ issuer: 'https://issuer.test' });
  let mode = 'inactive';
  let areKeysBroken = true;
  const told: string[] = [];
  const provider = await listenHere(
    createServer((request, response) => {
      if (request.url?.startsWith('/jwks') === true) {
        if (areKeysBroken) response.writeHead(500).end(IDENTITY.jwksBody);
        else response.end(JSON.stringify(issuer.jwks));
        return;
      }
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const said = `${toText(request)} ${body} ${IDENTITY.clientSecret}`;
        told.push(said);
        INTROSPECTION[mode]?.(said, response);
      });
    }),
  );
  const env = { PROVIDER: provider, CLIENT_SECRET: IDENTITY.clientSecret, JWKS_QUERY: IDENTITY.jwksQuery };
  const server = await ChildServer.listen('credentials-http.mjs', { without, env });
  const { key } = await asked<{ key: string }>(server, 'key', 'key');
  const http = new HttpCaller(server.port);
  const token = await issuer.tokenFor({ sub: 'ada', claims: { email: IDENTITY.claim } });
  const [, payload = '', signature = ''] = token.split('.');
  const forged = `${token.slice(0, -8)}canary00`;
  const secrets = [
    ...Object.values(IDENTITY),
    Buffer.from(`server:${IDENTITY.clientSecret}`).toString('base64'),
    payload,
    signature,
    forged.split('.')[2] ?? '',
    key.slice(-43),
  ];
  const answers: string[] = [];
  const call = async (bearer: string, name: string, headers = {}): Promise<number> => {
    const ended = await new TokenClient(http, bearer, { headers }).call(name);
    answers.push(textOf(ended));
    return ended.status;
  };
  const tryAll = async (expected: number): Promise<void> => {
    expect(await call(token, 'well'), 'a token').toBe(expected);
    await call(forged, 'well');
    await call(token, 'well', { Authorization: `Basic ${token}` });
  };
  // While keys cannot be fetched, and for every mistake of the authorization server.
  await tryAll(503);
  for (mode of Object.keys(INTROSPECTION)) await call(IDENTITY.opaque, 'well');
  areKeysBroken = false;
  await asked(server, { skip: 10_000 }, 'skipped');
  mode = 'inactive';
  await tryAll(200);
  const withKey = { Authorization: '', 'X-Service-Id': key };
  const nearKey = { Authorization: '', 'X-Service-Id': `${key.slice(0, -1)}!` };
  for (const name of ['well', 'fails', 'throws', 'quotes', 'hangs', 'unknown']) {
    await call(token, name);
    await call('', name, withKey);
    await call('', name, nearKey);
  }
  const query = await http.send({ path: `/mcp?access_token=${token}` });
  answers.push(textOf(query));
  expect(query.status, 'a token in the query string').toBe(401);
  // The last call ends the process.
  await new TokenClient(http, token).call('crash');
  await server.ended;
  await until(() => server.stderr.includes('the process ends'), 10_000, 'the output of a crash');
  const leaks = [
    ...answers.flatMap((answer) => findIn('a response', answer, secrets)),
    ...findIn('the output', server.written, secrets),
  ];
  expect(leaks, 'secrets where they do not belong').toEqual([]);
  // There was something to look at.
  for (const what of [
    'call started',
    'audit',
    'no response',
    'authenticate failed',
    'responded with status 500',
    'OperationProcessingError',
    'tool call',
  ])
    expect(server.stderr, 'the log').toContain(what);
  expect(told.filter((said) => said.includes(IDENTITY.opaque)).length, 'tokens that were introspected').toBe(
    8,
  );
  http.close();
}

const CREDENTIALS = 'credentials that toolwright/auth verifies';
const OPENAPI = 'tools of an OpenAPI document';
const REDIS = 'the stores of several nodes in Redis';
const CODE = 'tools, logs and stores of code';
const LEAK = /secrets where they do not belong/;

/** Everything in Redis, as text. */
async function dumpOf(url: string): Promise<string> {
  const client = new Redis(url);
  try {
    const keys = await client.keys('*');
    const values = await Promise.all(
      keys.map(async (key) => {
        const type = await client.type(key);
        if (type === 'hash') return client.hgetall(key);
        if (type === 'zset') return client.zrange(key, '0', '-1');
        if (type === 'stream') return client.xrange(key, '-', '+');
        return client.get(key);
      }),
    );
    return keys.map((key, index) => `${key} ${JSON.stringify(values[index])}`).join('\n');
  } finally {
    client.disconnect();
  }
}

/** Flows of a caller at two nodes, which fill every store in Redis. */
async function expectNothingInRedis(without: readonly Weakness[]): Promise<void> {
  const redis = await RedisServer.start();
  onTestFinished(() => redis.stop());
  const nodes = await Nodes.start([redis, redis], { without, isApart: false, env: { TIMEOUT_MS: '10000' } });
  const token = `ada~second~${CALLER.bearer}`;
  for (const flow of Object.values(FLOWS)) {
    let sent = 0;
    const next = (): TokenClient => nodes.client((sent += 1) % 2, token);
    expect(await flow[0]({ user: 'ada', next }), 'the outcome of a flow').toEqual(flow[1]);
  }
  const client = nodes.client(0, token);
  const listener = await Listener.open(client, { toolsListChanged: true });
  await nodes.announce(1);
  await until(() => listener.count('tools') > 0, 30_000, 'an event of another node');
  const left = ['mine', 'wrapped', 'limited', 'wipe'].map((name) => client.call(name));
  await Promise.all([...left, client.openSession(), client.call('job', {}, { capabilities: TASKS })]);
  const dump = await dumpOf(redis.url);
  for (const kind of ['cache', 'rate', 'confirmation', 'state', 'task', 'bus'])
    expect(dump, 'the stores in Redis').toContain(`nodes:{${kind}:`);
  expect(findIn('Redis', dump, [CALLER.bearer]), 'secrets where they do not belong').toEqual([]);
}

promise('no secret goes where it does not belong', {
  checks: {
    'tools of a configuration': toolsThatAsk('/config'),
    [OPENAPI]: toolsThatAsk('/openapi'),
    [CODE]: expectNothingKept,
    [CREDENTIALS]: expectNoCredentials,
    [REDIS]: expectNothingInRedis,
  },
  switches: [
    {
      defence: 'hashed keys of cached results',
      off: [
        {
          module: 'middleware/builtin/result-cache.js',
          defence: 'hashed-keys-of-results',
          by: '{ const hash = (text) => text; $& }',
        },
      ],
      check: REDIS,
      red: LEAK,
    },
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
    {
      defence: 'the members of a principal alone',
      off: [
        {
          module: 'pipeline/tool/read-principal.js',
          defence: 'members-of-a-principal',
          by: 'arguments[0]',
        },
      ],
      check: CODE,
      red: LEAK,
    },
    {
      defence: 'the digest of a token that is counted',
      off: [
        {
          module: 'pipeline/tool/secure.js',
          defence: 'hashed-token-of-a-count',
          by: 'return `token|${arguments[1].accessToken}`;',
        },
      ],
      check: CODE,
      red: LEAK,
    },
    {
      defence: 'errors without cookies',
      off: [{ module: 'errors/sanitize.js', defence: 'cookies-in-errors', by: "[/^$/, '']" }],
      check: CODE,
      red: LEAK,
    },
    {
      defence: 'errors without the credentials of their request',
      off: [
        {
          module: 'pipeline/tool/hide-secrets.js',
          defence: 'credentials-of-the-request',
          by: 'return arguments[0];',
        },
      ],
      check: CREDENTIALS,
      red: LEAK,
    },
    {
      defence: 'addresses of keys without their query',
      off: [{ module: 'auth/key-set.js', defence: 'addresses-without-queries', by: 'return arguments[0];' }],
      check: CREDENTIALS,
      red: LEAK,
    },
  ],
});
