/** A server over HTTP that reports its timeouts. They come from the environment; default: those of the library. */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

// The server of node:http is private to serveHttp; the test reads its settings.
let seen;
const { createServer: create } = http;
http.createServer = (options, ...rest) => {
  const server = create(options, ...rest);
  seen = { server, options };
  return server;
};
syncBuiltinESMExports();

const { createServer, defineTool } = await import('toolwright');
const { serveHttp } = await import('toolwright/http');
const z = await import('zod');

let handled = 0;
const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is told.',
  inputSchema: z.object({ text: z.string() }),
  handler: ({ input }) => {
    handled += 1;
    return input.text;
  },
});
const server = createServer({ name: 'slow-clients', version: '1.0.0', tools: [echo], rateLimit: false });
const { port } = await serveHttp(server, { port: 0, ...JSON.parse(process.env.TIMES ?? '{}') });
process.on('message', (message) => {
  if (message === 'connections')
    seen.server.getConnections((_error, connections) => process.send({ connections, handled }));
  if (message === 'times') {
    const { headersTimeout, requestTimeout } = seen.server;
    const { connectionsCheckingInterval } = seen.options;
    process.send({ headersTimeout, requestTimeout, connectionsCheckingInterval });
  }
});
process.send({ port });
