/**
 * A server that accepts the tokens of an issuer whose keys are at `JWKS_URI`, with a clock that its parent moves on: `{ skip: 600000 }`.
 * `OUTBOUND` are the options of requests to the issuer.
 */
import { createServer, defineTool } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

const { JWKS_URI, OUTBOUND = '{}' } = process.env;
const silent = { debug() {}, info() {}, warning() {}, error() {} };
let skipped = 0;
const clock = {
  now: () => 1_000_000 + skipped,
  wallTime: () => Date.now(),
  schedule: (callback, delayMs) => {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};
const echo = defineTool({
  name: 'echo',
  description: 'Returns the id of the principal.',
  inputSchema: z.object({}),
  handler: ({ context }) => String(context.principal?.id),
});
const server = createServer({
  name: 'keys',
  version: '1.0.0',
  tools: [echo],
  rateLimit: false,
  logger: silent,
});
const auth = jwt({
  issuer: 'https://issuer.test',
  audience: 'https://server.test/mcp',
  jwksUri: JWKS_URI,
  outbound: JSON.parse(OUTBOUND),
  clock,
});
const { port } = await serveHttp(server, { port: 0, auth, maxInFlight: 2000 });
process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('skip' in message)) return;
  skipped += message.skip;
  process.send({ skipped });
});
process.send({ port });
