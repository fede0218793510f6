/**
 * A server that accepts JSON Web Tokens, opaque tokens and API keys, with logs at every level and audit entries on standard error. The
 * authorization server is at `PROVIDER`. The tool `crash` ends the process with an uncaught exception.
 */
import { createLogger, createServer, defineTool, ToolError } from 'toolwright';
import { anyOf, apiKeys, createApiKey, introspection, jwt, MemoryApiKeyStore } from 'toolwright/auth';
import { serveHttp } from 'toolwright/http';
import { audit, logging } from 'toolwright/middleware';
import * as z from 'zod';

const { PROVIDER, CLIENT_SECRET, JWKS_QUERY } = process.env;
const logger = createLogger({ level: 'debug' });
const outbound = { allowPrivate: ['127.0.0.1'], timeoutMs: 2000, breaker: { failures: 1000 } };
const audience = 'https://server.test/mcp';
let skipped = 0;
const clock = {
  now: () => 1_000_000 + skipped,
  wallTime: () => Date.now(),
  schedule: (callback, delayMs) => {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};
const define = (name, handler) =>
  defineTool({ name, description: name, inputSchema: z.object({}), timeoutMs: 200, handler });
const server = createServer({
  name: 'credentials',
  version: '1.0.0',
  tools: [
    define('well', ({ context }) => context.principal.id),
    define('fails', () => {
      throw new ToolError('no such entry');
    }),
    define('throws', () => {
      throw new Error('broken');
    }),
    define('quotes', ({ context }) => {
      throw new Error('no response', { cause: { rawHeaders: context.http.request.rawHeaders } });
    }),
    define('hangs', () => new Promise(() => {})),
    define('crash', () => {
      setImmediate(() => {
        throw new Error('the process ends');
      });
      return 'soon';
    }),
  ],
  logger,
});
server.tools
  .use(logging({ level: 'debug', logArguments: true }))
  .use(audit({ write: (record) => logger.info('audit', { record }) }));

const store = new MemoryApiKeyStore();
const { key, record } = createApiKey({ id: 'ci' });
store.add(record);
const verify = anyOf(
  // A name that no pattern of secrets matches.
  apiKeys(store, { header: 'x-service-id' }),
  jwt({
    issuer: 'https://issuer.test',
    audience,
    jwksUri: `${PROVIDER}/jwks?key=${JWKS_QUERY}`,
    outbound,
    clock,
  }),
  introspection({
    issuer: 'https://opaque.test',
    audience,
    endpoint: `${PROVIDER}/introspect`,
    clientId: 'server',
    clientSecret: CLIENT_SECRET,
    outbound,
  }),
);
const { port } = await serveHttp(server, { port: 0, auth: verify });
process.on('message', (message) => {
  if (message === 'key') process.send({ key });
  if (message?.skip !== undefined) {
    skipped += message.skip;
    process.send({ skipped });
  }
});
process.send({ port });
