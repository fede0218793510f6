/**
 * A server that accepts API keys, at `/keys` in `x-api-key` and at `/bearer` as bearer tokens, and one at `/proxied` that believes the headers of the proxy 127.0.0.2. It
 * creates 20 keys, of which the last expires after a minute, and gives them to its parent with everything its store was given. `{ revoke }` removes a key by its prefix,
 * `{ skip }` moves the clock on.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, defineTool } from 'toolwright';
import { apiKeys, createApiKey, MemoryApiKeyStore, trustedHeaders } from 'toolwright/auth';
import { toNodeHandler } from 'toolwright/http';
import * as z from 'zod';

const resource = 'https://server.test/mcp';
const silent = { debug() {}, info() {}, warning() {}, error() {} };
let skipped = 0;
const clock = {
  now: () => 1_000_000 + skipped,
  wallTime: () => 1_700_000_000_000 + skipped,
  schedule: (callback, delayMs) => {
    const timer = setTimeout(() => callback(), delayMs);
    return () => clearTimeout(timer);
  },
};
const counts = { handled: 0 };
const echo = defineTool({
  name: 'echo',
  description: 'Returns the id of the principal.',
  inputSchema: z.object({}),
  handler: ({ context }) => {
    counts.handled += 1;
    return String(context.principal?.id);
  },
});
const server = () =>
  createServer({ name: 'keys', version: '1.0.0', tools: [echo], rateLimit: false, logger: silent });

const store = new MemoryApiKeyStore();
const stored = [];
const created = Array.from({ length: 20 }, (_, index) => {
  const end = index === 19 ? { expiresAt: 1_700_000_060_000 } : {};
  const { key, record } = createApiKey({ id: `user-${index}` }, end);
  stored.push(record);
  store.add(record);
  return { key, prefix: record.prefix };
});
const verifiers = {
  keys: apiKeys(store, { header: 'x-api-key', clock }),
  bearer: apiKeys(store, { clock }),
  proxied: trustedHeaders({ proxies: ['127.0.0.2'], id: 'x-user' }),
};
const handlers = new Map(
  Object.entries(verifiers).map(([name, verify]) => [
    name,
    toNodeHandler(server(), { auth: { verify, resource }, path: `/${name}`, maxInFlightPerCaller: 256 }),
  ]),
);
const http = createHttpServer((request, response) => {
  handlers.get(request.url.split('/')[1])?.(request, response);
});
process.on('message', (message) => {
  if (message === 'keys') process.send({ keys: created, dump: JSON.stringify(stored) });
  if (message === 'counts') process.send({ counts });
  if (message?.revoke !== undefined) process.send({ revoked: store.remove(message.revoke) });
  if (message?.skip !== undefined) {
    skipped += message.skip;
    process.send({ skipped });
  }
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
