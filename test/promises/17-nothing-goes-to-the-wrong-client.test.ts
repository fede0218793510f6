import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Chance, SEED } from './support/chance.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { legacyListen, legacyRequest, modernRequest, openSession } from './support/mcp-requests.ts';
import { bodyUntilNow, lastEventId, McpSocket, messagesOf } from './support/mcp-socket.ts';
import type { Json, SocketReply } from './support/mcp-socket.ts';
import { isLong, promise } from './support/promise.ts';

const CLIENTS = 200;
const SECONDS = isLong ? 60 : 10;
const ANSWERS = 20_000;
/** Share of calls whose connection is cut. */
const CUT = 0.04;
/** Maximum wait for a response. */
const PATIENCE_MS = 30_000;

/** Counts of all clients together. */
interface Found {
  answered: number;
  streams: number;
  cut: number;
  resumed: number;
  news: number;
  readonly lost: string[];
  readonly mismatched: string[];
}

/** A request uses any free connection, as behind a proxy: one connection serves many clients. */
class Connections {
  readonly #port: number;
  readonly #chance = new Chance();
  readonly #free: McpSocket[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  open(): McpSocket {
    return new McpSocket(this.#port);
  }

  take(): McpSocket {
    const [socket] = this.#free.splice(this.#chance.below(this.#free.length), 1);
    return socket?.isOpen === true ? socket : this.open();
  }

  put(socket: McpSocket): void {
    this.#free.push(socket);
  }

  close(): void {
    for (const socket of this.#free) socket.cut();
  }
}

/**
 * One client. All of them use the same id and the same progress token, and different texts. Some also subscribe to a resource of their own.
 */
class MirrorClient {
  readonly #name: string;
  readonly #uri: string;
  readonly #connections: Connections;
  readonly #found: Found;
  readonly #chance: Chance;
  readonly #isLegacy: boolean;
  readonly #isListener: boolean;
  /** Arguments that make the tool notify its subscribers. */
  readonly #news: Json;
  #session: string | undefined;
  #listening: McpSocket | undefined;
  #calls = 0;

  constructor(index: number, connections: Connections, found: Found) {
    this.#name = `client ${index}`;
    this.#uri = `mirror://${index}`;
    this.#connections = connections;
    this.#found = found;
    this.#chance = new Chance(SEED + index);
    this.#isLegacy = index % 2 === 1;
    this.#isListener = index % 8 < 2;
    this.#news = this.#isListener ? { uri: this.#uri } : {};
  }

  async call(): Promise<void> {
    this.#calls += 1;
    const text = `${this.#name}, call ${this.#calls}`;
    const times = this.#chance.happens(0.4) ? 1 + this.#chance.below(2) : 0;
    const isCut = this.#chance.happens(CUT);
    const delayMs = isCut ? this.#chance.pick([0, 10]) : this.#chance.pick([0, 0, 1, 3]);
    const request = await this.#toRequest({ text, times, delayMs, ...this.#news });
    const socket = this.#connections.take();
    if (isCut) return this.#callAndHangUp(socket, request, text);
    const reply = await patiently(socket.ask(request));
    if (reply?.status !== 200) {
      socket.cut();
      this.#lose(text, reply);
      return;
    }
    this.#connections.put(socket);
    const messages = messagesOf(reply.body);
    this.#compare(messages, text);
    // Progress and a log message each time, then the response.
    if (messages.length !== 2 * times + 1 || !isAnswer(messages.at(-1))) return this.#lose(text, reply);
    this.#found.answered += 1;
    if (times > 0) this.#found.streams += 1;
  }

