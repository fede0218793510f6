/**
 * The server of the soak, in its own process on the built package. It has tools of every kind, and measures itself. Run it with
 * `--expose-gc`; it exchanges messages with its parent.
 */
import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, ToolError } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

/** Counters of finished and running work. */
const counts = { echoed: 0, running: 0, open: 0 };
const nothing = z.object({});
let changes = 0;

// Used at the start, because it is opened on first use and would otherwise count as a leftover.
const { stderr } = process;
void stderr;

subscribe('http.server.request.start', ({ response }) => {
  counts.open += 1;
  response.once('close', () => {
    counts.open -= 1;
  });
});

function define(name, inputSchema, handler) {
  const run = async (call) => {
    counts.running += 1;
    try {
      return await handler(call);
    } finally {
      counts.running -= 1;
    }
  };
  return { name, description: `${name}, for the soak`, inputSchema, handler: run };
}

const tools = [
  define('echo', z.object({ text: z.string() }), ({ input }) => {
    counts.echoed += 1;
    return input.text;
  }),
  define('slow', z.object({ ms: z.number() }), async ({ input, context }) => {
    // Progress tells the client that the call has begun: a cancellation before that may arrive too early.
    await context.progress(1);
    await wait(input.ms, undefined, { signal: context.signal });
    return 'slow';
  }),
  define('talk', z.object({ steps: z.int() }), async ({ input, context }) => {
    for (let step = 1; step <= input.steps; step += 1) {
      await context.progress(step, input.steps);
      await wait(5);
    }
    return 'talked';
  }),
  define('fail', nothing, () => {
    throw new ToolError('It failed, as it should.');
  }),
  define('ask', nothing, async ({ context }) => {
    const answer = await context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
    return answer.action === 'accept' ? answer.content.name : answer.action;
  }),
  define('touch', z.object({ uri: z.string() }), ({ input }) => {
    server.resources.notifyUpdated(input.uri);
    return 'touched';
  }),
  define('change', nothing, () => {
    changes += 1;
    const name = `new_${changes}`;
    server.tools.register(define(name, nothing, () => name));
    server.tools.unregister(name);
    return 'changed';
  }),
  { ...define('job', nothing, () => wait(30, 'done')), task: { support: 'required', pollIntervalMs: 10 } },
  ...Array.from({ length: 20 }, (_, index) =>
    define(`filler_${index}`, z.object({ a: z.string() }), () => index),
  ),
];

const server = createServer({
  name: 'soak',
  version: '1.0.0',
  tools,
  prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }], template: 'Hello, {{who}}.' }],
  resources: [
    { uri: 'soak://page', name: 'page', text: 'a page' },
    { uriTemplate: 'soak://{name}/news', name: 'news', contentProvider: ({ uri }) => uri },
  ],
  rateLimit: false,
  // Short retention times, so that memory is stable from the second minute on.
  taskTtlMs: 5000,
});
const running = await serveHttp(server, { port: 0, sse: true, sessions: { idleMs: 20_000 } });

/** Number of active resources by kind. */
function resources() {
  const kinds = {};
  for (const kind of process.getActiveResourcesInfo()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
}

function listeners() {
  return process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
}

// The parent is gone, so this process ends.
process.once('disconnect', () => process.exit());
process.on('message', async (message) => {
  if (message === 'sample') {
    // Twice: objects with a finalizer are freed by the second collection.
    globalThis.gc();
    await wait(20);
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    process.send({ ...counts, heapUsed, rss, resources: resources(), listeners: listeners() });
  }
  if (message === 'close') {
    await running.close();
    await server.close();
    // No work is left, so the process must end by itself.
    process.removeAllListeners('disconnect').disconnect();
  }
});
process.send({ port: running.port });
