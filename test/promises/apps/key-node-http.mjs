/** A node of a configured server whose API keys are in a file that all nodes share. */
import { createServer, defineTool } from 'toolwright';
import { loadConfig } from 'toolwright/config';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

const { auth } = await loadConfig(process.env.CONFIG_FILE);
const echo = defineTool({
  name: 'echo',
  description: 'Returns the id of the principal.',
  inputSchema: z.object({}),
  handler: ({ context }) => String(context.principal?.id),
});
const silent = { debug() {}, info() {}, warning() {}, error() {} };
const server = createServer({
  name: 'keys',
  version: '1.0.0',
  tools: [echo],
  rateLimit: false,
  logger: silent,
});
const { port } = await serveHttp(server, { port: 0, auth });
process.send({ port });
