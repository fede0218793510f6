import { connect } from 'node:net';
import { expect } from 'vitest';
import { openSession } from '../protocol/support/legacy-http.ts';
import { modernRequest, RawHttp } from '../protocol/support/raw-http.ts';
import type { RawRequest } from '../protocol/support/raw-http.ts';
import { legacyMessage, modernMessage, textOf } from '../protocol/support/rpc.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { patienceFor, until, within } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';

/** Requests in flight, requests in flight of one caller, and waiting requests. */
const IN_FLIGHT = 256;
const PER_CALLER = 32;
const WAITING = 512;
/** Duration of the peak load, and of four times that load. */
const PEAK_S = isLong ? 10 : 2;
const OVERLOAD_S = isLong ? 30 : 4;
/** Minimum share of the peak throughput. */
const GOODPUT = isLong ? 0.8 : 0.5;
/** The default deadline of a call. */
const DEADLINE_MS = 50_000;
/** Rejected clients retry before `Retry-After`, after at most this time. */
const IMPATIENCE_MS = 1000;
const PATIENCE_MS = 20_000;
/** Without these defences, some requests wait for ever. */
const FOR_EVER = [
  'connections-that-wait',
  'limit-in-flight',
  'limit-of-waiting',
  'places-of-listeners',
  'look-at-who-has-gone',
  'end-to-waiting',
];

interface Overloaded {
  readonly child: ChildServer;
  readonly http: HttpCaller;
  readonly patienceMs: number;
}

interface StartOptions {
  readonly named?: boolean;
  readonly options?: object;
}

async function start(
  without: readonly Weakness[],
  { named = false, options = {} }: StartOptions = {},
): Promise<Overloaded> {
  const env = {
    // No request of these tests may be rejected because of its waiting time.
    HTTP_OPTIONS: JSON.stringify({ maxWaitMs: 2 * PATIENCE_MS, ...options }),
    ...(named ? { NAMED: 'yes' } : {}),
  };
  const child = await ChildServer.listen('overload-http.mjs', { without, env });
  const patienceMs = patienceFor(without, FOR_EVER, { ms: PATIENCE_MS, weakMs: 2000 });
  return { child, http: new HttpCaller(child.port), patienceMs };
}

function toCall(name: string, headers: RawRequest['headers'] = {}): RawRequest {
  return modernRequest(modernMessage('tools/call', { name, arguments: {} }), headers);
}

function many(count: number, send: (index: number) => Promise<Ended>): Promise<Ended>[] {
  return Array.from({ length: count }, (_, index) => send(index));
}

function hasText(ended: Ended, text: string): boolean {
  const answer = ended.loss === undefined && ended.status === 200 ? answerIn(ended) : undefined;
  return answer !== undefined && textOf(answer) === text;
}

/** Counters of the server. */
interface State {
  /** Running calls of `hold`. */
  readonly holding: number;
  /** Messages read. */
  readonly read: number;
  /** Responses with 503. */
  readonly refused: number;
}

function stateOf(child: ChildServer): Promise<State> {
  const heard = child.hear<State>('holding');
  child.process.send('state');
  return heard;
}

async function holdingIn(child: ChildServer): Promise<number> {
  return (await stateOf(child)).holding;
}

function isRefused({ status, headers }: Ended): boolean {
  return status === 503 && Number(headers['retry-after']) >= 1;
}

/** The calls that have ended so far. */
function collect(calls: readonly Promise<Ended>[]): Ended[] {
  const ended: Ended[] = [];
  for (const call of calls) void call.then((end) => ended.push(end));
  return ended;
}

/** Polls the health of a server. */
class Health {
  readonly statuses: number[] = [];
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(port: number) {
    this.#done = this.#ask(new HttpCaller(port, 1));
  }

