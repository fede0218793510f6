/**
 * A server over HTTP, with all routes, whose `authenticate` behaves as the token says. It reports the number of calls of `authenticate` and
 * of handlers.
 */
import { createServer, defineTool } from 'toolwright';
import { refuse, serveHttp } from 'toolwright/http';
import * as z from 'zod';

const counts = { asked: 0, handled: 0 };
const never = () => new Promise(() => {});
const silent = { debug() {}, info() {}, warning() {}, error() {} };
const METADATA = 'Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"';

/** Result of `authenticate` for each token. */
const ANSWERS = {
  good: () => ({ id: 'ada' }),
  'good-later': async () => ({ id: 'ada' }),
  refused: () => refuse(),
  'refused-with-metadata': () => refuse({ headers: { 'www-authenticate': METADATA } }),
  'refused-later': async () => refuse(),
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  text: () => 'ada',
  'empty-object': () => ({}),
  'empty-id': () => ({ id: '' }),
  'number-id': () => ({ id: 7 }),
  'object-id': () => ({ id: { toString: () => 'ada' } }),
  list: () => ['ada'],
  function: () => () => ({ id: 'ada' }),
  'undefined-later': async () => undefined,
  throws: () => {
    throw new Error('no database');
  },
  rejects: async () => {
    throw new Error('no database');
  },
  'getter-throws': () => ({
    get id() {
      throw new Error('no id');
    },
  }),
  hangs: never,
};

const echo = defineTool({
  name: 'echo',
  description: 'Tells which token came with the call.',
  inputSchema: z.object({}),
  handler: ({ context }) => {
    counts.handled += 1;
    return `${context.principal?.id} ${context.accessToken}`;
  },
});
const server = createServer({
  name: 'checked',
  version: '1.0.0',
  tools: [echo],
  rateLimit: false,
  logger: silent,
});
const authenticate = ({ headers }) => {
  counts.asked += 1;
  const token = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1];
  return Object.hasOwn(ANSWERS, token) ? ANSWERS[token]() : undefined;
};
const { port } = await serveHttp(server, { port: 0, sse: true, authenticate, authenticateTimeoutMs: 300 });
process.on('message', (message) => {
  if (message === 'counts') process.send({ counts });
});
process.send({ port });