  /** Closes everything that is open. */
  leave(): void {
    const heard = messagesOf(bodyUntilNow(this.#listening?.received ?? ''));
    for (const message of heard) {
      const { uri, notifications } = (message['params'] ?? {}) as { uri?: string; notifications?: object };
      if (uri === this.#uri) this.#found.news += 1;
      else if (notifications === undefined) this.#mismatch(this.#uri, message);
    }
    this.#listening?.cut();
    this.#listening = undefined;
    this.#session = undefined;
  }

  async #toRequest(told: Json): Promise<string> {
    const params = { name: 'mirror', arguments: told };
    const asked = { method: 'tools/call', id: 1, params, progressToken: 'token' };
    if (this.#isLegacy) {
      this.#session ??= await this.#begin();
      return legacyRequest(this.#session, asked);
    }
    if (this.#isListener && this.#listening === undefined) {
      const notifications = { resourceSubscriptions: [this.#uri] };
      this.#listen(modernRequest({ method: 'subscriptions/listen', id: 1, params: { notifications } }));
    }
    return modernRequest(asked);
  }

  async #begin(): Promise<string> {
    const socket = this.#connections.take();
    const session = await openSession(socket);
    if (this.#isListener) {
      const params = { uri: this.#uri };
      await socket.ask(legacyRequest(session, { method: 'resources/subscribe', id: 1, params }));
      this.#listen(legacyListen(session));
    }
    this.#connections.put(socket);
    return session;
  }

  #listen(request: string): void {
    this.#listening = this.#connections.open();
    this.#listening.send(request);
  }

  /** Closes the connection during a call, and resumes the stream where the revision supports it. */
  async #callAndHangUp(socket: McpSocket, request: string, text: string): Promise<void> {
    this.#found.cut += 1;
    socket.send(request);
    // Half of them at a random time, half of them after the response has begun.
    if (this.#chance.happens(0.5)) await patiently(socket.heard(/^data: |^content-length/im));
    else await sleep(this.#chance.below(6));
    const seen = bodyUntilNow(socket.received);
    socket.cut(this.#chance.pick(['destroy', 'reset']));
    const messages = messagesOf(seen);
    this.#compare(messages, text);
    if (this.#session === undefined || isAnswer(messages.at(-1))) return;
    const last = lastEventId(seen);
    // A response that was cut before it became a stream cannot be resumed, and its id is in use until it ends.
    if (last === undefined) return this.leave();
    const back = this.#connections.open();
    const reply = await patiently(back.ask(legacyListen(this.#session, last)));
    back.cut();
    const missed = messagesOf(reply?.body ?? '');
    this.#compare(missed, text);
    if (isAnswer(missed.at(-1))) this.#found.resumed += 1;
    else this.#lose(text, reply);
  }

  /** Every message must contain the text of this client. */
  #compare(messages: readonly Json[], said: string): void {
    for (const message of messages) {
      // An error never belongs to another client; it means that the response is lost.
      if (message['error'] === undefined && !saysOf(message).startsWith(said)) this.#mismatch(said, message);
    }
  }

  #mismatch(said: string, message: Json): void {
    this.#found.mismatched.push(`${said} heard ${JSON.stringify(message).slice(0, 300)}`);
  }

  #lose(text: string, reply: SocketReply | undefined): void {
    const instead = reply === undefined ? 'no answer' : `${reply.status} ${reply.body.slice(0, 300)}`;
    this.#found.lost.push(`${text}: ${instead}`);
  }
}

function isAnswer(message: Json | undefined): boolean {
  return message?.['id'] === 1 && message['result'] !== undefined;
}

interface Said {
  readonly progressToken?: unknown;
  readonly message?: string;
  readonly data?: string;
  readonly content?: readonly { readonly text?: string }[];
}

/** The text that a message repeats; empty if it is not about a call with our id and token. */
function saysOf({ id, method, params, result }: Json): string {
  const said = (params ?? result) as Said;
  if (method === 'notifications/progress') return said.progressToken === 'token' ? String(said.message) : '';
  if (method === 'notifications/message') return String(said.data);
  return id === 1 ? String(said.content?.[0]?.text) : '';
}

function patiently<TValue>(answer: Promise<TValue>): Promise<TValue | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
    void answer.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

async function run(without: readonly Weakness[]): Promise<void> {
  const child = await ChildServer.listen('mirror-http.mjs', { without });
  const connections = new Connections(child.port);
  const found: Found = {
    answered: 0,
    streams: 0,
    cut: 0,
    resumed: 0,
    news: 0,
    lost: [],
    mismatched: [],
  };
  const start = performance.now();
  const isOver = (): boolean =>
    found.lost.length + found.mismatched.length > 50 ||
    (performance.now() - start > SECONDS * 1000 && found.answered >= ANSWERS) ||
    performance.now() - start > (SECONDS + 140) * 1000;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const client = new MirrorClient(index, connections, found);
      while (!isOver()) await client.call();
      client.leave();
    }),
  );
  connections.close();
  const seed = `(seed ${SEED})`;
  expect(found.mismatched, `messages that went to the wrong client ${seed}`).toEqual([]);
  expect(found.lost, `calls that were lost ${seed}`).toEqual([]);
  expect(found.answered, 'calls that were answered').toBeGreaterThanOrEqual(20_000);
  expect(found.streams, 'of them with a stream').toBeGreaterThan(4000);
  expect(found.cut, 'calls that were cut').toBeGreaterThan(200);
  expect(found.resumed, 'of them, answers that their client came back for').toBeGreaterThan(20);
  expect(found.news, 'news of resources').toBeGreaterThan(1000);
}

promise('nothing goes to the wrong client', {
  timeoutMs: 180_000,
  checks: { '200 clients with the same ids and tokens hear only what they asked for': run },
  switches: [
    {
      defence: 'a separate response channel for each request',
      off: [
        {
          module: 'wire/methods/dispatch.js',
          defence: 'own-exchange',
          by: 'const [own] = arguments; [own.exchange, globalThis.before] = [globalThis.before ?? own.exchange, own.exchange]; $&',
        },
      ],
      red: /messages that went to the wrong client/,
    },
    {
      defence: 'ids that are valid in one session only',
      off: [
        {
          module: 'wire/sessions/legacy-session.js',
          defence: 'ids-of-one-session',
          by: '(globalThis.shared ??= $&)',
        },
      ],
      red: /calls that were lost/,
    },
  ],
});
