import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serveHttp } from '../../src/http.ts';
import { createServer, defineTools, silentLogger } from '../../src/index.ts';
import type { ServerOptions, ToolwrightServer } from '../../src/index.ts';
import { resultCache } from '../../src/middleware.ts';
import { redisStores } from '../../src/redis.ts';
import { BullMqTaskQueue, startTaskWorker } from '../../src/tasks.ts';
import { ROOT } from '../support/dist.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { postModern, RawSession } from '../support/raw-http.ts';
import type { Json, RawAnswer } from '../support/raw-peer.ts';
import { RedisServer } from '../support/redis-server.ts';
import { TripProxy } from '../support/trip-proxy.ts';
import { until } from '../support/until.ts';

let redis: RedisServer;
let monitor: Monitor;
let proxy: TripProxy;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  redis = await RedisServer.start();
  monitor = await Monitor.start(redis);
  proxy = await TripProxy.start(redis.port);
});
afterAll(async () => {
  await Promise.all(closers.map((close) => close()));
  monitor.close();
  await proxy.stop();
  await redis.stop();
});

/** Commands of this test, of the reader of events, and of a new connection. */
const ALWAYS = new Set(['ECHO', 'XREAD', 'XREVRANGE', 'HELLO', 'CLIENT', 'INFO', 'SELECT']);

/** The commands that clients send to Redis, as Redis reports them; those of scripts are not among them. */
class Monitor {
  readonly #lines: Interface;
  readonly #seen: string[] = [];
  #markers = 0;

  private constructor(lines: Interface) {
    this.#lines = lines;
    lines.on('line', (line) => {
      if (!line.includes(' lua] ')) this.#seen.push(line);
    });
  }

  static async start({ port }: RedisServer): Promise<Monitor> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write('MONITOR\r\n');
    const lines = createInterface(socket);
    expect(await once(lines, 'line')).toEqual(['+OK']);
    return new Monitor(lines);
  }

  /** The names of the commands that an action causes. */
  async record(action: () => Promise<unknown>): Promise<string[]> {
    await this.#mark();
    this.#seen.length = 0;
    await action();
    await this.#mark();
    return this.#names();
  }

  /** Waits until a number of commands was sent in the present record, and has replies. */
  async saw(count: number): Promise<void> {
    await until(
      () => this.#names().length >= count && !proxy.isOpen,
      (hasEnded) => hasEnded,
    );
  }

  /** The commands that read events, the last ones first. */
  get reads(): string[] {
    return this.#seen.filter((line) => line.includes('"XREAD"')).toReversed();
  }

  #names(): string[] {
    return this.#seen
      .map((line) => /^\+[\d.]+ \[[^\]]*\] "(\w+)"/.exec(line)?.[1]?.toUpperCase() ?? line)
      .filter((name) => !ALWAYS.has(name));
  }

  /** Waits until everything that was sent before has been reported. */
  async #mark(): Promise<void> {
    this.#markers += 1;
    const marker = `marker-${this.#markers}`;
    await redis.execute('ECHO', marker);
    await until(
      () => this.#seen.some((line) => line.includes(`"${marker}"`)),
      (isSeen) => isSeen,
    );
  }

  close(): void {
    this.#lines.close();
  }
}

interface Node {
  readonly url: string;
  readonly server: ToolwrightServer;
  /** Calls a tool. */
  readonly call: (name: string, args?: Json, more?: Json) => ReturnType<typeof postModern>;
  /** Invalidates the results of the tool `results`. */
  readonly invalidate: () => Promise<void>;
}

