import { expect } from 'vitest';
import { openSession } from '../protocol/support/legacy-http.ts';
import { JSON_HEADERS, modernRequest, RawHttp } from '../protocol/support/raw-http.ts';
import type { RawRequest } from '../protocol/support/raw-http.ts';
import {
  initializeMessage,
  legacyMessage,
  modernMessage,
  notification,
  textOf,
} from '../protocol/support/rpc.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller, messagesIn } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { patienceFor, until, within } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';

const CLIENTS = 100;
const REPEATS = isLong ? 5 : 2;
/** Streams that only subscribe: of 2026-07-28, and of a session. */
const LISTENERS = 10;
/** Clients of 2024-11-05 with a call each. */
const OLD_CLIENTS = 5;
/** `drainMs` of the app; no call takes longer than a second, and the rest is for a busy machine. */
const DRAIN_MS = isLong ? 5000 : 15_000;
/** With a defence turned off, the server takes this time. */
const WEAK_DRAIN_MS = 5000;
/** Time for which the server continues to serve while others take over. */
const READY_DELAY_MS = isLong ? 2000 : 1000;
const PATIENCE_MS = 20_000;
const WEAK_PATIENCE_MS = 2000;

/** One call, and its end as the client sees it. */
interface Made {
  readonly id: string;
  readonly ended: Ended;
}

/** Clients that call until they are stopped or rejected. */
class Crowd {
  readonly #http: HttpCaller;
  readonly made: Made[] = [];
  readonly #maxMs: number;
  #isOver = false;
  #next = 0;
  #fail: () => void = () => {};
  /** Resolves when one client gets no result. */
  readonly failed: Promise<void>;
  readonly done: Promise<unknown>;

  constructor(port: number, maxMs: number) {
    this.#http = new HttpCaller(port);
    this.#maxMs = maxMs;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    this.done = Promise.all(Array.from({ length: CLIENTS }, (_, index) => this.#callAgain(index)));
  }

  stop(): void {
    this.#isOver = true;
  }

  close(): void {
    this.#http.close();
  }

