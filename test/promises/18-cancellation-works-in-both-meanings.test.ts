import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { CallEvents } from './support/call-events.ts';
import { Chance, SEED } from './support/chance.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { JsonLines } from './support/json-lines.ts';
import {
  legacyDelete,
  legacyListen,
  legacyMessage,
  legacyNotification,
  legacyRequest,
  modernMessage,
  modernRequest,
  openSession,
} from './support/mcp-requests.ts';
import type { Asked } from './support/mcp-requests.ts';
import { bodyUntilNow, lastEventId, McpSocket, messagesOf } from './support/mcp-socket.ts';
import type { Json } from './support/mcp-socket.ts';
import { patienceFor } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';
import { until } from '../support/until.ts';

const CALLS = 1000;
/** Number of concurrent clients. */
const CLIENTS = 50;
/** Time until a handler is told to stop. */
const PATIENCE = { ms: 30_000, weakMs: 1000 };
const SEEDED = `(seed ${SEED})`;
const HANGING_UP = ['destroy', 'reset', 'end'] as const;

function toCall(key: string, isTold: boolean, id: string | number = 1): Asked {
  return {
    method: 'tools/call',
    id,
    params: { name: 'wait', arguments: { key, isTold } },
    progressToken: key,
  };
}

/** Sockets, timers and other handles that keep a process alive. */
async function resourcesOf(child: ChildServer): Promise<string> {
  return [...(await child.usage()).resources].sort().join(' ');
}

/** Resources of the idle server, which must be the only ones left at the end. */
async function warmUp(child: ChildServer): Promise<string> {
  const socket = new McpSocket(child.port);
  const asked = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'warm' } } };
  expect((await socket.ask(modernRequest(asked)))?.status, 'the status of a first call').toBe(200);
  socket.cut();
  await socket.closed;
  return until(
    () => resourcesOf(child),
    (resources) => !resources.includes('TCPSocketWrap'),
  );
}

async function expectNothingLeft(child: ChildServer, events: CallEvents, idle: string): Promise<void> {
  const { running } = await until(
    () => events.counts(),
    (counts) => counts.running === 0,
  );
  expect(running, 'calls that still run').toBe(0);
  const left = await until(
    () => resourcesOf(child),
    (resources) => resources === idle,
  );
  expect(left, 'sockets and timers that are left').toBe(idle);
}

/** 2026-07-28 over HTTP: closing the connection cancels the request. */
async function hangUpCancels(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('cancellable-http.mjs', { without });
  const events = new CallEvents(child);
  const idle = await warmUp(child);
  const patienceMs = patienceFor(without, ['end-with-the-connection'], PATIENCE);
  const sockets: McpSocket[] = [];
  const times: number[] = [];
  let left = CALLS;
  let notAborted = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const chance = new Chance(SEED + client);
      while (left > 0 && notAborted === 0) {
        left -= 1;
        const key = `modern ${left}`;
        const socket = new McpSocket(child.port);
        sockets.push(socket);
        socket.send(modernRequest(toCall(key, chance.happens(0.5))));
        await events.began(key);
        await sleep(chance.below(20));
        socket.cut(chance.pick(HANGING_UP));
        const cutAt = performance.now();
        const stoppedAt = await events.stopped(key, patienceMs);
        if (stoppedAt === undefined) notAborted += 1;
        else times.push(stoppedAt - cutAt);
      }
    }),
  );
  expect(notAborted, `calls whose handler was not told to stop ${SEEDED}`).toBe(0);
  expect(times.length, 'handlers that were told to stop').toBe(1000);
  await cutBeforeTheyBegin(child, sockets);
  const { started, aborted, finished } = await until(
    () => events.counts(),
    (counts) => counts.running === 0,
  );
  expect(aborted, 'handlers that were told to stop, of those that began').toBe(started);
  expect(finished, 'handlers that ran to their end').toBe(0);
  const after = sockets.filter(({ received }) => received.includes('after'));
  expect(after.length, 'clients that heard something after they had hung up').toBe(0);
  await expectNothingLeft(child, events, idle);
  if (isLong) expect(Math.max(...times), 'milliseconds until a handler was told').toBeLessThanOrEqual(1000);
}

/** Connections closed so early that some of the requests were never read. */
async function cutBeforeTheyBegin(child: ChildServer, sockets: McpSocket[]): Promise<void> {
  const chance = new Chance();
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const socket = new McpSocket(child.port);
      sockets.push(socket);
      await sleep(chance.below(200));
      socket.send(modernRequest(toCall(`early ${index}`, chance.happens(0.5))));
      await sleep(chance.below(10));
      socket.cut(chance.pick(HANGING_UP));
      await socket.closed;
    }),
  );
}

