import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { HTTP_DEFAULTS } from '../../src/http.ts';
import { asked } from './support/asked.ts';
import { ChildServer } from './support/child-server.ts';
import type { ChildOptions } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import {
  legacyDelete,
  legacyListen,
  legacyRequest,
  modernRequest,
  openSession,
} from './support/mcp-requests.ts';
import type { Asked } from './support/mcp-requests.ts';
import { McpSocket } from './support/mcp-socket.ts';
import { OtherClient } from './support/other-client.ts';
import { patienceFor } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { until } from '../support/until.ts';

const MEBIBYTE = 2 ** 20;
/** Maximum memory for one stream whose client does not read. */
const PER_STREAM = 2 * MEBIBYTE;
const BYTES = 32 * 1024;
const MANY = 50;

/** Number of messages, and the stall limit of a stream. */
interface Form {
  /** For one client, and for each of many. */
  readonly messages: { readonly one: number; readonly many: number };
  readonly stallMs: number;
  /** Maximum wait for the expected reaction. */
  readonly patienceMs: number;
  /** Maximum number of rounds of the warm-up. */
  readonly rounds: number;
}

/** 64 MB for one client, and 8 MB for each of many. */
const SHORT: Form = { messages: { one: 2000, many: 250 }, stallMs: 500, patienceMs: 30_000, rounds: 6 };
/** 640 MB for each. Handlers of 2025-11-25 run to their end. */
const LONG: Form = {
  messages: { one: 20_000, many: 20_000 },
  stallMs: 5000,
  patienceMs: 600_000,
  rounds: 6,
};

/** Runs that must fail need no precise start. */
function redForm(without: readonly Weakness[]): Form {
  const patienceMs = patienceFor(without, ['stall-limit'], { ms: SHORT.patienceMs, weakMs: 1500 });
  return { ...SHORT, patienceMs, rounds: 1 };
}

type Era = 'modern' | 'legacy';

/** A handler that sends more than its client reads. */
interface Flood {
  readonly kind: 'progress' | 'log';
  readonly isAwaited: boolean;
}

const FLOODS: readonly Flood[] = [
  { kind: 'log', isAwaited: true },
  { kind: 'log', isAwaited: false },
  { kind: 'progress', isAwaited: false },
  { kind: 'progress', isAwaited: true },
];

interface Counts {
  readonly started: number;
  readonly running: number;
  readonly told: number;
  readonly aborted: number;
  readonly sockets: number;
  readonly listeners: number;
}

/**
 * The amount of garbage and of compiled code is random and larger than the cost of a stream, especially on a busy machine. So garbage is
 * collected all the time, the young generation has its full size from the start, and code is not recompiled.
 */
const TIDY = {
  execArgv: ['--no-opt', '--no-maglev', '--min-semi-space-size=4', '--max-semi-space-size=4'],
  env: { TIDY_EVERY_MS: '200' },
};

/** A server under test, a client that is served meanwhile, and clients that do not read. */
class Flooded {
  readonly child: ChildServer;
  readonly other: OtherClient;
  readonly form: Form;
  readonly #era: Era;

  private constructor(child: ChildServer, era: Era, form: Form) {
    this.child = child;
    this.#era = era;
    this.form = form;
    this.other = new OtherClient(child.port);
  }

  static async start(era: Era, without: readonly Weakness[]): Promise<Flooded> {
    const form = without.length > 0 ? redForm(without) : isLong ? LONG : SHORT;
    return Flooded.startWith(era, form, { ...TIDY, without });
  }

  static async startWith(era: Era, form: Form, options: ChildOptions): Promise<Flooded> {
    const env = { ...options.env, OPTIONS: JSON.stringify({ stallMs: form.stallMs }) };
    const child = await ChildServer.listen('flood-http.mjs', { ...options, env });
    return new Flooded(child, era, form);
  }

  counts(): Promise<Counts> {
    return asked(this.child, 'counts', 'told');
  }

  /** Waits until only the served clients are connected; returns the number of connections. */
  async quiet(): Promise<number> {
    const { sockets } = await until(
      () => this.counts(),
      (counts) => counts.sockets === 1,
    );
    expect(sockets, 'connections before somebody stalls').toBe(1);
    return sockets;
  }