const FORM = { elicitation: { form: {} } };
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A node with every shared store. */
async function startNode(options: Partial<ServerOptions> = {}): Promise<Node> {
  const stores = redisStores(createClient({ url: proxy.url }), { timeoutMs: 10_000, logger: silentLogger });
  const results = resultCache({ ttlMs: 60_000, store: stores.cache, tags: () => ['reports'] });
  const inputSchema = z.object({ handle: z.string().default('') });
  const description = 'A tool';
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    logger: silentLogger,
    rateLimit: false,
    rateLimitStore: stores.rateLimits,
    cache: stores.cache,
    confirmationStore: stores.confirmations,
    stateStore: stores.state,
    taskStore: stores.tasks,
    eventBus: stores.eventBus,
    requestStateKeys: ['the secret of all nodes, of 32 characters'],
    requestStateSingleUse: true,
    ...options,
    tools: defineTools({
      plain: { description, inputSchema, handler: () => 'done' },
      cached: { description, inputSchema, handler: ({ context }) => context.cache.wrap('key', () => 'done') },
      invalidate: {
        description,
        inputSchema,
        handler: ({ context }) => context.cache.delete('key'),
      },
      results: {
        description,
        inputSchema,
        annotations: { readOnlyHint: true },
        middleware: [results],
        handler: () => 'done',
      },
      set: { description, inputSchema, handler: ({ context }) => context.state.set('key', 1) },
      get: { description, inputSchema, handler: ({ context }) => context.state.get('key') },
      create: { description, inputSchema, handler: ({ context }) => context.createHandle({ cart: 1 }) },
      read: { description, inputSchema, handler: ({ input, context }) => context.readHandle(input.handle) },
      confirmed: {
        description,
        inputSchema,
        annotations: { destructiveHint: true },
        confirm: 'preview',
        preview: () => 'One note',
        handler: () => 'done',
      },
      ask: {
        description,
        inputSchema,
        handler: async ({ context }) =>
          (await context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) })).action,
      },
      task: { description, inputSchema, task: 'optional', handler: () => 'done' },
      asking: {
        description,
        inputSchema,
        task: 'optional',
        handler: async ({ context }) =>
          (await context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) })).action,
      },
      progress: {
        description,
        inputSchema,
        handler: ({ context }) => context.progress(1, 2),
      },
    }),
  });
  const running = await serveHttp(server, {
    port: 0,
    readyDelayMs: 0,
    authenticate: () => ({ id: 'ada' }),
    sessions: { shared: stores.state, eventStore: stores.events },
  });
  closers.push(async () => {
    await running.close();
    await server.close();
    stores.close();
  });
  const call: Node['call'] = (name, args = {}, { capabilities = {}, ...more } = {}) =>
    postModern(running.url, {
      method: 'tools/call',
      params: { name, arguments: args, ...more },
      capabilities: capabilities as Json,
    });
  return { url: running.url, server, call, invalidate: () => results.invalidate(['reports']) };
}

interface Stage extends Node {
  /** A node whose tasks run in worker processes. */
  readonly queued: Node;
  /** A node with a rate limit. */
  readonly limited: Node;
  /** The reply to what came before. */
  readonly last: () => RawAnswer;
  readonly session: () => RawSession;
  readonly fresh: () => Node;
  readonly renew: () => Promise<Node>;
}

type Action = (stage: Stage, round: number) => Promise<unknown>;

const ANSWER = { name: { action: 'accept', content: { name: 'Ada' } } };
const read = (response: Response): Promise<string> => response.text();
const open: Action = ({ url }) => RawSession.open(url);
const loadAndInvalidate: Action = async ({ call, invalidate }) => {
  await call('results');
  await invalidate();
};
const textOf = ({ result = {} }: RawAnswer): string =>
  (result['content'] as { text: string }[])[0]?.text ?? '';

const taskOf = ({ result = {} }: RawAnswer): unknown => result['taskId'];
const ASKED = { ...FORM, ...TASKS };

/** Starts a task in a worker, which asks. The worker is closed then: its own commands are not counted. */
async function askFromWorker({ queued: { call, server, url } }: Stage): Promise<RawAnswer> {
  const created = await call('asking', {}, { capabilities: ASKED });
  const worker = await startTaskWorker(server);
  const params = { taskId: taskOf(created) };
  await until(
    () => postModern(url, { method: 'tasks/get', params, capabilities: ASKED }),
    ({ result }) => result?.['status'] === 'input_required',
  );
  await worker.close();
  return created;
}

interface Cost {
  readonly name: string;
  readonly operations: number;
  readonly trips: number;
  readonly action: Action;
  readonly prepare: Action | undefined;
}