/** A call of 2025-11-25 whose client has disconnected. */
interface Cut {
  readonly session: string;
  readonly key: string;
  /** Last event id, if the response was a stream. */
  readonly last: string | undefined;
}

/** 2025-11-25 over HTTP: closing the connection does not cancel. */
async function hangUpDoesNotCancel(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('cancellable-http.mjs', { without });
  const events = new CallEvents(child);
  const idle = await warmUp(child);
  const sessions = await openSessions(child);
  const chance = new Chance();
  let replayed = 0;
  for (let round = 0; round * 100 < CALLS; round += 1) {
    const cuts = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const session = sessions[index % CLIENTS] ?? '';
        return callAndHangUp({ child, events, chance, session, key: `${round}-${index}` });
      }),
    );
    // By then the server knows that the client has disconnected.
    await until(
      () => resourcesOf(child),
      (resources) => !resources.includes('TCPSocketWrap'),
    );
    expect((await events.counts()).aborted, `calls that were taken back by hanging up ${SEEDED}`).toBe(0);
    events.release();
    await until(
      () => events.counts(),
      ({ running }) => running === 0,
    );
    const streams = cuts.filter(({ last }) => last !== undefined);
    const answers = await Promise.all(streams.slice(0, isLong ? 100 : 20).map((cut) => comeBack(child, cut)));
    expect(
      answers.filter((answer) => answer !== 'replayed'),
      'answers that were not replayed',
    ).toEqual([]);
    replayed += answers.length;
  }
  const { finished, aborted } = await events.counts();
  expect(finished, 'handlers that ran to their end').toBe(1000);
  expect(aborted, 'handlers that were told to stop').toBe(0);
  expect(replayed, 'answers that were replayed').toBeGreaterThanOrEqual(100);
  await leave(child, sessions);
  await expectNothingLeft(child, events, idle);
}

async function openSessions(child: ChildServer): Promise<string[]> {
  const socket = new McpSocket(child.port);
  const sessions: string[] = [];
  for (let count = 0; count < CLIENTS; count += 1) sessions.push(await openSession(socket));
  socket.cut();
  return sessions;
}

async function leave(child: ChildServer, sessions: readonly string[]): Promise<void> {
  const socket = new McpSocket(child.port);
  for (const session of sessions) await socket.ask(legacyDelete(session));
  socket.cut();
}

interface LegacyCall {
  readonly child: ChildServer;
  readonly events: CallEvents;
  readonly chance: Chance;
  readonly session: string;
  readonly key: string;
}