  /** Number of requests, and the responses that did not report health. */
  async stop(): Promise<{ readonly asked: number; readonly others: readonly number[] }> {
    this.#isOver = true;
    await within(this.#done, PATIENCE_MS, 'health is not answered');
    return { asked: this.statuses.length, others: this.statuses.filter((status) => status !== 200) };
  }

  async #ask(http: HttpCaller): Promise<void> {
    while (!this.#isOver) {
      const { status } = await http.send({ method: 'GET', path: '/health' });
      this.statuses.push(status);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    http.close();
  }
}

/** The default limits. A check that must fail uses small ones, and fails sooner. */
function sharesFor(without: readonly Weakness[]): { inFlight: number; waiting: number; options: object } {
  if (without.length === 0) return { inFlight: IN_FLIGHT, waiting: WAITING, options: {} };
  return { inFlight: 16, waiting: 32, options: { maxInFlight: 16, maxWaiting: 32 } };
}

/** Calls of both eras that run until they are released. */
async function expectExactShares(without: readonly Weakness[]): Promise<void> {
  const { inFlight, waiting, options } = sharesFor(without);
  const { child, http, patienceMs } = await start(without, { options });
  const session = await openSession(new RawHttp(child.port));
  const refused = 232;
  const calls = many(inFlight + waiting + refused, (index) =>
    http.send(
      index % 4 === 0
        ? session.toPost(legacyMessage('tools/call', { name: 'hold', arguments: {} }))
        : toCall('hold'),
    ),
  );
  const ended = collect(calls);
  const health = new Health(child.port);
  const areRead = async (): Promise<boolean> => (await stateOf(child)).read >= calls.length;
  await until(areRead, PATIENCE_MS, 'all calls are read');
  const areRefused = async (): Promise<boolean> => (await stateOf(child)).refused >= refused;
  await until(areRefused, patienceMs, `${refused} calls are refused`);
  await until(() => ended.length >= refused, PATIENCE_MS, 'refusals arrive');
  expect(await holdingIn(child), 'calls that run').toBe(inFlight);
  expect(ended.filter((end) => !isRefused(end)).length, 'refusals that are no 503 with Retry-After').toBe(0);
  const { asked, others } = await health.stop();
  expect(others, `health, asked ${asked} times`).toEqual([]);
  child.process.send('release');
  const all = await within(Promise.all(calls), patienceMs, 'a call is never answered');
  expect(all.filter((end) => hasText(end, 'held')).length, 'calls that are served').toBe(inFlight + waiting);
  expect(all.filter(isRefused).length, 'calls that are refused').toBe(refused);
  const after = await Promise.all(many(inFlight, () => http.send(toCall('echo'))));
  expect(after.filter((end) => hasText(end, 'echo')).length, 'calls that are served afterwards').toBe(
    inFlight,
  );
  http.close();
}

/** As many as may run and wait. They are not lost while the server is busy: the operating system keeps them. */
async function expectConnectionsKept(without: readonly Weakness[]): Promise<void> {
  const { child, patienceMs } = await start(without);
  child.process.kill('SIGSTOP');
  let kept = 0;
  const sockets = Array.from({ length: IN_FLIGHT + WAITING }, () =>
    connect(child.port, '127.0.0.1').once('connect', () => (kept += 1)),
  );
  try {
    await until(() => kept === sockets.length, patienceMs, 'connections are kept while the server is busy');
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function expectRoomForOthers(without: readonly Weakness[]): Promise<void> {
  const { child, http, patienceMs } = await start(without, { named: true });
  const calls = many(100, () => http.send(toCall('hold', { 'X-User': 'ada' })));
  await until(async () => (await holdingIn(child)) >= PER_CALLER, PATIENCE_MS, 'calls begin');
  const echoed = within(
    http.send(toCall('echo', { 'X-User': 'bob' })),
    patienceMs,
    'another caller is not served',
  );
  expect(hasText(await echoed, 'echo'), 'another caller is served').toBe(true);
  expect(await holdingIn(child), 'calls of one caller that run').toBe(PER_CALLER);
  child.process.send('release');
  const all = await within(Promise.all(calls), patienceMs, 'a call is never answered');
  expect(all.filter((end) => hasText(end, 'held')).length, 'calls of one caller that are served').toBe(100);
  http.close();
}

/** Idle streams use no capacity, and must not block other clients. */
async function expectRoomBesideListeners(without: readonly Weakness[]): Promise<void> {
  const { inFlight, options } = sharesFor(without);
  const { child, http, patienceMs } = await start(without, { options });
  const params = { notifications: { resourcesListChanged: true } };
  const listen = (): RawRequest => modernRequest(modernMessage('subscriptions/listen', params));
  const streams = many(inFlight + 44, () => http.send(listen(), { part: 'first' }));
  const begun = await within(Promise.all(streams), patienceMs, 'not all who want to listen can');
  expect(begun.filter(({ text }) => text.includes('acknowledged')).length, 'those who listen').toBe(
    inFlight + 44,
  );
  for (let index = 0; index < 10; index += 1) {
    const { headers } = await openSession(new RawHttp(child.port));
    const stream = { method: 'GET', headers: { ...headers, Accept: 'text/event-stream' } };
    await within(http.send(stream, { part: 'first' }), patienceMs, 'not all who want to listen can');
  }
  const calls = many(inFlight, () => http.send(toCall('hold')));
  const isFull = async (): Promise<boolean> => (await holdingIn(child)) === inFlight;
  await until(isFull, patienceMs, 'calls that run beside those who listen');
  child.process.send('release');
  await within(Promise.all(calls), patienceMs, 'a call is never answered');
  http.close();
}

/** Disconnected clients must not block later ones. */
async function expectPlacesBack(without: readonly Weakness[]): Promise<void> {
  const { child, http, patienceMs } = await start(without, { options: { maxInFlight: 4, maxWaiting: 8 } });
  const calls = many(4, () => http.send(toCall('hold')));
  await until(async () => (await holdingIn(child)) === 4, PATIENCE_MS, 'calls begin');
  const impatient = new HttpCaller(child.port);
  const gone = collect(many(9, () => impatient.send(toCall('hold'))));
  await until(() => gone.length === 1, PATIENCE_MS, 'as many wait as may');
  impatient.close();
  await until(() => gone.length === 9, PATIENCE_MS, 'those who wait have gone');
  const isFree = async (): Promise<boolean> => {
    const probe = new HttpCaller(child.port);
    const first = await Promise.race([probe.send(toCall('echo')), pause(200)]);
    probe.close();
    return first === undefined;
  };
  await until(isFree, patienceMs, 'a place of those who have gone');
  child.process.send('release');
  await within(Promise.all(calls), patienceMs, 'a call is never answered');
  http.close();
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}

async function expectEndOfWaiting(without: readonly Weakness[]): Promise<void> {
  const options = { maxInFlight: 4, maxWaitMs: 300 };
  const { child, http, patienceMs } = await start(without, { options });
  const calls = many(4, () => http.send(toCall('hold')));
  await until(async () => (await holdingIn(child)) === 4, PATIENCE_MS, 'calls begin');
  const late = await within(http.send(toCall('echo')), patienceMs, 'a call waits for ever');
  expect(isRefused(late), `a call that has waited too long: ${late.status} ${late.text}`).toBe(true);
  child.process.send('release');
  await within(Promise.all(calls), patienceMs, 'a call is never answered');
  http.close();
}

/** One call of the load, and its duration. */
interface Done {
  readonly end: Ended;
  readonly ms: number;
}

/** The tool that clients call, and the number of clients that keeps the server busy. */
interface Load {
  readonly tool: string;
  readonly clients: number;
}

/** Clients that call again as soon as they get a response, for this time. */
async function run(port: number, { tool, clients }: Load, seconds: number): Promise<readonly Done[]> {
  const http = new HttpCaller(port);
  const done: Done[] = [];
  const end = performance.now() + seconds * 1000;
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      const since = performance.now();
      const ended = await http.send(toCall(tool));
      done.push({ end: ended, ms: performance.now() - since });
      // Not all at the same time.
      if (ended.status !== 200) await pause((done.length * 617) % IMPATIENCE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, call));
  await within(all, seconds * 1000 + DEADLINE_MS, 'a client is never answered');
  http.close();
  return done;
}

const isServed = ({ end }: Done): boolean => hasText(end, 'done');

/** The calls of a load, and how many of them were served in a second. */
interface Run {
  readonly done: readonly Done[];
  readonly rate: number;
}

/** The short form counts seconds of the CPU time of the server: it runs beside other tests, which use a varying part of the machine. */
async function measure(child: ChildServer, load: Load, seconds: number): Promise<Run> {
  const { cpuMicros: before } = await child.usage();
  const done = await run(child.port, load, seconds);
  const { cpuMicros: after } = await child.usage();
  return { done, rate: done.filter(isServed).length / (isLong ? seconds : (after - before) / 1e6) };
}

async function expectGoodput(without: readonly Weakness[], load: Load): Promise<readonly Done[]> {
  const { child } = await start(without, { options: { maxWaitMs: 10_000 } });
  await run(child.port, { ...load, clients: 16 }, 1);
  const { rate: peak } = await measure(child, load, PEAK_S);
  const health = new Health(child.port);
  const overload = { ...load, clients: 4 * load.clients };
  const { done, rate: goodput } = await measure(child, overload, OVERLOAD_S);
  const { asked, others } = await health.stop();
  const served = done.filter(isServed);
  const refused = done.filter(({ end }) => isRefused(end));
  const said = `${Math.round(goodput)} of ${Math.round(peak)} a second, ${refused.length} refused`;
  expect(goodput / peak, `what is left of the peak: ${said}`).toBeGreaterThanOrEqual(GOODPUT);
  const neither = done.filter((call) => !isServed(call) && !isRefused(call.end));
  expect(
    neither.map(({ end: { loss, status, text } }) => loss ?? `${status} ${text.slice(0, 300)}`),
    'calls that were neither served nor refused',
  ).toEqual([]);
  expect(others, `health, asked ${asked} times`).toEqual([]);
  if (isLong) expect(quantile(served, 0.99), 'the slowest of those served').toBeLessThan(2 * DEADLINE_MS);
  const http = new HttpCaller(child.port);
  const since = performance.now();
  const isWell = async (): Promise<boolean> => hasText(await http.send(toCall('echo')), 'echo');
  await until(isWell, PATIENCE_MS, 'all is served afterwards');
  if (isLong) expect(performance.now() - since, 'how long recovery takes').toBeLessThan(5000);
  http.close();
  return refused;
}

/** Calls that wait for an upstream server, which leaves time for rejections. */
async function expectQuickRefusals(without: readonly Weakness[]): Promise<void> {
  const refused = await expectGoodput(without, { tool: 'work', clients: IN_FLIGHT });
  if (!isLong) return;
  // On a busy machine the clients may be too slow to overload the server; the exact number of rejections is tested above.
  expect(refused.length, 'calls that are refused').toBeGreaterThan(0);
  expect(quantile(refused, 0.5), 'the median time of a refusal').toBeLessThan(50);
}

function quantile(done: readonly Done[], part: number): number {
  const sorted = done.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}

const BURST = 'a burst of connections waits until the server accepts them';

promise('Overload is shed', {
  checks: {
    'the limits are exact, and further requests are rejected immediately': expectExactShares,
    [BURST]: expectConnectionsKept,
    'one caller leaves capacity for others': expectRoomForOthers,
    'subscriptions use no capacity': expectRoomBesideListeners,
    'a client that disconnects while waiting frees its slot': expectPlacesBack,
    'every wait ends': expectEndOfWaiting,
    'four times the load of waiting calls keeps most of the peak throughput': expectQuickRefusals,
    'four times too many clients that keep it busy leave most of the peak': async (without) => {
      await expectGoodput(without, { tool: 'compute', clients: 64 });
    },
  },
  switches: [
    {
      defence: 'a limit of requests in flight',
      off: [{ module: 'transport/http/gate/admission.js', defence: 'limit-in-flight' }],
      red: /232 calls are refused/,
    },
    {
      defence: 'a limit of waiting requests',
      off: [{ module: 'transport/http/gate/admission.js', defence: 'limit-of-waiting' }],
      red: /232 calls are refused/,
    },
    {
      defence: 'Retry-After',
      off: [{ module: 'transport/http/message/response-headers.js', defence: 'retry-after', by: '{}' }],
      red: /refusals that are no 503 with Retry-After/,
    },
    {
      defence: 'a long queue of connections',
      off: [{ module: 'transport/http/serve-http.js', defence: 'connections-that-wait', by: '511' }],
      check: BURST,
      red: /connections are kept while the server is busy/,
    },
    {
      defence: 'a limit for each caller',
      off: [
        { module: 'transport/http/gate/admission.js', defence: 'limit-for-each-caller', by: 'return true;' },
      ],
      check: 'one caller leaves capacity for others',
      red: /another caller is not served|calls of one caller that run/,
    },
    {
      defence: 'separate limits for subscriptions',
      off: [{ module: 'transport/http/mcp-endpoint.js', defence: 'places-of-listeners' }],
      check: 'subscriptions use no capacity',
      red: /not all who want to listen can|calls that run beside those who listen/,
    },
    {
      defence: 'detection of disconnected clients',
      off: [{ module: 'transport/http/gate/admission.js', defence: 'look-at-who-has-gone' }],
      check: 'a client that disconnects while waiting frees its slot',
      red: /a place of those who have gone/,
    },
    {
      defence: 'the maximum wait',
      off: [{ module: 'transport/http/gate/admission.js', defence: 'end-to-waiting', by: '() => {}' }],
      check: 'every wait ends',
      red: /a call waits for ever/,
    },
  ],
  timeoutMs: 180_000,
});
