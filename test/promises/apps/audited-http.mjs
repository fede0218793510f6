/**
 * A server over HTTP with real authentication, whose calls leave an audit trail in the file `TRAIL` and records of `onCallEnd` in the file
 * `RECORDS`, and whose tools record their work in the file `DONE`. All are written synchronously, so they are complete when the process is
 * killed.
 */
import { appendFileSync } from 'node:fs';
import { answer, createServer, defineMiddleware, defineTool, error, ToolError } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { audit, rateLimit } from 'toolwright/middleware';
import * as z from 'zod';
import { realAuth } from './real-auth.mjs';

const { TRAIL, RECORDS, DONE, CANNOT_WRITE } = process.env;
const never = () => new Promise(() => {});
const INPUT = z.object({ key: z.string(), password: z.string().optional() });

/** Only root may do everything. */
const onlyRoot = defineMiddleware(({ context, next }) =>
  context.principal.id === 'root' ? next() : answer(error('Not you.')),
);

const define = (name, handler, rest = {}) =>
  defineTool({
    name,
    description: name,
    inputSchema: INPUT,
    secrets: ['password'],
    timeoutMs: 60_000,
    handler: (call) => {
      appendFileSync(DONE, `${call.input.key}\n`);
      return handler(call);
    },
    ...rest,
  });

const tools = [
  define('read', () => 'read', { annotations: { readOnlyHint: true } }),
  define('write', () => 'written'),
  define('refuses', () => error('not today')),
  define('fails', () => {
    throw new ToolError('failed');
  }),
  define('throws', () => {
    throw new Error('broken');
  }),
  define('hangs', never, { timeoutMs: 100 }),
  define('waits', ({ input, context }) => {
    process.send({ began: input.key });
    // Ends later than its call. What the middleware does then is done before the message.
    const end = (resolve) => {
      resolve('late');
      setImmediate(() => process.send({ ended: input.key }));
    };
    return new Promise((resolve) => {
      context.signal.addEventListener('abort', () => setImmediate(end, resolve), { once: true });
    });
  }),
  define('denied', () => 'never', { middleware: [onlyRoot] }),
  define('limited', () => 'limited', { middleware: [rateLimit({ limit: 1, perMs: 600_000 })] }),
  define('hidden', () => 'never', { scopes: ['root'] }),
  define('challenged', () => 'never', { scopes: ['root'], missingScopes: 'challenge' }),
];
const server = createServer({
  name: 'audited',
  version: '1.0.0',
  tools,
  // Above what any user of the test calls, except the one that is to be limited.
  rateLimit: { limit: 100, perMs: 600_000 },
  onCallEnd: (record) => appendFileSync(RECORDS, `${JSON.stringify(record)}\n`),
  logger: { debug() {}, info() {}, warning() {}, error() {} },
});
server.tools.use(
  audit({
    write: (record) => {
      if (CANNOT_WRITE !== undefined) throw new Error('no disk');
      appendFileSync(TRAIL, `${JSON.stringify(record)}\n`);
    },
  }),
);
const { port } = await serveHttp(server, { port: 0, auth: realAuth(), maxInFlightPerCaller: 256 });
process.send({ port });