  async peak(): Promise<number> {
    return (await this.child.usage()).peakBytes;
  }

  /** Clients that read, until the process has all the memory it needs for them. */
  async warmUp(round: () => Promise<void>): Promise<number> {
    let peak = await this.peak();
    for (let calm = 0, rounds = 0; calm < 2 && rounds < this.form.rounds; rounds += 1) {
      await round();
      const next = await this.peak();
      calm = next - peak < MEBIBYTE / 4 ? calm + 1 : 0;
      peak = next;
    }
    return peak;
  }

  /** A client that reads its messages. */
  async read(flood: Flood, messages: number): Promise<void> {
    const { told } = await this.counts();
    const { socket, end } = await this.#call(flood, messages, false);
    socket.listen();
    await until(
      () => this.counts(),
      (counts) => counts.told >= told + messages,
    );
    socket.cut();
    await end();
    await until(
      () => this.counts(),
      ({ running }) => running === 0,
    );
  }

  /** Clients that read nothing, one for each flood. */
  async stall(floods: readonly Flood[], messages: number): Promise<void> {
    const sockets = await this.quiet();
    const before = await this.counts();
    const calls: Call[] = [];
    for (const flood of floods) calls.push(await this.#call(flood, messages, true));
    const { started } = await until(
      () => this.counts(),
      (counts) => counts.started === before.started + floods.length,
    );
    expect(started - before.started, 'handlers that began').toBe(floods.length);
    const all = before.told + floods.length * messages;
    // A handler of 2025-11-25 is not stopped when its connection ends; it must not hang either.
    const isOver = ({ running, told }: Counts): boolean =>
      running === 0 || (this.#era === 'legacy' && told === all);
    const counts = await until(() => this.counts(), isOver, this.#patienceMs);
    await this.expectClosed(sockets);
    expect(isOver(counts) ? 0 : counts.running, 'handlers that are stuck').toBe(0);
    await endAll(calls);
    const after = await until(
      () => this.counts(),
      (counts) => counts.running === 0,
    );
    expect(after.aborted - before.aborted, 'handlers that were told to stop').toBe(floods.length);
  }

  /** The streams of clients that do not read are closed. */
  async expectClosed(sockets: number, meanwhile?: () => Promise<object>): Promise<void> {
    const left = await until(
      async () => {
        await meanwhile?.();
        return this.counts();
      },
      (counts) => counts.sockets <= sockets,
      this.#patienceMs,
    );
    expect(left.sockets - sockets, 'streams that are open after the stall limit').toBe(0);
  }

  async expectPeak(before: number, streams: number): Promise<void> {
    const growth = (await this.peak()) - before;
    expect(growth, `bytes that ${streams} stalled streams cost`).toBeLessThanOrEqual(streams * PER_STREAM);
  }

  async stop(): Promise<void> {
    const { answered, wrong } = await this.other.stop();
    expect(wrong, 'calls of another client that went wrong').toEqual([]);
    expect(answered, 'calls of another client that were answered').toBeGreaterThan(10);
  }

  /** Opens a session with some first requests, on a connection of its own. */
  async openSession(...first: readonly Asked[]): Promise<string> {
    const socket = new McpSocket(this.child.port);
    const session = await openSession(socket);
    for (const request of first) await socket.ask(legacyRequest(session, request));
    socket.cut();
    return session;
  }

  async closeSession(session: string): Promise<void> {
    const socket = new McpSocket(this.child.port);
    await socket.ask(legacyDelete(session));
    socket.cut();
  }

  get #patienceMs(): number {
    return this.form.stallMs + this.form.patienceMs;
  }

  async #call(flood: Flood, messages: number, isDeaf: boolean): Promise<Call> {
    const params = { name: 'flood', arguments: { ...flood, messages, bytes: BYTES } };
    const call: Asked = { method: 'tools/call', params, progressToken: 'token' };
    const session = this.#era === 'legacy' ? await this.openSession() : undefined;
    const socket = new McpSocket(this.child.port, { isDeaf });
    socket.send(session === undefined ? modernRequest(call) : legacyRequest(session, call));
    const end = async (): Promise<void> => {
      if (session !== undefined) await this.closeSession(session);
    };
    return { socket, end };
  }
}

interface Call {
  readonly socket: McpSocket;
  /** Ends its session, if it has one. */
  readonly end: () => Promise<void>;
}

/** Faster than any reader: a warm-up with it would itself fill memory. */
function isLoud({ kind, isAwaited }: Flood): boolean {
  return kind === 'log' && !isAwaited;
}

async function expectOneBounded(era: Era, without: readonly Weakness[]): Promise<void> {
  const flooded = await Flooded.start(era, without);
  const before = await flooded.warmUp(async () => {
    for (const flood of FLOODS) await flooded.read(flood, isLoud(flood) ? 20 : 250);
  });
  for (const flood of FLOODS) {
    await flooded.stall([flood], flooded.form.messages.one);
    await flooded.expectPeak(before, 1);
  }
  await flooded.stop();
}

async function expectManyBounded(era: Era, without: readonly Weakness[]): Promise<void> {
  const flooded = await Flooded.start(era, without);
  const before = await flooded.warmUp(async () => {
    for (const flood of FLOODS) await flooded.read(flood, isLoud(flood) ? 20 : 250);
  });
  const floods = Array.from({ length: MANY }, (_, index) => FLOODS[index % FLOODS.length] as Flood);
  await flooded.stall(floods, flooded.form.messages.many);
  await flooded.expectPeak(before, MANY);
  await flooded.stop();
}

/** Long names, so that queued notifications would be visible. */
const URIS = Array.from({ length: 20 }, (_, index) => `flood://${index}-${'n'.repeat(4000)}`);

/** A client that subscribes to all of them. */
async function listen(flooded: Flooded, era: Era, isDeaf: boolean): Promise<Call> {
  const { listeners } = await flooded.counts();
  const subscriptions = URIS.map((uri, id) => ({ method: 'resources/subscribe', id, params: { uri } }));
  const session = era === 'legacy' ? await flooded.openSession(...subscriptions) : undefined;
  const notifications = { resourceSubscriptions: URIS };
  const socket = new McpSocket(flooded.child.port, { isDeaf });
  socket.send(
    session === undefined
      ? modernRequest({ method: 'subscriptions/listen', params: { notifications } })
      : legacyListen(session),
  );
  if (!isDeaf) socket.listen();
  await until(
    () => flooded.counts(),
    (counts) => counts.listeners === listeners + 1,
  );
  const end = async (): Promise<void> => {
    if (session !== undefined) await flooded.closeSession(session);
  };
  return { socket, end };
}

async function listenAll(
  flooded: Flooded,
  era: Era,
  { count, isDeaf }: { count: number; isDeaf: boolean },
): Promise<Call[]> {
  const calls: Call[] = [];
  for (let index = 0; index < count; index += 1) calls.push(await listen(flooded, era, isDeaf));
  return calls;
}

async function endAll(calls: readonly Call[]): Promise<void> {
  for (const { socket, end } of calls) {
    socket.cut();
    await end();
  }
}

async function expectNewsBounded(era: Era, count: number, without: readonly Weakness[]): Promise<void> {
  const flooded = await Flooded.start(era, without);
  const idle = (await flooded.counts()).listeners;
  const update = (updates: number): Promise<object> =>
    asked(flooded.child, { updates, uris: URIS }, 'updated');
  const reading = await listenAll(flooded, era, { count, isDeaf: false });
  const before = await flooded.warmUp(async () => void (await update(2500)));
  await endAll(reading);
  const sockets = await flooded.quiet();
  const deaf = await listenAll(flooded, era, { count, isDeaf: true });
  await update(10_000);
  // Updates that were coalesced may all fit into the buffers of the operating system: then only further ones stall.
  await flooded.expectClosed(sockets, () => update(URIS.length));
  await flooded.expectPeak(before, count);
  await endAll(deaf);
  const { listeners } = await until(
    () => flooded.counts(),
    (counts) => counts.listeners === idle,
  );
  expect(listeners, 'listeners that are left').toBe(idle);
  await flooded.stop();
}

/** A slow client that reads gets everything, however long that takes. */
async function expectSlowReaderServed(without: readonly Weakness[]): Promise<void> {
  const stallMs = 1500;
  const flooded = await Flooded.startWith('modern', { ...SHORT, stallMs }, { without });
  const bytes = 16 * MEBIBYTE;
  const socket = new McpSocket(flooded.child.port, { isDeaf: true });
  socket.send(modernRequest({ method: 'tools/call', params: { name: 'large', arguments: { bytes } } }));
  const start = performance.now();
  let read = 0;
  // Read in portions so that it takes three times the stall limit without ever stalling.
  const atOnce = Math.ceil(bytes / ((3 * stallMs) / 20));
  while (read < bytes && socket.isOpen && performance.now() - start < 60_000) {
    read += socket.readAtMost(atOnce);
    await sleep(20);
  }
  expect(read, 'bytes that a slow reader got').toBeGreaterThanOrEqual(bytes);
  expect(performance.now() - start, 'milliseconds that reading took').toBeGreaterThan(2 * stallMs);
  socket.cut();
  await flooded.stop();
}

const ONE = {
  modern: '2026-07-28: a call that tells more than its client reads',
  legacy: '2025-11-25: a call that tells more than its client reads',
};
const MANY_CLIENTS = {
  modern: '2026-07-28: 50 calls that tell more than their clients read',
  legacy: '2025-11-25: 50 calls that tell more than their clients read',
};
const NEWS = {
  modern: '2026-07-28: a client that listens and does not read',
  legacy: '2025-11-25: a client that listens and does not read',
};

const MANY_LISTENERS = {
  '2026-07-28: 50 clients that listen and do not read': (without: readonly Weakness[]) =>
    expectNewsBounded('modern', MANY, without),
  '2025-11-25: 50 clients that listen and do not read': (without: readonly Weakness[]) =>
    expectNewsBounded('legacy', MANY, without),
};

promise('slow readers cost a bounded amount', {
  timeoutMs: isLong ? 1_800_000 : 120_000,
  checks: {
    [ONE.modern]: (without) => expectOneBounded('modern', without),
    [ONE.legacy]: (without) => expectOneBounded('legacy', without),
    [MANY_CLIENTS.modern]: (without) => expectManyBounded('modern', without),
    [MANY_CLIENTS.legacy]: (without) => expectManyBounded('legacy', without),
    [NEWS.modern]: (without) => expectNewsBounded('modern', 1, without),
    [NEWS.legacy]: (without) => expectNewsBounded('legacy', 1, without),
    ...(isLong ? MANY_LISTENERS : {}),
    'a slow reader that does not stall is served': expectSlowReaderServed,
    'by default a reader may stand still for 30 s': async () => {
      expect(HTTP_DEFAULTS.stallMs, 'the stall limit').toBe(30_000);
    },
  },
  switches: [
    {
      defence: 'the stall limit',
      off: [{ module: 'transport/stall-watch.js', defence: 'stall-limit' }],
      red: /streams that are open after the stall limit/,
      check: ONE.modern,
    },
    {
      defence: 'a limit of queued log messages',
      off: [{ module: 'wire/dialogues/client-log.js', defence: 'bound-of-a-log', by: 'Infinity' }],
      red: /bytes that 1 stalled streams cost/,
      check: ONE.modern,
    },
    {
      defence: 'progress that is replaced by later progress',
      off: [{ module: 'wire/methods/call-parts.js', defence: 'one-progress-at-a-time' }],
      red: /bytes that 1 stalled streams cost/,
      check: ONE.modern,
    },
    {
      defence: 'a limit of messages kept for resuming',
      off: [{ module: 'stores/event-store.js', defence: 'bound-of-kept-events' }],
      red: /bytes that 1 stalled streams cost/,
      check: ONE.legacy,
    },
    {
      defence: 'notifications that are coalesced',
      off: [
        {
          module: 'wire/served/coalescing-queue.js',
          defence: 'coalesced-news',
          by: 'this.#send(arguments[1]);',
        },
      ],
      red: /bytes that 1 stalled streams cost/,
      check: NEWS.modern,
    },
  ],
});
