/** A server over HTTP in which every part can be told to hang. Limits are short, except those without an option. */
import { createServer, defineTool } from 'toolwright';
import { createSecurityWrapper } from 'toolwright/collaborators';
import { MemoryCacheStore, MemoryTaskStore } from 'toolwright/stores';
import { serveHttp } from 'toolwright/http';
import { audit, concurrency, rateLimit, resultCache } from 'toolwright/middleware';
import * as z from 'zod';

const LIMIT_MS = 300;
const never = () => new Promise(() => {});
const nothing = z.object({});
const silent = { debug() {}, info() {}, warning() {}, error() {} };

function define(name, rest) {
  return defineTool({ name, description: name, inputSchema: nothing, handler: () => name, ...rest });
}

const hangingCache = { get: never, set: never, delete: never };

/** Hangs for keys that request it. */
const values = new MemoryCacheStore();
const pickyCache = {
  get: (key) => (key === 'get' ? never() : values.get(key)),
  set: (key, value, ttlMs) => (key === 'set' ? never() : values.set(key, value, ttlMs)),
  delete: (key) => values.delete(key),
};

/** Poll intervals that mark tasks whose first or last write hangs. Reads hang for the task id `lost`. */
const NEVER_BEGINS = 777;
const NEVER_ENDS = 778;

const records = new MemoryTaskStore();
let owner = '';
const pickyTasks = {
  put(record) {
    owner ||= record.owner;
    const isNew = record.status === 'working';
    if (record.pollIntervalMs === NEVER_BEGINS || record.taskId === 'elsewhere') return never();
    return record.pollIntervalMs === NEVER_ENDS && !isNew ? never() : records.put(record);
  },
  get(taskId) {
    if (taskId === 'lost') return never();
    if (taskId !== 'elsewhere') return records.get(taskId);
    const at = new Date().toISOString();
    const times = { createdAt: at, lastUpdatedAt: at, ttlMs: null, pollIntervalMs: 1 };
    return { taskId, owner, status: 'working', ...times };
  },
  delete: (taskId) => records.delete(taskId),
};

const bus = {
  listeners: new Set(),
  publish: never,
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  },
};

const standard = createSecurityWrapper({
  rateLimit: { limit: 1000, perMs: 60_000 },
  rateLimitStore: { consume: (key) => (key.startsWith('rate|') ? never() : { allowed: true }) },
  logger: silent,
});

const report = async ({ context }) => {
  for (let step = 1; ; step += 1) {
    await context.progress(step);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const tools = [
  define('echo', {}),
  define('tool', { handler: never }),
  define('middleware', { middleware: [never] }),
  define('context', {}),
  define('resolver', { defaultArgumentResolver: never }),
  define('input', { inputSchema: z.object({ text: z.string().refine(never) }) }),
  define('output', {
    outputSchema: z.object({ text: z.string().refine(never) }),
    handler: () => ({ text: 'a' }),
  }),
  define('wrapper', {}),
  define('rate-limit', { security: { namespace: 'rate' } }),
  define('rate-limit-middleware', {
    middleware: [rateLimit({ limit: 9, perMs: 9, store: { consume: never } })],
  }),
  define('preview', { confirm: 'preview', preview: never }),
  define('confirmation', { confirm: 'preview', preview: () => 'would do it' }),
  define('cache-get', { handler: ({ context }) => context.cache.get('get') }),
  define('cache-set', { handler: ({ context }) => context.cache.set('set', 1) }),
  define('cache-wrap', { handler: ({ context }) => context.cache.wrap('get', () => 1) }),
  define('result-cache', {
    annotations: { readOnlyHint: true },
    middleware: [resultCache({ store: hangingCache })],
  }),
  define('result-cache-change', { middleware: [resultCache({ store: hangingCache })] }),
  define('audit', { middleware: [audit({ write: never })] }),
  define('line', { middleware: [concurrency({ limit: 1 })], handler: never }),
  define('progress', { handler: report }),
  define('busy-progress', {
    handler: ({ context }) => {
      for (let step = 1; step <= 5; step += 1) void context.progress(step);
      return 'done';
    },
  }),
  define('question', {
    handler: ({ context }) =>
      context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) }),
  }),
  define('announce', {
    handler: () => {
      server.resources.notifyUpdated('docs://resource');
      return 'announced';
    },
  }),
  define('task', { task: { support: 'required', timeoutMs: LIMIT_MS, pollIntervalMs: 10 }, handler: never }),
  define('task-question', {
    task: { support: 'required', pollIntervalMs: 10 },
    handler: ({ context }) =>
      context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) }),
  }),
  define('task-kept', { task: { support: 'required', pollIntervalMs: 10 } }),
  define('task-never-begins', { task: { support: 'required', pollIntervalMs: NEVER_BEGINS } }),
  define('task-never-ends', { task: { support: 'required', pollIntervalMs: NEVER_ENDS } }),
  define('task-later', {
    task: { support: 'optional', start: 'handler', timeoutMs: 600_000 },
    handler: never,
  }),
  define('task-adopted', {
    task: { support: 'optional', start: 'handler', pollIntervalMs: NEVER_BEGINS, timeoutMs: 600_000 },
    handler: ({ context }) => context.startTask(),
  }),
];

const server = createServer({
  name: 'hanging',
  version: '1.0.0',
  tools,
  prompts: [
    { name: 'prompt', handler: never },
    { name: 'completion', arguments: [{ name: 'a' }], template: '{{a}}', complete: { a: never } },
  ],
  resources: [
    { uri: 'docs://resource', name: 'resource', contentProvider: never },
    {
      uriTemplate: 'docs://{name}/page',
      name: 'template',
      contentProvider: never,
      complete: { name: never },
    },
  ],
  timeoutMs: LIMIT_MS,
  createContext: ({ name }) => (name === 'context' ? never() : {}),
  withSecurityWrapper: (namespace, operation, schema) => {
    const inner = standard(namespace, operation, schema);
    return (call, run) => (call.tool === 'wrapper' ? never() : inner(call, run));
  },
  cache: pickyCache,
  confirmationStore: { put: never, take: never },
  taskStore: pickyTasks,
  eventBus: bus,
  limits: { inputTimeoutMs: LIMIT_MS, taskAnswerMs: LIMIT_MS },
  logger: silent,
});

const options = {
  port: 0,
  authenticate: ({ headers }) => (headers.get('x-hang') === null ? { id: 'ada' } : never()),
  authenticateTimeoutMs: LIMIT_MS,
  // Everything hangs at once here, and no call must wait for another.
  maxInFlightPerCaller: 256,
};
const { port } = await serveHttp(server, options);
const eventStore = { append: never, after: never, drop: never };
const second = await serveHttp(server, { ...options, sessions: { eventStore } });
process.on('message', (message) => {
  if (message === 'where') process.send({ eventStorePort: second.port });
});
process.send({ port });
