/**
 * Servers with secrets: one of a configuration at `/config` and one of an OpenAPI document at `/openapi`, which both call the API at
 * `UPSTREAM` with their own credentials, and one of code at `/code` with middleware and stores. Logs go to standard error; `dump` returns
 * what the stores were given, and the files of the SQLite stores.
 */
import { createServer as createHttpServer } from 'node:http';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, createServer, defineTool, ToolError } from 'toolwright';
import { MemoryCacheStore, MemoryEventStore } from 'toolwright/stores';
import { loadConfig } from 'toolwright/config';
import { toNodeHandler } from 'toolwright/http';
import { audit, logging, resultCache, timing } from 'toolwright/middleware';
import { OpenAPIServer } from 'toolwright/openapi';
import { sqliteStores } from 'toolwright/sqlite';
import * as z from 'zod';

const { UPSTREAM, UPSTREAM_BEARER, UPSTREAM_KEY, UPSTREAM_QUERY, UPSTREAM_COOKIE } = process.env;
const logger = createLogger({ level: 'debug' });
const outbound = { allowPrivate: ['127.0.0.1'], timeoutMs: 2000, maxRetries: 0 };

function loadConfigured() {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'));
  const file = join(folder, 'toolwright.config.yaml');
  writeFileSync(
    file,
    `name: secret
outbound: ${JSON.stringify(outbound)}
tools:
  - name: ask
    description: Asks for anything
    arguments:
      what: {}
      password: { in: header, as: x-password, secret: true, maxLength: 40 }
    http:
      url: '\${env:UPSTREAM}/{what}'
      headers:
        Authorization: 'Bearer \${env:UPSTREAM_BEARER}'
        X-Upstream-Key: '\${env:UPSTREAM_KEY}'
        Cookie: 'upstream=\${env:UPSTREAM_COOKIE}'
      query: { key: '\${env:UPSTREAM_QUERY}' }
`,
  );
  return loadConfig(file).finally(() => rmSync(folder, { recursive: true }));
}

const text = { type: 'string' };
const document = {
  openapi: '3.1.0',
  info: { title: 'Secret', version: '1' },
  servers: [{ url: UPSTREAM }],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-Upstream-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'upstream' },
    },
  },
  security: [{ bearer: [], key: [], query: [], cookie: [] }],
  paths: {
    '/{what}': {
      get: {
        operationId: 'ask',
        parameters: [
          { name: 'what', in: 'path', required: true, schema: text },
          { name: 'x-password', in: 'header', schema: { ...text, maxLength: 40 } },
        ],
      },
    },
  },
};

/** A store that records its values for the test. */
const kept = [];
function watched(store) {
  return new Proxy(store, {
    get(target, name) {
      const member = target[name];
      if (typeof member !== 'function') return member;
      return (...args) => {
        kept.push(args);
        return member.apply(target, args);
      };
    },
  });
}

const PASSWORD = z.object({ password: z.string().max(40).optional() });
const define = (name, handler, rest = {}) =>
  defineTool({
    name,
    description: name,
    inputSchema: PASSWORD,
    secrets: ['password'],
    timeoutMs: 200,
    handler,
    ...rest,
  });
/** Tools without secret arguments: whole errors are logged. */
const OPEN = { inputSchema: z.object({}), secrets: [] };

function requestOf({ http }) {
  const { url, headers, rawHeaders } = http.request;
  return { url, headers, rawHeaders };
}

const stores = sqliteStores(join(process.env.STORES, 'stores.db'));
const cached = resultCache({ store: watched(stores.cache) });
const code = createServer({
  name: 'secret',
  version: '1.0.0',
  tools: [
    define('well', ({ context }) => JSON.stringify(context.principal)),
    define('keeps', async ({ context }) => {
      await context.state.set('visits', 1);
      return 'kept';
    }),
    define('cached', () => 'cached', { annotations: { readOnlyHint: true }, middleware: [cached] }),
    define('fails', ({ input }) => {
      throw new ToolError(`no entry with ${input.password}`);
    }),
    define('throws', () => {
      throw new Error('broken');
    }),
    // Errors of HTTP clients hold the request that failed.
    define(
      'request',
      ({ context }) => {
        throw new Error('no response', { cause: requestOf(context) });
      },
      OPEN,
    ),
    define(
      'object',
      ({ context }) => {
        throw requestOf(context);
      },
      OPEN,
    ),
    define(
      'quoted',
      ({ context }) => {
        throw new Error(`no response to ${JSON.stringify(JSON.stringify(requestOf(context)))}`);
      },
      OPEN,
    ),
    // A response of another server: its cookie is not in the request of this call.
    define(
      'upstream',
      () => {
        throw new Error('status 500', { cause: { headers: { 'set-cookie': ['sid=canary-set-cookie'] } } });
      },
      OPEN,
    ),
    define('confirmed', () => 'done', {
      annotations: { destructiveHint: true },
      confirm: 'preview',
      preview: () => 'would be done',
    }),
    define('hangs', () => new Promise(() => {})),
    define('job', () => 'done', { task: { support: 'required', pollIntervalMs: 10 } }),
  ],
  logger,
  onCallEnd: (record) => logger.info('call ended', { record }),
  cache: watched(new MemoryCacheStore()),
  rateLimitStore: watched(stores.rateLimits),
  taskStore: watched(stores.tasks),
  confirmationStore: watched(stores.confirmations),
  stateStore: watched(stores.state),
  eventBus: {
    publish: () => {
      throw new Error('redis://server:canary-caller-hash@127.0.0.1 does not respond');
    },
    subscribe: () => () => {},
  },
});
code.tools
  .use(logging({ level: 'debug', logArguments: true }))
  .use(timing({ onTimed: (timed) => logger.info('timed', { timed }) }))
  .use(audit({ write: (record) => logger.info('audit', { record }) }));

function authenticate({ headers }) {
  const token = headers.get('authorization');
  if (token === 'Bearer broken') throw new Error('no database');
  // A whole user object, as it comes from a database.
  return token === null ? undefined : { id: 'ada', passwordHash: 'canary-caller-hash' };
}

const servers = {
  config: (await loadConfigured()).server,
  openapi: await OpenAPIServer.load({
    document,
    openapi: {
      outbound,
      credentials: {
        bearer: UPSTREAM_BEARER,
        key: UPSTREAM_KEY,
        query: UPSTREAM_QUERY,
        cookie: UPSTREAM_COOKIE,
      },
      overrides: { ask: { arguments: { 'x-password': { name: 'password', secret: true } } } },
    },
    logger,
  }),
  code,
};
const sessions = { eventStore: watched(new MemoryEventStore()) };
const handlers = new Map(
  Object.entries(servers).map(([name, server]) => [name, toNodeHandler(server, { authenticate, sessions })]),
);
const http = createHttpServer((request, response) => {
  handlers.get(request.url.split(/[/?]/)[1])?.(request, response);
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
process.on('message', async (message) => {
  if (message !== 'dump') return;
  code.announceChange('tools');
  // A caller with a token and without a principal.
  await code.tools.executeTool({ name: 'well', accessToken: 'canary-caller-bearer' });
  // The database with its log; bytes that are not text do no harm.
  const files = readdirSync(process.env.STORES).map((name) =>
    readFileSync(join(process.env.STORES, name), 'latin1'),
  );
  process.send({ dump: JSON.stringify([kept, files]) });
});
