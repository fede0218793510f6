/**
 * A server over HTTP, with every route there is, that accepts the JSON Web Tokens of one issuer. Its keys are in `JWKS`; `AUTH` adds to the
 * options of `auth`. It tells how often a handler ran.
 */
import { createServer, defineTool } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

const { JWKS, AUTH = '{}' } = process.env;
const counts = { handled: 0 };
const silent = { debug() {}, info() {}, warning() {}, error() {} };
const echo = defineTool({
  name: 'echo',
  description: 'Returns the id of the principal.',
  inputSchema: z.object({}),
  handler: ({ context }) => {
    counts.handled += 1;
    return String(context.principal?.id);
  },
});
const server = createServer({
  name: 'tokens',
  version: '1.0.0',
  tools: [echo],
  rateLimit: false,
  logger: silent,
});
const verify = jwt({
  issuer: 'https://issuer.test',
  audience: 'https://server.test/mcp',
  jwksUri: 'https://issuer.test/jwks',
  algorithms: ['ES256'],
  fetch: async () => Response.json(JSON.parse(JWKS)),
});
const { port } = await serveHttp(server, { port: 0, sse: true, auth: { verify, ...JSON.parse(AUTH) } });
process.on('message', (message) => {
  if (message === 'counts') process.send({ counts });
});
process.send({ port });