/** Actions with what comes before them, which is not counted, and the operations and round trips of docs/scaling.md. */
const COSTS: readonly Cost[] = (
  [
    ['call without shared state', 0, 0, ({ call }) => call('plain')],
    ['rate limit of a call', 1, 1, ({ limited }) => limited.call('plain')],
    ['`context.cache`: a hit', 1, 1, ({ call }) => call('cached'), ({ call }) => call('cached')],
    ['`context.cache`: a load', 2, 1, ({ call }) => call('cached'), ({ call }) => call('invalidate')],
    ['`context.cache`: a deletion', 1, 1, ({ call }) => call('invalidate')],
    ['`resultCache` with one tag: a hit', 2, 1, ({ call }) => call('results'), ({ call }) => call('results')],
    [
      '`resultCache` with one tag: a load',
      3,
      1,
      ({ call }, round) => call('results', { handle: `${round}` }),
    ],
    [
      '`resultCache` with one tag: a load after an invalidation',
      4,
      2,
      ({ call }) => call('results'),
      loadAndInvalidate,
    ],
    [
      'rate limit of a call, and a hit of `context.cache`',
      2,
      2,
      ({ limited }) => limited.call('cached'),
      ({ call }) => call('cached'),
    ],
    [
      'rate limit of a call, and a load of `context.cache`',
      3,
      2,
      ({ limited }) => limited.call('cached'),
      ({ call }) => call('invalidate'),
    ],
    [
      'rate limit of a call, and a load of `resultCache` with one tag',
      4,
      2,
      ({ limited }, round) => limited.call('results', { handle: `limited ${round}` }),
    ],
    [
      'rate limit of a call, and a load of `resultCache` with one tag after an invalidation',
      5,
      3,
      ({ limited }) => limited.call('results'),
      loadAndInvalidate,
    ],
    ['`context.state`: one method', 1, 1, ({ call }) => call('get'), ({ call }) => call('set')],
    ['handle: create it', 1, 1, ({ call }) => call('create')],
    [
      'handle: read it',
      1,
      1,
      ({ call, last }) => call('read', { handle: textOf(last()) }),
      ({ call }) => call('create'),
    ],
    ['confirmation: the preview', 1, 1, ({ call }) => call('confirmed')],
    [
      'confirmation: the confirmed call',
      1,
      1,
      ({ call, last }) => call('confirmed', { confirmation_token: /"(\w{32,})"/.exec(textOf(last()))?.[1] }),
      ({ call }) => call('confirmed'),
    ],
    ['elicitation: the request', 0, 0, ({ call }) => call('ask', {}, { capabilities: FORM })],
    [
      'elicitation: the response, with `requestStateSingleUse`',
      1,
      1,
      ({ call, last }) =>
        call(
          'ask',
          {},
          { capabilities: FORM, requestState: last().result?.['requestState'], inputResponses: ANSWER },
        ),
      ({ call }) => call('ask', {}, { capabilities: FORM }),
    ],
    [
      'task, from its creation to its end',
      3,
      3,
      async ({ call }) => {
        await call('task', {}, { capabilities: TASKS });
        await monitor.saw(3);
      },
    ],
    [
      'task: `tasks/get`',
      1,
      1,
      ({ url, last }) => {
        const taskId = last().result?.['taskId'];
        return postModern(url, { method: 'tasks/get', params: { taskId }, capabilities: TASKS });
      },
      async ({ call }) => {
        let created: unknown;
        await monitor.record(async () => {
          created = await call('task', {}, { capabilities: TASKS });
          await monitor.saw(3);
        });
        return created;
      },
    ],
    [
      'task in a worker process: its creation',
      4,
      2,
      ({ queued }) => queued.call('task', {}, { capabilities: TASKS }),
    ],
    [
      'task in a worker process: a response with `tasks/update`',
      3,
      2,
      ({ queued: { url }, last }) => {
        const params = { taskId: taskOf(last()), inputResponses: ANSWER };
        return postModern(url, { method: 'tasks/update', params, capabilities: ASKED });
      },
      askFromWorker,
    ],
    [
      'task in a worker process: `tasks/cancel`',
      6,
      2,
      ({ queued: { url }, last }) => {
        const params = { taskId: taskOf(last()) };
        return postModern(url, { method: 'tasks/cancel', params, capabilities: TASKS });
      },
      ({ queued }) => queued.call('task', {}, { capabilities: TASKS }),
    ],
    [
      'change of the tools',
      1,
      1,
      async ({ server }, round) => {
        server.registerTool({
          name: `tool-${round}`,
          description: 'A',
          inputSchema: z.object({}),
          handler: () => 1,
        });
        await monitor.saw(1);
      },
    ],
    [
      'session of an earlier revision: a request',
      2,
      1,
      ({ session }) => session().call('plain').then(read),
      open,
    ],
    [
      'session of an earlier revision: a call with a rate limit and a hit of `context.cache`',
      4,
      3,
      ({ session, limited }) => session().at(limited.url).call('cached').then(read),
      async ({ url, call }) => {
        await call('cached');
        return RawSession.open(url);
      },
    ],
    [
      'session of an earlier revision: a call with one progress notification',
      4,
      3,
      ({ session }) => session().call('progress').then(read),
      open,
    ],
    ['session of an earlier revision: its start', 3, 2, open],
    [
      'readiness check, at most every 5 s',
      2,
      2,
      async ({ fresh }) => {
        await read(await fetch(new URL('/readyz', fresh().url)));
        await monitor.saw(2);
      },
      async ({ renew }) => (await renew()).call('get'),
    ],
  ] satisfies [string, number, number, Action, Action?][]
).map(([name, operations, trips, action, prepare]) => ({
  name,
  operations,
  trips,
  action,
  prepare,
}));

