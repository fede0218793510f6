/** A server with raised limits: over HTTP, or with subscribers in its own process. */
import * as z from 'zod';
import { addressOf, createServer, silentLogger } from '../../library.mjs';
import { LISTEN, modernHeaders } from '../requests.mjs';

const MANY = 1_000_000;
const tool = (name) => ({ name, description: 'A tool', inputSchema: z.object({}), handler: () => 'done' });
const server = createServer({
  name: 'subscribed',
  version: '1.0.0',
  logger: silentLogger,
  tools: [tool('first')],
  limits: { maxSubscriptions: MANY, maxMemoryBytes: 8_000_000_000, maxMemoryBytesPerCaller: 8_000_000_000 },
});
const http = { maxInFlight: MANY, maxWaiting: MANY };

const readMemory = async () => {
  for (let pass = 0; pass < 3; pass += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
};
const readUsage = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
let changes = 0;
const change = () => {
  changes += 1;
  server.registerTool(tool(`tool-${changes}`));
};

const commands = {
  memory: readMemory,
  usage: () => ({ cpuUs: readUsage() }),
  change: () => {
    change();
    return {};
  },
  open: ({ count }) => openInProcess(count),
};
async function obey(message) {
  process.send(await commands[message.ask](message));
}
process.on('message', (message) => void obey(message));

if (process.argv[2] === 'sockets') {
  const { serveHttp } = await import(addressOf('http.ts'));
  const { port } = await serveHttp(server, { port: 0, ...http });
  console.log(`port ${port}`);
} else console.log('ready');

/** Subscribes with requests of the web, and reads the streams. */
async function openInProcess(count) {
  const { toFetchHandler } = await import(addressOf('fetch.ts'));
  const handle = toFetchHandler(server, http);
  let heard = 0;
  let done = () => {};
  const open = async () => {
    const response = await handle(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: modernHeaders('subscriptions/listen'),
        body: LISTEN,
      }),
    );
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const read = async () => {
      const { value } = await reader.read();
      return decoder.decode(value);
    };
    if (!(await read()).includes('acknowledged')) throw new Error(`not subscribed: ${response.status}`);
    const listen = async () => {
      for (;;) {
        if (!(await read()).includes('list_changed')) continue;
        heard += 1;
        if (heard === count) done();
      }
    };
    void listen();
  };
  const before = await readMemory();
  for (let opened = 0; opened < count; opened += 500)
    await Promise.all(Array.from({ length: Math.min(500, count - opened) }, open));
  const after = await readMemory();
  const measured = [];
  for (let round = 0; round < 6; round += 1) {
    heard = 0;
    const all = new Promise((resolve) => {
      done = resolve;
    });
    const [used, startedAt] = [readUsage(), performance.now()];
    change();
    await all;
    const sample = { ms: performance.now() - startedAt, cpuUs: (readUsage() - used) / count };
    if (round > 0) measured.push(sample);
  }
  return { before, after, changes: measured };
}
