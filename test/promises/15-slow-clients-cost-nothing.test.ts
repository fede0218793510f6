import { expect } from 'vitest';
import { HTTP_DEFAULTS } from '../../src/http.ts';
import { asked } from './support/asked.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { modernRequest } from './support/mcp-requests.ts';
import { McpSocket } from './support/mcp-socket.ts';
import { OtherClient, p99 } from './support/other-client.ts';
import type { Served } from './support/other-client.ts';
import { within } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { until } from '../support/until.ts';

const CLIENTS = isLong ? 1000 : 200;
/** Interval at which a slow client sends one more byte. */
const EVERY_MS = isLong ? 1000 : 50;
/** Number of groups of slow clients that send in turns. */
const TURNS = 5;
const CALL = modernRequest({
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x'.repeat(2000) } },
});
const HEAD = CALL.slice(0, CALL.indexOf('\r\n\r\n') + 4);
const CHUNKED = HEAD.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');

/** A kind of slow client: the data sent immediately, and the data sent byte by byte until the connection is closed. */
interface Slowness {
  readonly first: string;
  readonly bits: (index: number) => string;
  /** Whether a whole request is sent first. */
  readonly isSecond?: boolean;
}

const SLOW_HEADERS: readonly Slowness[] = [
  { first: '', bits: () => '' },
  { first: '', bits: (index) => CALL[index] ?? 'x' },
  { first: HEAD.slice(0, -2), bits: (index) => (index % 2 === 0 ? 'X-A: a' : '\r\n') },
  { first: HEAD.slice(0, 40), bits: (index) => HEAD[index + 40] ?? 'x', isSecond: true },
];

const SLOW_BODIES: readonly Slowness[] = [
  { first: HEAD, bits: () => '' },
  { first: HEAD, bits: (index) => CALL[HEAD.length + index] ?? ' ' },
  { first: CHUNKED, bits: () => '1\r\n \r\n' },
  { first: HEAD, bits: () => ' ', isSecond: true },
];

/** A client that sends while its connection is closed may get an error before it can read the reason. */
const CUT_IN_SENDING = 'cut in sending';

/** A client that never finishes its request. */
class SlowClient {
  readonly #socket: McpSocket;
  readonly #slowness: Slowness;
  #sent = 0;
  #hasBegun = false;
  /** The response before the connection was closed, and the duration of the connection. */
  outcome = 'still open';
  tookMs = Number.POSITIVE_INFINITY;
  readonly isOver: Promise<void>;

  constructor(port: number, slowness: Slowness) {
    this.#slowness = slowness;
    this.#socket = new McpSocket(port);
    this.isOver = this.#run();
  }

