/**
 * A server over HTTP with one tool that accepts anything and returns its size. Reports on request the number of runs and the bytes read
 * from each connection. An async context is active, as in servers with tracing. With `parsed`, the body is read and parsed before the
 * library sees it, as some frameworks do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { createServer as createHttpServer } from 'node:http';
import { createServer, defineTool } from 'toolwright';
import { serveHttp, toNodeHandler } from 'toolwright/http';
import * as z from 'zod';

const requests = new AsyncLocalStorage();
requests.enterWith({ name: 'the whole server' });

let handled = 0;
const measure = defineTool({
  name: 'measure',
  description: 'Says how much it got.',
  inputSchema: z.looseObject({}),
  handler: async ({ input }) =>
    requests.run({ name: 'one call' }, async () => {
      handled += 1;
      await Promise.resolve();
      return `${Object.keys(input).length} arguments in ${requests.getStore().name}`;
    }),
});
const server = createServer({ name: 'measure', version: '1.0.0', tools: [measure], rateLimit: false });

const sockets = new Set();
subscribe('http.server.request.start', ({ socket }) => sockets.add(socket));

process.on('message', (message) => {
  if (message === 'handled') process.send({ handled });
  if (message === 'read') {
    process.send({ read: Array.from(sockets, ({ bytesRead }) => bytesRead) });
    sockets.clear();
  }
});
process.send({ port: process.argv[2] === 'parsed' ? await listenParsed() : await listen() });

async function listen() {
  const { port } = await serveHttp(server, { port: 0 });
  return port;
}

async function listenParsed() {
  const handle = toNodeHandler(server);
  const http = createHttpServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    handle(request, response, JSON.parse(text));
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  return http.address().port;
}
