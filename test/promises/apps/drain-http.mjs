/**
 * A server over HTTP with slow tools that is ended by SIGTERM. It records every request it has read (`X-Call`), and reports them at the
 * end. With `WORKERS`, as many processes share the port, and `restart` replaces them one after the other.
 */
import cluster from 'node:cluster';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

if (cluster.isPrimary && process.env.WORKERS !== undefined) await lead(Number(process.env.WORKERS));
else await serve();

async function serve() {
  // Until it listens, a worker has nothing else that keeps it alive.
  if (cluster.isWorker) process.channel.ref();
  const seen = [];
  let seenBefore;
  subscribe('http.server.request.start', ({ request }) => {
    const id = request.headers['x-call'];
    if (id !== undefined) seen.push(id);
  });
  const define = (name, before) =>
    defineTool({
      name,
      description: name,
      inputSchema: z.object({ ms: z.number() }),
      handler: async ({ input, context }) => {
        await before(context);
        return wait(input.ms, 'done');
      },
    });
  const server = createServer({
    name: 'drain',
    version: '1.0.0',
    tools: [define('wait', () => {}), define('tell', (context) => context.progress(1))],
    resources: [{ uri: 'docs://news', name: 'news', text: 'none' }],
    rateLimit: false,
  });
  const running = await serveHttp(server, { port: 0, ...JSON.parse(process.env.HTTP_OPTIONS ?? '{}') });
  process.on('message', (message) => {
    if (message === 'count') process.send({ count: seen.length });
  });
  process.once('SIGTERM', async () => {
    seenBefore = seen.length;
    await running.close();
    await server.close();
    if (cluster.isWorker) return cluster.worker.disconnect();
    return process.send({ seen, seenBefore });
  });
  process.send({ port: running.port });
}

async function lead(count) {
  const start = async () => {
    const worker = cluster.fork();
    const [{ port }] = await once(worker, 'message');
    return { worker, port };
  };
  const workers = [];
  for (let index = 0; index < count; index += 1) workers.push(await start());
  process.on('message', async (message) => {
    if (message !== 'restart') return;
    const codes = [];
    for (const [index, { worker }] of workers.entries()) {
      worker.process.kill('SIGTERM');
      const [code, signal] = await once(worker, 'exit');
      codes.push(`${code} ${signal}`);
      workers[index] = await start();
    }
    process.send({ codes });
  });
  process.send({ port: workers[0].port });
}
