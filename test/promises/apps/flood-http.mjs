/** A server over HTTP that sends more than its clients read. The stall limit comes from the environment. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createServer, defineTool } from 'toolwright';
import { MemoryEventBus } from 'toolwright/stores';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

const counts = { started: 0, running: 0, told: 0, aborted: 0 };

const flood = defineTool({
  name: 'flood',
  description: 'Tells its caller more than it reads.',
  timeoutMs: 600_000,
  inputSchema: z.object({
    kind: z.enum(['progress', 'log']),
    messages: z.number(),
    bytes: z.number(),
    isAwaited: z.boolean(),
  }),
  handler: async ({ input: { kind, messages, bytes, isAwaited }, context }) => {
    counts.started += 1;
    counts.running += 1;
    const { signal } = context;
    const page = Buffer.alloc(bytes, 'x');
    const tell = (index) => {
      page.write(`${index} `);
      // A new string each time: strings that share their content would cost nothing to keep.
      const text = page.toString('latin1');
      return kind === 'progress' ? context.progress(index, messages, text) : context.sendLog('info', text);
    };
    for (let index = 1; index <= messages && !signal.aborted; index += 1) {
      const told = tell(index);
      if (isAwaited) await told;
      // A handler that does not wait for its messages still yields to others.
      else await setImmediate();
      counts.told += 1;
    }
    // It continues its work, and tells of it: when messages were dropped or replaced, those that are left may all fit into the buffers of
    // the operating system, and nothing stalls.
    for (let index = messages + 1; !signal.aborted; index += 1) {
      const told = tell(index);
      if (isAwaited) await told;
      await sleep(20);
    }
    counts.running -= 1;
    if (signal.aborted) counts.aborted += 1;
    return 'done';
  },
});

const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is told.',
  inputSchema: z.object({ text: z.string() }),
  handler: ({ input }) => input.text,
});

const large = defineTool({
  name: 'large',
  description: 'Answers with more than a reader takes at once.',
  inputSchema: z.object({ bytes: z.number() }),
  handler: ({ input }) => 'x'.repeat(input.bytes),
});

const eventBus = new MemoryEventBus();
const server = createServer({
  name: 'flood',
  version: '1.0.0',
  tools: [flood, echo, large],
  resources: [{ uriTemplate: 'flood://{name}', name: 'flood', contentProvider: () => '' }],
  eventBus,
  maxResultBytes: 64 * 2 ** 20,
  rateLimit: false,
});
const { port } = await serveHttp(server, { port: 0, ...JSON.parse(process.env.OPTIONS ?? '{}') });

if (process.env.TIDY_EVERY_MS !== undefined)
  setInterval(() => globalThis.gc(), Number(process.env.TIDY_EVERY_MS)).unref();

process.on('message', async (message) => {
  if (message === 'counts') {
    const sockets = process
      .getActiveResourcesInfo()
      .filter((resource) => resource === 'TCPSocketWrap').length;
    process.send({ ...counts, sockets, listeners: eventBus.size });
  }
  if (message.updates === undefined) return;
  const { updates, uris } = message;
  for (let update = 0; update < updates; update += 1) {
    server.resources.notifyUpdated(uris[update % uris.length]);
    if (update % 10 === 9) await setImmediate();
  }
  process.send({ updated: updates });
});
process.send({ port });