async function callAndHangUp({ child, events, chance, session, key }: LegacyCall): Promise<Cut> {
  const isTold = chance.happens(0.5);
  const socket = new McpSocket(child.port);
  socket.send(legacyRequest(session, toCall(key, isTold, key)));
  await events.began(key);
  if (isTold) await socket.heard(/^data: \{/m);
  await sleep(chance.below(20));
  const last = lastEventId(bodyUntilNow(socket.received));
  socket.cut(chance.pick(['destroy', 'reset']));
  await socket.closed;
  return { session, key, last };
}

/** Resumes a stream; it must contain the response, and nothing else. */
async function comeBack(child: ChildServer, { session, key, last }: Cut): Promise<string> {
  const socket = new McpSocket(child.port);
  const reply = await Promise.race([socket.ask(legacyListen(session, last)), sleep(PATIENCE.ms, undefined)]);
  socket.cut();
  const [answer, ...rest] = messagesOf(reply?.body ?? '');
  const { content } = (answer?.['result'] ?? {}) as { content?: readonly { text: string }[] };
  const isRight = answer?.['id'] === key && content?.[0]?.text === `finished ${key}` && rest.length === 0;
  return isRight ? 'replayed' : `${key}: ${reply?.body ?? 'nothing'}`;
}

/** 2025-11-25 over HTTP: a notification cancels a request. */
async function notificationCancels(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('cancellable-http.mjs', { without });
  const events = new CallEvents(child);
  const idle = await warmUp(child);
  const sessions = await openSessions(child);
  const patienceMs = patienceFor(without, ['cancellation'], PATIENCE);
  const said = await Promise.all(
    sessions.map(async (session, index) => {
      const chance = new Chance(SEED + index);
      const [socket, other] = [new McpSocket(child.port), new McpSocket(child.port)];
      const cancel = (requestId: unknown): Promise<unknown> =>
        other.ask(legacyNotification(session, 'notifications/cancelled', { requestId, reason: 'enough' }));
      const key = `cancelled ${index}`;
      // An unknown id must not affect a later request.
      await cancel(key);
      const reply = socket.ask(legacyRequest(session, toCall(key, chance.happens(0.5), key)));
      await events.began(key);
      await sleep(chance.below(20));
      await cancel(key);
      await cancel(key);
      await events.stopped(key, patienceMs);
      if (!events.hasStopped(key)) events.release(key);
      const body = (await reply)?.body ?? '';
      socket.cut();
      other.cut();
      return messagesOf(body)
        .map((message) => JSON.stringify(message))
        .filter((text) => !text.includes('begun'));
    }),
  );
  expect((await events.counts()).aborted, 'handlers that were told to stop by a notification').toBe(CLIENTS);
  expect(said.flat(), 'messages after a cancellation').toEqual([]);
  await leave(child, sessions);
  await expectNothingLeft(child, events, idle);
}

/** Kinds of cancellation over stdio. */
type Way = 'cancelled' | 'twice' | 'at once' | 'before' | 'finished' | 'other id' | 'race';
const WAYS: readonly [Way, ...Way[]] = [
  'cancelled',
  'cancelled',
  'twice',
  'at once',
  'before',
  'finished',
  'other id',
  'race',
];

/** One client over stdio, and the messages it may receive. */
class StdioCalls {
  readonly #lines: JsonLines;
  readonly #events: CallEvents;
  readonly #toMessage: (asked: Asked) => string;
  readonly #patienceMs: number;
  readonly ways = new Map<string | number, Way>();
  /** Calls whose handler was not stopped. */
  readonly notStopped: string[] = [];

  constructor(
    { lines, events }: { lines: JsonLines; events: CallEvents },
    toMessage: (asked: Asked) => string,
    patienceMs: number,
  ) {
    this.#lines = lines;
    this.#events = events;
    this.#toMessage = toMessage;
    this.#patienceMs = patienceMs;
  }

  async run(id: string | number, way: Way, chance: Chance): Promise<void> {
    this.ways.set(id, way);
    const key = String(id);
    const request = this.#toMessage(toCall(key, chance.happens(0.5), id));
    const wait = (): Promise<void> => sleep(chance.below(10));
    if (way === 'before') this.#cancel(id);
    this.#lines.write(way === 'at once' ? `${request}\n${cancellation(id)}` : request);
    if (way === 'at once') return;
    await this.#events.began(key);
    await wait();
    if (way === 'cancelled' || way === 'twice') return this.#expectStop(id, way === 'twice');
    if (way === 'other id') for (const other of othersThan(id)) this.#cancel(other);
    if (way === 'race') this.#cancel(id);
    this.#events.release(key);
    if (way === 'race') return;
    await this.#lines.answer(id);
    if (way === 'finished') this.#useAgain(id);
  }

  async #expectStop(id: string | number, isTwice: boolean): Promise<void> {
    this.#cancel(id);
    if (isTwice) this.#cancel(id);
    const stopped = await this.#events.stopped(String(id), this.#patienceMs);
    if (isTwice) this.#cancel(id);
    if (stopped !== undefined) return;
    this.notStopped.push(String(id));
    this.#events.release(String(id));
  }

  /** Cancelling a request that has its response must not affect the next request with the same id. */
  #useAgain(id: string | number): void {
    this.#cancel(id);
    const params = { name: 'echo', arguments: { text: 'again' } };
    this.#lines.write(this.#toMessage({ method: 'tools/call', id, params }));
  }

  #cancel(requestId: unknown): void {
    this.#lines.write(cancellation(requestId));
  }
}

function cancellation(requestId: unknown): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'enough' },
  });
}

/** Ids that resemble this one, but differ. */
function othersThan(id: string | number): unknown[] {
  const twin = typeof id === 'number' ? String(id) : Number(id);
  return [twin, [id], { id }, null, true, undefined, '', -1, 'never seen'];
}

