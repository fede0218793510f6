/**
 * The canary over HTTP, with all routes. It reports `counts`, the number of calls of tools and of `authenticate`, and `seen`, every request
 * that was read from a connection.
 */
import { subscribe } from 'node:diagnostics_channel';
import { serveHttp } from 'toolwright/http';
import { counts, server } from './canary-server.mjs';

const seen = [];
subscribe('http.server.request.start', ({ request }) => {
  const entry = { method: request.method, target: request.url, mark: request.headers['x-mark'], body: '' };
  seen.push(entry);
  const { push } = request;
  request.push = (chunk, encoding) => {
    if (chunk !== null) entry.body += chunk.toString('latin1');
    return push.call(request, chunk, encoding);
  };
});

counts.identified = 0;
const { port } = await serveHttp(server, {
  port: 0,
  sse: true,
  authenticate: () => {
    counts.identified += 1;
    return { id: 'somebody' };
  },
});
process.on('message', (message) => {
  if (message === 'seen') process.send({ seen: seen.splice(0) });
});
process.send({ port });