describe('the operations of docs/scaling.md', () => {
  const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
  let stage: Stage;
  let before: unknown;
  let fresh: Node;

  beforeAll(async () => {
    const node = await startNode();
    const limited = await startNode({ rateLimit: { limit: 1000, perMs: 60_000 } });
    const taskQueue = new BullMqTaskQueue(new Redis(proxy.url, { lazyConnect: true }), { timeoutMs: 10_000 });
    closers.push(async () => taskQueue.close());
    stage = {
      ...node,
      queued: await startNode({ taskQueue }),
      limited,
      last: () => before as RawAnswer,
      session: () => before as RawSession,
      fresh: () => fresh,
      renew: async () => (fresh = await startNode()),
    };
  });

  test('are all in this test', () => {
    const [, table = ''] = /^\| action \| operations \| round trips \|\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const rows = table.trim().split('\n');
    expect(rows).toEqual(
      expect.arrayContaining(
        COSTS.map(({ name, operations, trips }) => `| ${name} | ${operations} | ${trips} |`),
      ),
    );
    expect(rows).toHaveLength(COSTS.length);
  });

  test('a call waits for at most 2 round trips, except in the listed cases', () => {
    const longer = COSTS.filter(({ trips }) => trips > 2).map(({ name }) => name);
    expect(longer).toEqual([
      'rate limit of a call, and a load of `resultCache` with one tag after an invalidation',
      'task, from its creation to its end',
      'session of an earlier revision: a call with a rate limit and a hit of `context.cache`',
      'session of an earlier revision: a call with one progress notification',
    ]);
  });

  test.each(COSTS)('$name: $operations, $trips', async ({ operations, trips, action, prepare }) => {
    const counts: string[][] = [];
    let fewest = Infinity;
    // The first time, Redis does not have the scripts. A busy machine can count more round trips than there are.
    for (let round = 1; round <= 2 || (fewest > trips && round <= 10); round += 1) {
      before = await prepare?.(stage, round);
      let ended = Infinity;
      counts.push(
        await monitor.record(async () => {
          ended = await proxy.count(async () => {
            expect(((await action(stage, round)) as RawAnswer | undefined)?.error).toBe(undefined);
          });
          // The response does not wait for all commands.
          await monitor.saw(operations);
        }),
      );
      if (round > 1) fewest = Math.min(fewest, ended);
    }
    expect([counts[1], counts[1]?.length, fewest]).toEqual([expect.any(Array), operations, trips]);
  });

  test('a change is stored for each session of an earlier revision, until its client opens a stream', async () => {
    const { server, url } = await startNode({ name: 'alone' });
    for (let index = 0; index < 2; index += 1) await RawSession.open(url);
    const change = (name: string, commands: number): Promise<string[]> =>
      monitor.record(async () => {
        server.registerTool({ name, description: 'A', inputSchema: z.object({}), handler: () => 1 });
        await monitor.saw(commands);
      });
    // Then Redis has the scripts.
    await (await RawSession.open(url)).call('progress').then(read);
    await change('first', 7);
    expect(await change('second', 7)).toEqual(Array.from({ length: 7 }, () => 'EVALSHA'));
  });

  test('after an outage, lost deletions are repeated together', async () => {
    const outage = await FaultProxy.start(redis.port);
    const counter = await TripProxy.start(outage.port);
    // The clock stands still, so that the deletions are not repeated in the background.
    const { cache, connection, close } = redisStores(createClient({ url: counter.url }), {
      prefix: 'outage',
      clock: new FakeClock(),
      logger: silentLogger,
    });
    closers.push(async () => {
      close();
      await counter.stop();
      await outage.stop();
    });
    const isConnected = (): Promise<boolean> =>
      connection.send('k', ['PING']).then(
        () => true,
        () => false,
      );
    const keys = Array.from({ length: 100 }, (_, index) => `lost ${index}`);
    await Promise.all(keys.map((key) => cache.set(key, 1, 60_000)));
    outage.set({ kind: 'reset' });
    await until(isConnected, (is) => !is, 30_000);
    await Promise.all(keys.map((key) => cache.delete(key)));
    outage.set({ kind: 'none' });
    expect(await until(isConnected, (is) => is, 30_000)).toBe(true);
    let found: unknown;
    const trips = await counter.count(async () => (found = await cache.get('lost 99')));
    expect([found, await cache.stats()]).toEqual([undefined, { entries: 0 }]);
    // Two for the deletions, and one for the lookup. A busy machine can count more.
    expect(trips).toBeGreaterThan(2);
    expect(trips).toBeLessThan(10);
  });

  test('a node waits for events for a second at a time', async () => {
    await monitor.record(async () => {
      const [line = ''] = await until(
        () => monitor.reads,
        ({ length }) => length > 0,
      );
      expect(line).toContain('"XREAD" "COUNT" "100" "BLOCK" "1000" "STREAMS"');
    });
  });
});
