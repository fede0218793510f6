/**
 * A server over stdio with slow tools, set up like a real program: it closes on request, and exits when everything is closed, whatever a
 * tool still does. `DRAIN_MS`: time for responses. `LINGER_MS`: time for which it has other work after that.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, defineTool } from 'toolwright';
import { serveStdio } from 'toolwright/stdio';
import * as z from 'zod';

const pids = [];
const counts = { begun: 0, stopped: 0 };

function define(name, handler) {
  return defineTool({
    name,
    description: name,
    inputSchema: z.object({ ms: z.number() }),
    handler: async ({ input, context }) => {
      counts.begun += 1;
      context.signal.addEventListener('abort', () => (counts.stopped += 1));
      process.send({ begun: counts.begun });
      return handler(input.ms, context.signal);
    },
  });
}

const server = createServer({
  name: 'slow',
  version: '1.0.0',
  tools: [
    define('wait', (ms, signal) => wait(ms, 'done', { signal })),
    define('large', (ms, signal) => wait(ms, 'x'.repeat(1_000_000), { signal })),
    // It cannot be stopped.
    define('stubborn', (ms) => wait(ms, 'done')),
    define('program', async (ms, signal) => {
      const child = spawn('sleep', [String(ms / 1000)], { signal, stdio: 'ignore' });
      pids.push(child.pid);
      await once(child, 'exit');
      return 'done';
    }),
  ],
  logger: { debug() {}, info() {}, warning() {}, error() {} },
});

const running = serveStdio(server, { drainMs: Number(process.env.DRAIN_MS) });
process.once('SIGTERM', () => void running.close());
process.on('message', (message) => {
  if (message === 'pids') process.send({ pids });
});
await running.closed;
await server.close();
await wait(Number(process.env.LINGER_MS ?? 0));
process.send({ stopped: counts.stopped }, () => process.exit());