async function stdioCancels(era: 'modern' | 'legacy', without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.start('cancellable-stdio.mjs', { without });
  const events = new CallEvents(child);
  const lines = new JsonLines(child);
  const toMessage = era === 'modern' ? modernMessage : legacyMessage;
  const echo = async (id: string): Promise<void> => {
    lines.write(toMessage({ method: 'tools/call', id, params: { name: 'echo', arguments: { text: id } } }));
    await lines.answer(id);
  };
  if (era === 'legacy') await lines.initialize();
  await echo('first');
  const idle = await resourcesOf(child);
  const calls = new StdioCalls(
    { lines, events },
    toMessage,
    patienceFor(without, ['cancellation'], PATIENCE),
  );
  let left = CALLS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const chance = new Chance(SEED + client);
      while (left > 0 && calls.notStopped.length === 0) {
        left -= 1;
        // Some ids are strings, some are numbers, and a string may look like a number.
        await calls.run(chance.happens(0.5) ? left : `${left + CALLS}`, chance.pick(WAYS), chance);
      }
    }),
  );
  expect(calls.notStopped, `calls whose handler was not told to stop ${SEEDED}`).toEqual([]);
  expect(calls.ways.size, 'calls').toBe(1000);
  const counts = await until(
    () => events.counts(),
    ({ running }) => running === 0,
  );
  expect(counts.running, 'calls that still run').toBe(0);
  // All earlier messages have arrived by now.
  await echo('last');
  expectAnswers(calls.ways, lines.answers);
  expect(
    lines.messages.filter((message) => JSON.stringify(message).includes('after ')),
    'messages after a cancellation',
  ).toEqual([]);
  const remaining = await until(
    () => resourcesOf(child),
    (resources) => resources === idle,
  );
  expect(remaining, 'timers that are left').toBe(idle);
}

/** Allowed numbers of responses to a request. */
const ANSWERS: Readonly<Record<Way, readonly number[]>> = {
  cancelled: [0],
  twice: [0],
  'at once': [0],
  before: [1],
  'other id': [1],
  race: [0, 1],
  // Its id was used twice.
  finished: [2],
};

function expectAnswers(ways: ReadonlyMap<string | number, Way>, answers: readonly Json[]): void {
  const counts = new Map<unknown, number>();
  for (const { id } of answers) counts.set(id, (counts.get(id) ?? 0) + 1);
  const unexpected: string[] = [];
  for (const [id, way] of ways) {
    const count = counts.get(id) ?? 0;
    if (!ANSWERS[way].includes(count)) unexpected.push(`${typeof id} ${id} (${way}): ${count} answers`);
  }
  expect(unexpected, 'calls with an answer too many or too few').toEqual([]);
}

const MODERN = '2026-07-28: hanging up cancels';
const LEGACY = '2025-11-25: hanging up does not cancel, and the answer waits';
const NOTIFIED = '2025-11-25: a notification over HTTP cancels';
const STDIO_MODERN = '2026-07-28 on stdio: a notification cancels exactly its own request';
const STDIO_LEGACY = '2025-11-25 on stdio: a notification cancels exactly its own request';

promise('cancellation works, in both meanings', {
  timeoutMs: 120_000,
  checks: {
    [MODERN]: hangUpCancels,
    [LEGACY]: hangUpDoesNotCancel,
    [NOTIFIED]: notificationCancels,
    [STDIO_MODERN]: (without) => stdioCancels('modern', without),
    [STDIO_LEGACY]: (without) => stdioCancels('legacy', without),
  },
  switches: [
    {
      defence: 'cancellation when the client disconnects',
      off: [{ module: 'transport/http/modern-post.js', defence: 'end-with-the-connection' }],
      red: /calls whose handler was not told to stop/,
      check: MODERN,
    },
    {
      defence: 'requests that outlive their connection',
      off: [
        {
          module: 'transport/http/legacy/legacy-post.js',
          defence: 'requests-outlive-connections',
          by: "arguments[0].request.sink.onClose(() => arguments[0].session.legacy.close('The client disconnected.')); $&",
        },
      ],
      red: /calls that were taken back by hanging up/,
      check: LEGACY,
    },
    {
      defence: 'responses that are kept',
      off: [{ module: 'stores/event-store.js', defence: 'kept-events', by: 'return [];' }],
      red: /answers that were not replayed/,
      check: LEGACY,
    },
    ...[NOTIFIED, STDIO_MODERN].map((check) => ({
      defence: `a way to take requests back (${check})`,
      off: [{ module: 'wire/sessions/in-flight.js', defence: 'cancellation' }],
      red: check === NOTIFIED ? /told to stop by a notification/ : /calls whose handler was not told to stop/,
      check,
    })),
    {
      defence: 'no response to cancelled requests',
      off: [{ module: 'wire/sessions/in-flight.js', defence: 'silence-about-what-is-cancelled' }],
      red: /calls with an answer too many/,
      check: STDIO_MODERN,
    },
    {
      defence: 'no messages of handlers after cancellation',
      off: [{ module: 'pipeline/context/call-context.js', defence: 'silence-of-what-is-over' }],
      red: /messages after a cancellation/,
      check: STDIO_LEGACY,
    },
  ],
});
