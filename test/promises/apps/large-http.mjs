/* oxlint-disable no-new-array, prefer-add-event-listener -- what handlers do */
/** Tools whose values are small or quick to create and endless when serialized, and tools whose listeners fail. */
import { createServer, defineTool } from 'toolwright';
import { redaction, resultBudget, resultCache } from 'toolwright/middleware';
import { serveHttp } from 'toolwright/http';
import { serveStdio } from 'toolwright/stdio';
import * as z from 'zod';

const bytes = new Uint8Array(20_000_000).fill(7);
let shared = ['x', 'x'];
for (let level = 0; level < 26; level += 1) shared = [shared, shared];
const sparse = new Array(100_000_000);
// Each of them has a `toJSON`, which takes its time in every version of Node.
let dates = [new Date(0), new Date(0)];
for (let level = 0; level < 20; level += 1) dates = [dates, dates];
// A validator visits 20,000,000 elements in about 600 ms, and twice as many in several seconds on most machines, because V8 stores them in a dictionary.
const checkedHoles = new Array(40_000_000);
// A validator needs seconds for the keys of this many bytes.
const checkedBytes = bytes.subarray(0, 2_000_000);
const zeros = new Array(10_000_000).fill(0);
const fractions = Array.from({ length: 1_000_000 }, (_, index) => index / 7);
const text = 'x'.repeat(400_000_000);
const list = z.array(z.lazy(() => z.union([z.string(), list])));
const listSchema = {
  $defs: { list: { type: 'array', items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/list' }] } } },
};
const jsonSchema = {
  type: 'object',
  ...listSchema,
  properties: { items: { $ref: '#/$defs/list' } },
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
};
const withSchema = (outputSchema, value) => ({ outputSchema, handler: () => value });
const fails = () => {
  throw new Error('careless');
};
const never = () => new Promise(() => {});

const faults = {
  // The cheapest first: it fails when the defence is off.
  dates: { handler: () => dates },
  sparse: { handler: () => sparse },
  sparse_content: { handler: () => ({ content: sparse }) },
  shared: { handler: () => shared },
  shared_members: { handler: () => ({ content: [], structuredContent: { shared } }) },
  bytes: { handler: () => bytes },
  buffer: { handler: () => ({ rows: [{ id: 1, data: Buffer.from(bytes.buffer) }] }) },
  text_object: { handler: () => ({ text: new String('x'.repeat(20_000_000)) }) },
  image_of_bytes: { handler: () => ({ content: [{ type: 'image', data: bytes, mimeType: 'image/png' }] }) },
  long: { handler: () => text },
  escapes: { handler: () => ['\u0001'.repeat(4_000_000)] },
  numbers: { handler: () => fractions },
  checked_sparse: withSchema(z.object({ items: z.array(z.any()) }), { items: checkedHoles }),
  checked_shared: withSchema(z.object({ items: list }), { items: shared }),
  checked_bytes: withSchema(z.object({ items: z.record(z.string(), z.number()) }), { items: checkedBytes }),
  checked_json_shared: withSchema(jsonSchema, { items: shared }),
  checked_json_bytes: withSchema(jsonSchema, { more: bytes }),
  cached: {
    handler: () => shared,
    annotations: { readOnlyHint: true },
    middleware: [resultCache({ ttlMs: 1000 })],
  },
  cached_list: {
    handler: () => zeros,
    annotations: { readOnlyHint: true },
    middleware: [resultCache({ ttlMs: 1000 })],
  },
  redacted: { handler: () => bytes, middleware: [redaction({ paths: ['secret'] })] },
  shortened: { handler: () => shared, middleware: [resultBudget({ maxBytes: 1000 })] },
  logged: {
    handler: ({ context }) => (
      context.log.error('x', { bytes, shared }),
      context.log.error('x', bytes),
      'logged'
    ),
  },
  step: { handler: ({ context }) => context.step('a', () => shared) },
  throws_bytes: {
    handler: () => {
      throw bytes;
    },
  },
  throws_shared: {
    handler: () => {
      throw { shared };
    },
  },
};

const listeners = {
  listener_throws: (signal) => signal.addEventListener('abort', fails),
  listener_rejects: (signal) => signal.addEventListener('abort', async () => fails()),
  handler_throws: (signal) => (signal.onabort = fails),
  following_throws: (signal) =>
    AbortSignal.any([signal, AbortSignal.timeout(60_000)]).addEventListener('abort', fails),
};

const inputSchema = z.object({});
const tools = [
  ...Object.entries(faults).map(([name, parts]) => ({ name, ...parts, timeoutMs: 1000 })),
  ...Object.entries(listeners).map(([name, listen]) => ({
    name,
    handler: ({ context }) => (listen(context.signal), never()),
    timeoutMs: 100,
  })),
  { name: 'fine', handler: () => 'fine' },
].map((tool) => defineTool({ description: 'Misbehaves.', inputSchema, ...tool }));

const server = createServer({ name: 'large', version: '1.0.0', tools, rateLimit: false });
process.on('message', (message) => {
  if (message === 'spent') {
    const { user, system } = process.cpuUsage();
    process.send({ spentMs: (user + system) / 1000 });
  }
  if (message === 'names') process.send({ faults: Object.keys(faults), listeners: Object.keys(listeners) });
});
if (process.argv[2] === 'stdio') {
  serveStdio(server);
  process.send({ ready: true });
} else {
  process.send({ port: (await serveHttp(server, { port: 0 })).port });
}
