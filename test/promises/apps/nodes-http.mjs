/**
 * Nodes of one server that share a Redis: one for each port in `REDIS_PORTS`, with clients of both packages in turn. The bearer token is
 * `name` or `name~version`, an access token of that user; more may follow behind another `~`. `NODES` is the number of nodes for the fallback of rate limits, and
 * `SERVER_OPTIONS` adds to all of them. `HTTP_OPTIONS` adds to their transport. From `VERSION` 2 on, there is another tool. On SIGTERM all of them are closed. `{ announce: kind, node }` announces a change of a list at a node, `{ register: name }` registers a tool at all
 * of them, and `runs` reports the runs of each handler.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { createServer, silentLogger } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { rateLimit, resultCache } from 'toolwright/middleware';
import { redisStores } from 'toolwright/redis';
import * as z from 'zod';

const { REDIS_PORTS = '', PREFIX = 'nodes', NODES = '2', SERVER_OPTIONS = '{}' } = process.env;
const { SLOW_MS = '0', TIMEOUT_MS = '250', HTTP_OPTIONS = '{}', VERSION = '1' } = process.env;
const LONG_MS = 600_000;
const NAME = z.object({ name: z.string() });
const nothing = z.object({});
const runs = {};
const ran = (name) => (runs[name] = (runs[name] ?? 0) + 1);
const nameOf = ({ principal }) => principal?.id ?? '(anonymous)';

/** Tools that use the cache and the limits. */
function cachedTools(stores) {
  const cached = [resultCache({ store: stores.cache, ttlMs: LONG_MS })];
  return [
    { name: 'plain', description: 'Needs no store', inputSchema: nothing, handler: () => 'plain' },
    {
      name: 'limited',
      description: 'Has a limit',
      inputSchema: nothing,
      middleware: [rateLimit({ limit: 20, perMs: LONG_MS, store: stores.rateLimits })],
      handler: () => 'allowed',
    },
    {
      name: 'wrapped',
      description: 'Caches a value',
      inputSchema: z.object({ key: z.string().default('a') }),
      handler: ({ input, context }) =>
        context.cache.wrap(input.key, () => `load ${ran('wrapped')}`, { ttlMs: LONG_MS }),
    },
    {
      name: 'forget',
      description: 'Deletes a cached value',
      inputSchema: z.object({ key: z.string() }),
      handler: async ({ input, context }) => {
        await context.cache.delete(input.key);
        return 'forgotten';
      },
    },
    {
      name: 'mine',
      description: 'Is cached for each caller',
      inputSchema: z.object({ what: z.string().default('all') }),
      annotations: { readOnlyHint: true },
      middleware: cached,
      handler: async ({ input, context }) => {
        const run = ran(`mine ${nameOf(context)}`);
        await sleep(Number(SLOW_MS));
        const [, version = 'first'] = context.accessToken.split('~');
        return `${input.what} of ${nameOf(context)} by ${version}, run ${run}`;
      },
    },
    {
      name: 'asked',
      description: 'Asks, and would be cached',
      inputSchema: nothing,
      annotations: { readOnlyHint: true },
      middleware: cached,
      handler: async ({ context }) => {
        ran('asked');
        const { action, content } = await context.ask('name', { message: 'Who?', schema: NAME });
        return `${nameOf(context)}: ${action === 'accept' ? content.name : action}`;
      },
    },
  ];
}

/** Tools that use the other stores. */
function keepingTools() {
  return [
    {
      name: 'book',
      description: 'Asks twice, and pays once',
      inputSchema: z.object({ for: z.string().default('two') }),
      handler: async ({ input, context }) => {
        const paid = await context.step('pay', () => ran('pay'));
        const seats = [];
        for (const name of ['first', 'second']) {
          const { action, content } = await context.ask(name, { message: `The ${name}?`, schema: NAME });
          seats.push(action === 'accept' ? content.name : action);
        }
        ran('book');
        return `${seats.join(' and ')} for ${input.for}, receipt ${paid > 0 ? 'given' : 'missing'}`;
      },
    },
    {
      name: 'job',
      description: 'Runs as a task',
      inputSchema: nothing,
      task: { support: 'required', pollIntervalMs: 10 },
      handler: () => `job ${ran('job')}`,
    },
    {
      name: 'wipe',
      description: 'Deletes, after a preview',
      inputSchema: nothing,
      annotations: { destructiveHint: true },
      confirm: 'preview',
      preview: () => 'will delete',
      handler: () => `wiped ${ran('wipe')}`,
    },
    {
      name: 'keep',
      description: 'Keeps a text',
      inputSchema: z.object({ text: z.string() }),
      handler: ({ input, context }) => context.createHandle(input.text),
    },
    {
      name: 'kept',
      description: 'Reads a kept text',
      inputSchema: z.object({ handle: z.string() }),
      handler: async ({ input, context }) => (await context.readHandle(input.handle)) ?? 'nothing',
    },
  ];
}

const NEWER = {
  name: 'newer',
  description: 'Came with an upgrade',
  inputSchema: nothing,
  handler: () => 'new',
};

async function startNode(redisPort, index) {
  const url = `redis://127.0.0.1:${redisPort}`;
  const client = index % 2 === 0 ? new Redis(url, { lazyConnect: true }) : createClient({ url });
  const options = { prefix: PREFIX, nodes: Number(NODES), timeoutMs: Number(TIMEOUT_MS) };
  const stores = redisStores(client, { ...options, logger: silentLogger });
  const server = createServer({
    name: 'nodes',
    version: `${VERSION}.0.0`,
    logger: silentLogger,
    rateLimit: false,
    cache: stores.cache,
    confirmationStore: stores.confirmations,
    stateStore: stores.state,
    taskStore: stores.tasks,
    eventBus: stores.eventBus,
    requestStateKeys: ['a secret of all nodes, of 32 characters'],
    tools: [...cachedTools(stores), ...keepingTools(), ...(VERSION === '1' ? [] : [NEWER])],
    prompts: [{ name: 'hello', template: 'Hello' }],
    resources: [{ uri: 'a://1', name: 'one', text: 'one' }],
    ...JSON.parse(SERVER_OPTIONS),
  });
  const http = await serveHttp(server, {
    port: 0,
    authenticate: ({ headers }) => ({ id: (headers.get('authorization') ?? '').slice(7).split('~')[0] }),
    sessions: { shared: stores.state, eventStore: stores.events },
    maxInFlight: 5000,
    maxInFlightPerCaller: 5000,
    ...JSON.parse(HTTP_OPTIONS),
  });
  // The connection is there before the first request.
  for (;;) {
    if ((await stores.connection.send('k', ['PING']).catch(() => undefined)) === 'PONG') break;
    await sleep(10);
  }
  const close = async () => {
    await http.close();
    await server.close();
    stores.close();
  };
  return { server, port: http.port, close };
}

const nodes = await Promise.all(REDIS_PORTS.split(',').map(startNode));
process.on('message', (message) => {
  if (message === 'runs') process.send({ runs });
  if (message.announce !== undefined) {
    nodes[message.node].server.announceChange(message.announce);
    process.send({ announced: message.announce });
  }
  if (message.register !== undefined) {
    const { register: name } = message;
    const definition = { name, description: 'Came later', inputSchema: nothing, handler: () => name };
    for (const { server } of nodes) server.registerTool(name, definition, definition.handler);
    process.send({ registered: name });
  }
});
process.once('SIGTERM', () => void Promise.all(nodes.map(({ close }) => close())));
const ports = nodes.map(({ port }) => port);
process.send({ port: ports[0], ports });
