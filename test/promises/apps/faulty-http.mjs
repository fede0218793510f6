/** Twenty tools that misbehave, and one that does not. Over HTTP; the log goes to stderr. */
import { createServer, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

// A handler that ends the process cannot be stopped; the test shows that nothing else ends it.
process.exit = (code) => {
  throw new Error(`process.exit(${code}) was called`);
};

const cycle = {};
cycle.self = cycle;
let deep = [];
for (let level = 0; level < 10_000; level += 1) deep = [deep];
const SECRET = '/home/operator/secret.ts';

const faults = {
  throws: () => {
    throw new Error(`broken at ${SECRET}:12`);
  },
  rejects: async () => {
    throw new Error(`broken at ${SECRET}:12`);
  },
  throws_text: () => {
    throw `text from ${SECRET}`;
  },
  throws_undefined: () => {
    throw undefined;
  },
  rejects_undefined: () => Promise.reject(),
  throws_proxy: () => {
    throw new Proxy(
      {},
      {
        get() {
          throw new Error('touched');
        },
      },
    );
  },
  returns_undefined: () => undefined,
  returns_null: () => null,
  returns_number: () => 42,
  returns_bigint: () => ({ big: 10n }),
  returns_cycle: () => cycle,
  returns_deep: () => deep,
  returns_much: () => 'x'.repeat(50_000_000),
  returns_bad_content: () => ({ content: [{ type: 'nonsense', text: 5 }] }),
  getter_throws: () => ({
    get value() {
      throw new Error(`getter at ${SECRET}`);
    },
  }),
  to_json_throws: () => ({
    toJSON() {
      throw new Error(`toJSON at ${SECRET}`);
    },
  }),
  never_settles: () => new Promise(() => {}),
  rejects_later: () => {
    void Promise.reject(new Error(`nobody waits, ${SECRET}`));
    setImmediate(() => void Promise.reject(new Error(`nobody waits, ${SECRET}`)));
    return 'gone';
  },
  exits: () => process.exit(3),
  is_busy: () => {
    const until = Date.now() + Number(process.env.BUSY_MS ?? 200);
    while (Date.now() < until);
    return 'done';
  },
};

const inputSchema = z.object({});
const tools = Object.entries(faults).map(([name, handler]) =>
  defineTool({ name, description: 'Misbehaves.', inputSchema, handler, timeoutMs: 300 }),
);
tools.push(defineTool({ name: 'fine', description: 'Behaves.', inputSchema, handler: () => 'fine' }));

const write = (level) => (message, details) => console.error(JSON.stringify({ level, message, details }));
const logger = { debug() {}, info() {}, warning: write('warning'), error: write('error') };
const server = createServer({ name: 'faulty', version: '1.0.0', tools, rateLimit: false, logger });
const onStrayError = process.env.ON_STRAY_ERROR;
const { port } = await serveHttp(server, { port: 0, ...(onStrayError ? { onStrayError } : {}) });
process.on('message', (message) => {
  if (message === 'names') process.send({ names: Object.keys(faults) });
  if (message === 'throw-later')
    setImmediate(() => {
      throw new Error('nobody catches');
    });
});
process.send({ port });
