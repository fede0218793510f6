/**
 * A server over HTTP that can be overloaded: `compute` keeps it busy for two milliseconds of CPU time, `work` first waits about a second, as for an
 * upstream server, and `hold` runs until it is released. With `NAMED`, callers are named by `X-User`.
 */
import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

/** Between half a second and one and a half, so that calls do not end at the same time. */
const WAIT_MS = 500;
const MORE_MS = 1000;
let worked = 0;
const COMPUTE_MS = 2;
let holding = 0;
let read = 0;
let refused = 0;
subscribe('http.server.response.finish', ({ response }) => {
  if (response.statusCode === 503) refused += 1;
});
subscribe('http.server.request.start', ({ request }) => {
  if (request.method === 'POST') read += 1;
});
let letGo = () => {};
const released = new Promise((resolve) => {
  letGo = resolve;
});

function compute() {
  const start = process.cpuUsage();
  for (let ms = 0; ms < COMPUTE_MS;) {
    const { user, system } = process.cpuUsage(start);
    ms = (user + system) / 1000;
  }
  return 'done';
}

function define(name, handler) {
  return defineTool({ name, description: name, inputSchema: z.object({}), handler });
}

const server = createServer({
  name: 'overload',
  version: '1.0.0',
  tools: [
    define('echo', () => 'echo'),
    define('compute', compute),
    define('work', async () => {
      worked += 1;
      await wait(WAIT_MS + ((worked * 617) % MORE_MS));
      return compute();
    }),
    define('hold', async ({ context }) => {
      holding += 1;
      const stopped = new Promise((resolve) => {
        context.signal.addEventListener('abort', resolve, { once: true });
      });
      await Promise.race([released, stopped]);
      holding -= 1;
      return 'held';
    }),
  ],
  resources: [{ uri: 'docs://news', name: 'news', text: 'none' }],
  rateLimit: false,
});
const authenticate = ({ headers }) => ({ id: headers.get('x-user') ?? 'nobody' });
const { port } = await serveHttp(server, {
  port: 0,
  ...(process.env.NAMED === undefined ? {} : { authenticate }),
  ...JSON.parse(process.env.HTTP_OPTIONS ?? '{}'),
});
process.on('message', (message) => {
  if (message === 'state') process.send({ holding, read, refused });
  if (message === 'release') letGo();
});
process.send({ port });