  goOn(): void {
    if (!this.#hasBegun) return;
    const bits = this.#slowness.bits(this.#sent);
    this.#sent += 1;
    if (bits !== '' && this.#socket.isOpen) this.#socket.send(bits);
  }

  hangUp(): void {
    this.#socket.cut();
  }

  async #run(): Promise<void> {
    if (this.#slowness.isSecond === true) await this.#socket.ask(CALL);
    const start = performance.now();
    this.#hasBegun = true;
    const reply = await this.#socket.ask(this.#slowness.first);
    await this.#socket.closed;
    this.outcome =
      this.#socket.isCutInSending && reply === undefined ? CUT_IN_SENDING : String(reply?.status);
    this.tookMs = performance.now() - start;
  }
}

/** So many that their data fills the memory for long bodies twice. */
const HOARDERS = 150;
const LONG_CALL = modernRequest({
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x'.repeat(200_000) } },
});

/** Long bodies that stall delay other clients only for a moment. */
async function expectOthersServed(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('slow-clients-http.mjs', { without });
  const hoarders = Array.from({ length: HOARDERS }, () => new McpSocket(child.port));
  for (const hoarder of hoarders) void hoarder.ask(LONG_CALL.slice(0, 100_000));
  await until(
    () => connectionsOf(child),
    (open) => open === HOARDERS,
  );
  const caller = new McpSocket(child.port);
  let status: number | undefined;
  void caller.ask(LONG_CALL).then((reply) => (status = reply?.status));
  await until(
    () => status,
    (known) => known !== undefined,
    20_000,
  );
  expect(status, 'the answer to a long call beside them').toBe(200);
  for (const socket of [...hoarders, caller]) socket.cut();
}

/** A body of 4 MiB, the maximum, without its last byte. */
const STALLED_HEAD = HEAD.replace(/Content-Length: \d+/, 'Content-Length: 4194304');
const STALLED = STALLED_HEAD + ' '.repeat(4_194_303);
/** A call of another client with a body of 1 MiB. */
const MEGABYTE_CALL = modernRequest({
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x'.repeat(1_048_576) } },
});
/** A call takes a few milliseconds; the rest is for a busy machine. Without the defence, it takes ten seconds. */
const PROMPT_MS = isLong ? 500 : 5000;
/** Sequential: the first may arrive before the stalled bodies fill the memory. */
const CALLS_BESIDE_STALLED = 5;

/** Bodies that lack their last byte do not slow down the body of another client. */
async function expectPromptBeside(stalled: number, without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('slow-clients-http.mjs', { without });
  const caller = new McpSocket(child.port);
  await caller.ask(MEGABYTE_CALL);
  const stalling = Array.from({ length: stalled }, () => new McpSocket(child.port));
  for (const socket of stalling) void socket.ask(STALLED);
  await until(
    () => connectionsOf(child),
    (open) => open === stalled + 1,
  );
  // With a defence turned off, do not wait for the full timeout.
  const patienceMs = without.length > 0 ? 1000 : 20_000;
  const times: number[] = [];
  for (let call = 0; call < CALLS_BESIDE_STALLED && Math.max(0, ...times) <= PROMPT_MS; call += 1) {
    const start = performance.now();
    const reply = await within(caller.ask(MEGABYTE_CALL), patienceMs, 'no response beside stalled ones');
    times.push(performance.now() - start);
    expect(reply?.status, 'the response to a body of 1 MiB beside stalled ones').toBe(200);
  }
  for (const socket of [...stalling, caller]) socket.cut();
  expect(Math.max(...times), 'milliseconds of a body of 1 MiB beside stalled ones').toBeLessThanOrEqual(
    PROMPT_MS,
  );
}

async function connectionsOf(child: ChildServer): Promise<number> {
  return (await asked<{ connections: number }>(child, 'connections', 'connections')).connections;
}

/** The result of an attack. */
interface Attacked {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly slowest: number;
  readonly before: number;
  readonly after: number;
  readonly other: Served;
}

async function attack(
  child: ChildServer,
  slownesses: readonly Slowness[],
  patienceMs: number,
): Promise<Attacked> {
  const other = new OtherClient(child.port);
  await until(
    () => other.answered,
    (answered) => answered > 0,
  );
  const before = await connectionsOf(child);
  const clients = Array.from(
    { length: CLIENTS },
    (_, index) => new SlowClient(child.port, slownesses[index % slownesses.length] as Slowness),
  );
  let turn = 0;
  // In turns: a client that sends while its connection is closed cannot read the reason.
  const clock = setInterval(() => {
    turn += 1;
    for (let index = turn % TURNS; index < clients.length; index += TURNS) clients[index]?.goOn();
  }, EVERY_MS / TURNS);
  let left = clients.length;
  for (const client of clients) void client.isOver.then(() => (left -= 1));
  await until(
    () => left,
    (open) => open === 0,
    patienceMs,
  );
  clearInterval(clock);
  const after = await until(
    () => connectionsOf(child),
    (open) => open === before,
    left === 0 ? 5000 : 0,
  );
  const outcomes: Record<string, number> = {};
  for (const { outcome } of clients) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const slowest = Math.max(...clients.map(({ tookMs }) => tookMs));
  for (const client of clients) client.hangUp();
  return { outcomes, slowest, before, after, other: await other.stop() };
}

/** The attack with short timeouts; in the long form, with the defaults. */
async function expectAllClosed(
  without: readonly Weakness[],
  { slownesses, times, limitMs }: { slownesses: readonly Slowness[]; times: object; limitMs: number },
): Promise<void> {
  const child = await ChildServer.listen('slow-clients-http.mjs', {
    without,
    env: isLong ? {} : { TIMES: JSON.stringify(times) },
  });
  const idle = isLong ? await timesWhenIdle(child) : [];
  const patienceMs = isLong ? limitMs + 10_000 : without.length > 0 ? 2500 : 20_000;
  const { outcomes, slowest, before, after, other } = await attack(child, slownesses, patienceMs);
  const { [CUT_IN_SENDING]: cut = 0, ...told } = outcomes;
  expect(told, 'how the slow clients were let go').toEqual({ 408: CLIENTS - cut });
  expect(cut, 'slow clients that were cut in sending').toBeLessThan(CLIENTS / 2);
  expect(after, 'connections that are left').toBe(before);
  expect(other.wrong, 'calls of another client that went wrong').toEqual([]);
  expect(other.answered, 'calls of another client that were answered').toBeGreaterThan(10);
  if (!isLong) return;
  expect(slowest, 'milliseconds until the last slow client was let go').toBeLessThanOrEqual(limitMs);
  expect(p99(other.times), 'p99 of another client').toBeLessThanOrEqual(3 * p99(idle));
}

async function timesWhenIdle(child: ChildServer): Promise<readonly number[]> {
  const client = new OtherClient(child.port);
  await until(
    () => client.answered,
    (answered) => answered >= 1000,
    60_000,
  );
  return (await client.stop()).times;
}

promise('slow clients cost nothing', {
  timeoutMs: 120_000,
  checks: {
    'slow headers: 408 and closed': (without) =>
      expectAllClosed(without, {
        slownesses: SLOW_HEADERS,
        times: { headersTimeoutMs: 500, requestTimeoutMs: 60_000 },
        limitMs: 15_000,
      }),
    'slow bodies: 408 and closed': (without) =>
      expectAllClosed(without, {
        slownesses: SLOW_BODIES,
        times: { headersTimeoutMs: 500, requestTimeoutMs: 1000 },
        limitMs: 35_000,
      }),
    'long bodies that stall: other clients are served': expectOthersServed,
    'two stalled bodies of 4 MiB: another body is read promptly': (without) => expectPromptBeside(2, without),
    'twenty stalled bodies of 4 MiB: another body is read promptly': (without) =>
      expectPromptBeside(20, without),
    'by default a request has 10 s for its headers and 30 s in all': async (without) => {
      expect(HTTP_DEFAULTS.headersTimeoutMs).toBe(10_000);
      expect(HTTP_DEFAULTS.requestTimeoutMs).toBe(30_000);
      const child = await ChildServer.listen('slow-clients-http.mjs', { without });
      const times = await asked(child, 'times', 'headersTimeout');
      // Checked every 2 s: 12 s and 32 s at the latest.
      expect(times, 'the times of the server that listens').toEqual({
        headersTimeout: 10_000,
        requestTimeout: 30_000,
        connectionsCheckingInterval: 2000,
      });
    },
  },
  switches: [
    {
      defence: 'a timeout for headers',
      off: [{ module: 'transport/http/serve-http.js', defence: 'time-for-headers', by: '0' }],
      red: /how the slow clients were let go/,
      check: 'slow headers: 408 and closed',
    },
    {
      defence: 'a timeout for requests',
      off: [{ module: 'transport/http/serve-http.js', defence: 'time-for-requests', by: '0' }],
      red: /how the slow clients were let go/,
      check: 'slow bodies: 408 and closed',
    },
    {
      defence: 'the rejection of stalled bodies while others wait',
      off: [{ module: 'transport/http/message/reading-room.js', defence: 'refusal-of-stalled-bodies' }],
      red: /beside stalled ones/,
      check: 'twenty stalled bodies of 4 MiB: another body is read promptly',
    },
    {
      defence: 'default timeouts',
      off: [{ module: 'transport/http/serve-http.js', defence: 'time-for-headers', by: '0' }],
      red: /the times of the server that listens/,
      check: 'by default a request has 10 s for its headers and 30 s in all',
    },
  ],
});
