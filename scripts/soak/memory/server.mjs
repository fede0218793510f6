/**
 * The server under the memory attack, in its own process on the built package. One server behind two endpoints: one without authentication,
 * one for principals. It reports its memory and the blocked time of its event loop to its parent every 100 ms.
 */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, ToolRegistry } from 'toolwright';
import { loadConfig } from 'toolwright/config';
import { refuse, serveHttp } from 'toolwright/http';
import * as z from 'zod';
import { BlockWatch } from './block-watch.mjs';

const { folder, keptMs } = JSON.parse(process.env.MEMORY_ATTACK);
const REPORT_MS = 100;
const FILE_BYTES = 400_000_000;
/** Low limits, so that a short attack can reach them. */
const MAX_SESSIONS = 200;

const text = z.string().optional();
const bytes = z.number();
const ms = z.number();

function define(name, shape, handler) {
  return { name, description: `${name}, for the memory attack`, inputSchema: z.strictObject(shape), handler };
}

/** Creates a new string each time: strings that share their characters would cost no memory. */
function large(length) {
  return Buffer.alloc(length, 'x').toString('latin1');
}

const tools = [
  define('add', { a: z.number(), b: z.number() }, ({ input }) => input.a + input.b),
  define('hold', { ms, text }, async ({ input, context }) => {
    await wait(input.ms, undefined, { signal: context.signal });
    return (input.text ?? '').length;
  }),
  define('large', { bytes }, ({ input }) => large(input.bytes)),
  define('large_stream', { bytes, ms }, async ({ input, context }) => {
    await context.progress(1);
    await wait(input.ms);
    return large(input.bytes);
  }),
  define('talk', { steps: z.number() }, async ({ input, context }) => {
    for (let step = 1; step <= input.steps; step += 1) {
      await context.progress(step, input.steps);
      await wait(5);
    }
    return 'talked';
  }),
  define('ask_hold', { ms }, async ({ input, context }) => {
    const answer = await context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
    // Ignores its signal, as many handlers do.
    await wait(input.ms);
    return JSON.stringify(answer).length;
  }),
  define('deaf', { ms }, async ({ input, context }) => {
    await wait(input.ms);
    return String(context.signal.reason).length;
  }),
  define('ask', { text }, async ({ input, context }) => {
    const answer = await context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
    return `${answer.action} ${(input.text ?? '').length}`;
  }),
  {
    ...define('job', { ms, text }, async ({ input }) => {
      await wait(input.ms);
      return (input.text ?? '').length;
    }),
    task: 'required',
  },
  { ...define('large_job', { bytes }, ({ input }) => large(input.bytes)), task: 'required' },
];

/** Resources of a configuration: two files of 400 MB that take no room on the disk. */
async function configuredResources() {
  const resources = ['large.txt', 'large.bin'].map((file) => {
    const path = join(folder, file);
    writeFileSync(path, '');
    truncateSync(path, FILE_BYTES);
    return { uri: `files://${file}`, name: file, file };
  });
  const file = join(folder, 'toolwright.config.json');
  writeFileSync(file, JSON.stringify({ name: 'files', version: '1.0.0', resources }));
  const { server } = await loadConfig(file);
  return server.resources;
}

const server = createServer({
  name: 'memory',
  version: '1.0.0',
  tools: new ToolRegistry({ rateLimit: false }).registerAll(tools),
  resources: await configuredResources(),
  // Short retention times, so that everything is gone soon after the attack.
  taskTtlMs: keptMs,
  limits: { inputTimeoutMs: keptMs, taskAnswerMs: keptMs },
});

const options = { port: 0, sse: true, sessions: { idleMs: keptMs, maxSessions: MAX_SESSIONS } };
const open = await serveHttp(server, options);
const named = await serveHttp(server, {
  ...options,
  authenticate: ({ headers }) => {
    const name = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '')?.[1];
    return name === undefined ? refuse() : { id: name };
  },
});

const blocks = new BlockWatch();
const reports = setInterval(report, REPORT_MS);
reports.unref();

function report() {
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed + external, heapUsed, external, rss, ...blocks.seen() });
}

/** Twice: objects with a finalizer are freed by the second collection. */
async function collect() {
  globalThis.gc();
  await wait(20);
  globalThis.gc();
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  return { heapUsed, external, arrayBuffers, rss };
}

// The parent is gone, so this process ends.
process.once('disconnect', () => process.exit());
process.on('message', (message) => {
  if (message === 'collect')
    void collect().then((collected) => {
      // A requested garbage collection does not count as a block.
      blocks.restart();
      process.send({ collected });
    });
  if (message === 'watch') blocks.reset();
});
process.send({ ports: { open: open.port, named: named.port } });