  async #callAgain(index: number): Promise<void> {
    while (!this.#isOver) {
      const ended = await this.#call(index);
      if (hasResult(ended)) continue;
      this.#fail();
      // The server is gone.
      return;
    }
  }

  /** Every fifth client gets a notification before its response, so that the response is a stream. */
  async #call(index: number): Promise<Ended> {
    const id = `call-${this.#next}`;
    this.#next += 1;
    const args = { ms: 200 + ((this.#next * 37) % (this.#maxMs - 200)) };
    const name = index % 5 === 0 ? 'tell' : 'wait';
    const meta = index % 5 === 0 ? { progressToken: id } : {};
    const message = modernMessage('tools/call', { name, arguments: args }, { meta });
    const ended = await this.#http.send(modernRequest(message, { 'X-Call': id }));
    this.made.push({ id, ended });
    return ended;
  }
}

function isAnswered({ loss, status, text }: Ended): boolean {
  return loss === undefined && status !== 0 && text !== '';
}

function hasResult(ended: Ended): boolean {
  const answer = loss(ended) === '' ? answerIn(ended) : undefined;
  return answer !== undefined && textOf(answer) === 'done';
}

function loss({ loss: why, status }: Ended): string {
  return why ?? (status === 200 ? '' : String(status));
}

/** An open stream. */
interface Listening {
  readonly end: Promise<Ended>;
}

/** Streams that only subscribe: open ones, and promises of their ends. */
interface Listeners {
  readonly modern: readonly Listening[];
  readonly legacy: readonly Listening[];
}

async function openListeners(port: number): Promise<Listeners> {
  const http = new HttpCaller(port);
  const modern: Listening[] = [];
  const legacy: Listening[] = [];
  for (let id = 0; id < LISTENERS; id += 1) {
    const params = { notifications: { resourcesListChanged: true } };
    modern.push(await listen(http, modernRequest(modernMessage('subscriptions/listen', params, { id }))));
    const { headers } = await openSession(new RawHttp(port));
    legacy.push(await listen(http, { method: 'GET', headers: { ...headers, Accept: 'text/event-stream' } }));
  }
  return { modern, legacy };
}

async function listen(http: HttpCaller, request: RawRequest): Promise<Listening> {
  return within(
    new Promise((resolve) => {
      const end = http.send(request, { onPart: () => resolve({ end }) });
    }),
    PATIENCE_MS,
    'a stream begins',
  );
}

/** A client of 2024-11-05 that has made a call: the stream for its response. */
async function openOld(http: HttpCaller, index: number): Promise<Listening> {
  let path = '';
  const stream = { method: 'GET', path: '/sse', headers: { Accept: 'text/event-stream' } };
  const end = http.send(stream, {
    onPart: (text) => {
      path ||= /^data: (.*)$/m.exec(text)?.[1] ?? '';
    },
  });
  await until(() => path !== '', PATIENCE_MS, 'a stream of 2024-11-05 begins');
  const call = legacyMessage('tools/call', { name: 'wait', arguments: { ms: 1000 } }, `old-${index}`);
  for (const body of [initializeMessage('2024-11-05'), notification('notifications/initialized'), call])
    await http.send({ path, headers: JSON_HEADERS, body });
  return { end };
}

/** Number of calls that the server has read. */
async function countIn(child: ChildServer): Promise<number> {
  const heard = child.hear<{ count: number }>('count');
  child.process.send('count');
  return (await heard).count;
}

/** Reasons for missing responses, counted. */
function tally(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** Requests that the server has read, and the number of them before SIGTERM. */
interface Seen {
  readonly seen: readonly string[];
  readonly seenBefore: number;
}

async function expectDrained(without: readonly Weakness[]): Promise<void> {
  const drainMs = without.length > 0 ? WEAK_DRAIN_MS : DRAIN_MS;
  const child = await ChildServer.listen('drain-http.mjs', {
    without,
    env: { HTTP_OPTIONS: JSON.stringify({ drainMs, sse: true }) },
  });
  const listeners = await openListeners(child.port);
  const oldHttp = new HttpCaller(child.port);
  const old = await Promise.all(Array.from({ length: OLD_CLIENTS }, (_, index) => openOld(oldHttp, index)));
  const crowd = new Crowd(child.port, 1000);
  const isBusy = async (): Promise<boolean> => (await countIn(child)) >= CLIENTS;
  await until(isBusy, PATIENCE_MS, `${CLIENTS} calls were read`);
  const heard = child.hear<Seen>('seen');
  const since = performance.now();
  child.process.kill('SIGTERM');
  const { code, signal } = await within(child.ended, PATIENCE_MS, 'the process does not end by itself');
  const tookMs = performance.now() - since;
  crowd.stop();
  await within(crowd.done, PATIENCE_MS, 'a client waits for ever');
  crowd.close();
  expectAnswered(crowd.made, await heard);
  await expectGracefulEnds(listeners);
  const answers = await Promise.all(old.map(async ({ end }) => answerIn(await end)));
  expect(
    answers.map((answer) => [answer?.id, answer === undefined ? '' : textOf(answer)]),
    'the answers to clients of 2024-11-05',
  ).toEqual(Array.from({ length: OLD_CLIENTS }, (_, index) => [`old-${index}`, 'done']));
  expect(`${code} ${signal}`, `how the process ended; ${child.stderr}`).toBe('0 null');
  if (isLong) expect(tookMs, 'how long the process takes to end').toBeLessThan(DRAIN_MS);
}

/** Every request that was read has a response, and a result if it was read in time. */
function expectAnswered(made: readonly Made[], { seen, seenBefore }: Seen): void {
  const ends = new Map(made.map(({ id, ended }) => [id, ended]));
  const endOf = (id: string): Ended => ends.get(id) ?? NEVER;
  const before = seen.slice(0, seenBefore).map(endOf);
  expect(before.length, 'requests that were read before SIGTERM').toBeGreaterThanOrEqual(CLIENTS);
  const lost = before.filter((ended) => !hasResult(ended)).map(loss);
  expect(tally(lost), 'requests read before SIGTERM that have no result').toEqual({});
  const unanswered = seen.map(endOf).filter((ended) => !isAnswered(ended));
  expect(tally(unanswered.map(loss)), 'requests that were read and not answered').toEqual({});
}

const NEVER: Ended = { status: 0, headers: {}, text: '', loss: 'never ended' };

/** The result that the specification defines for a server that closes, and streams that end and are not cut. */
async function expectGracefulEnds({ modern, legacy }: Listeners): Promise<void> {
  const ends = await within(
    Promise.all([...modern, ...legacy].map(({ end }) => end)),
    PATIENCE_MS,
    'a stream does not end',
  );
  expect(tally(ends.map(loss)), 'how streams of those who listen end').toEqual({ '': 2 * LISTENERS });
  const last = ends.slice(0, LISTENERS).map((end) => messagesIn(end).at(-1));
  expect(
    last.map((message) => ({
      id: message?.id,
      type: message?.result?.resultType,
      subscription: message?.result?._meta?.['io.modelcontextprotocol/subscriptionId'],
    })),
    'the last message to those who listen',
  ).toEqual(Array.from({ length: LISTENERS }, (_, id) => ({ id, type: 'complete', subscription: id })));
}

/** Until it closes, the server accepts requests and responds with `Connection: close`; only its health reports the shutdown. */
async function expectNotice(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('drain-http.mjs', {
    without,
    env: { HTTP_OPTIONS: JSON.stringify({ readyDelayMs: PATIENCE_MS }) },
  });
  const http = new HttpCaller(child.port, 1);
  const health = (): Promise<Ended> => http.send({ method: 'GET', path: '/health' });
  expect(await health(), 'health before SIGTERM').toMatchObject({ status: 200 });
  child.process.kill('SIGTERM');
  const times = { ms: PATIENCE_MS, weakMs: WEAK_PATIENCE_MS };
  const patienceMs = patienceFor(without, ['notice-before-closing'], times);
  await until(async () => (await health()).status === 503, patienceMs, 'health says that the server leaves');
  for (const name of ['wait', 'tell']) {
    const meta = { progressToken: name };
    const message = modernMessage('tools/call', { name, arguments: { ms: 1 } }, { meta });
    const ended = await http.send(modernRequest(message));
    expect(hasResult(ended), `a call while the server leaves: ${ended.text}`).toBe(true);
    expect(ended.headers['connection'], 'what an answer says of its connection').toBe('close');
  }
  http.close();
}

/** Subscribed clients reconnect when their stream ends; the shutdown must not wait for them. */
async function expectNobodyHoldsItUp(without: readonly Weakness[]): Promise<void> {
  // Long enough to subscribe again on a busy machine.
  const options = { readyDelayMs: 3000, drainMs: 2 * PATIENCE_MS };
  const child = await ChildServer.listen('drain-http.mjs', {
    without,
    env: { HTTP_OPTIONS: JSON.stringify(options) },
  });
  const http = new HttpCaller(child.port);
  await http.send({ method: 'GET', path: '/health' });
  const { headers } = await openSession(new RawHttp(child.port));
  const stream = { method: 'GET', headers: { ...headers, Accept: 'text/event-stream' } };
  const message = modernMessage('subscriptions/listen', { notifications: { resourcesListChanged: true } });
  const listening = await Promise.all([listen(http, stream), listen(http, modernRequest(message))]);
  child.process.kill('SIGTERM');
  await within(Promise.all(listening.map(({ end }) => end)), PATIENCE_MS, 'a stream does not end');
  const again = [http.send(stream), http.send(modernRequest(message))];
  const patienceMs = without.length > 0 ? options.readyDelayMs + WEAK_PATIENCE_MS : PATIENCE_MS;
  const { code, signal } = await within(child.ended, patienceMs, 'those who listen hold it up');
  expect(`${code} ${signal}`, `how the process ended; ${child.stderr}`).toBe('0 null');
  const ends = await within(Promise.all(again), PATIENCE_MS, 'a stream does not end');
  expect(
    ends.map(({ loss: why }) => why),
    'how streams of those who come back end',
  ).toEqual([undefined, undefined]);
  http.close();
}

/** Two processes share a port; both are replaced, one after the other. */
async function expectRollingRestart(without: readonly Weakness[]): Promise<void> {
  const options = { drainMs: DRAIN_MS, readyDelayMs: READY_DELAY_MS };
  const child = await ChildServer.listen('drain-http.mjs', {
    without,
    env: { HTTP_OPTIONS: JSON.stringify(options), WORKERS: '2' },
  });
  const crowd = new Crowd(child.port, 600);
  await until(() => crowd.made.length >= CLIENTS, PATIENCE_MS, `${CLIENTS} calls were answered`);
  const heard = child.hear<{ codes: string[] }>('codes');
  child.process.send('restart');
  const restarted = within(heard, 2 * PATIENCE_MS, 'the workers are not replaced');
  await Promise.race([restarted, crowd.failed]);
  crowd.stop();
  await within(crowd.done, PATIENCE_MS, 'a client waits for ever');
  crowd.close();
  const errors = crowd.made.filter(({ ended }) => !hasResult(ended)).map(({ ended }) => loss(ended));
  expect(tally(errors), `errors that clients saw, of ${crowd.made.length} calls`).toEqual({});
  const { codes } = await restarted;
  expect(codes, 'how the workers ended').toEqual(['0 null', '0 null']);
}

async function repeat(check: () => Promise<void>, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await check();
}

promise('Every request that was read is answered on SIGTERM', {
  checks: {
    '100 clients in flight, and some subscriptions': (without) =>
      repeat(() => expectDrained(without), without.length > 0 ? 1 : REPEATS),
    'requests before it closes are served': expectNotice,
    'reconnecting subscribers do not delay it': expectNobodyHoldsItUp,
    'clients do not notice the replacement of two workers': expectRollingRestart,
  },
  switches: [
    {
      defence: 'waiting for responses',
      off: [
        {
          module: 'transport/http/gate/open-requests.js',
          defence: 'drain-of-requests',
          by: 'return Promise.resolve();',
        },
      ],
      red: /requests read before SIGTERM that have no result/,
    },
    {
      defence: 'the end of subscriptions',
      off: [{ module: 'wire/methods/subscriptions.js', defence: 'end-for-listeners', by: '[]' }],
      red: /the last message to those who listen/,
    },
    {
      defence: 'the end of reconnecting subscriptions',
      off: [{ module: 'transport/http/legacy/legacy-endpoint.js', defence: 'end-for-who-comes-back' }],
      check: 'reconnecting subscribers do not delay it',
      red: /those who listen hold it up/,
    },
    {
      defence: 'notice before it closes',
      off: [{ module: 'transport/http/serve-http.js', defence: 'notice-before-closing' }],
      check: 'requests before it closes are served',
      // Open connections are still served.
      red: /health says that the server leaves|a call while the server leaves/,
    },
    {
      defence: 'Connection: close on every answer',
      off: [{ module: 'transport/http/faces/node-face.js', defence: 'connection-close' }],
      check: 'requests before it closes are served',
      red: /what an answer says of its connection/,
    },
  ],
  timeoutMs: 120_000,
});
