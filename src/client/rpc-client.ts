import { isObject } from '../base/is-object.ts';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { META } from '../wire/messages/meta-keys.ts';
import { LinkError } from './link.ts';
import type { Answerers, Link, RpcMessage } from './link.ts';

const MODERN_VERSION = '2026-07-28';
const LEGACY_VERSION = '2025-11-25';

/** A server answered with an error of the protocol. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: NonNullable<RpcMessage['error']>) {
    super(message);
    this.name = 'RpcFailure';
    this.code = code;
    this.data = data;
  }
}

/** What a server says of itself. */
export interface ServerSelf {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/** How far a call has come, as a server tells it. */
export interface RpcProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Options of {@link RpcClient.request}. */
export interface RequestOptions {
  /** Says that nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** Default: what the client was made with. */
  readonly timeoutMs?: number;
  readonly onProgress?: (update: RpcProgress) => void;
}

/** Options of {@link connectClient}. */
export interface ConnectOptions {
  readonly name: string;
  readonly version: string;
  /** How long the server has to say who it is, with its start if it has to be started. Default: 30 s. */
  readonly connectMs?: number;
  /** How long an answer may take. Default: 60 s. */
  readonly answerMs?: number;
  readonly clock?: Clock;
  /** What servers may ask this client for. Default: nothing. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Answers to requests of servers of earlier revisions, by method. */
  readonly answerers?: Answerers;
}

/** How long a connection may take. */
const CONNECT_MS = 30_000;
/** How long any other answer may take. */
const ANSWER_MS = 60_000;
/** Some old servers say nothing to what they do not know. After this time they are asked in their own way as well. */
const SILENT_MS = 5000;

/** Connects to a server of any revision: asks in the newest way, and shakes hands where that is not understood. */
export async function connectClient(link: Link, options: ConnectOptions): Promise<RpcClient> {
  const client = new RpcClient(link, options);
  await client.connect(options.connectMs ?? CONNECT_MS);
  return client;
}

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((update: RpcProgress) => void) | undefined;
}

/** A client that can ask, and is told how far things have come. It answers the questions that it has an answerer for. */
export class RpcClient {
  readonly #link: Link;
  readonly #info: { readonly name: string; readonly version: string };
  readonly #answerMs: number;
  readonly #clock: Clock;
  readonly #capabilities: Readonly<Record<string, unknown>>;
  readonly #answerers: Answerers;
  /** Questions of the server that somebody thinks about: meanwhile no answer is late. */
  #openQuestions = 0;
  readonly #waiting = new Map<number | string, Waiting>();
  #nextId = 1;
  #isModern = true;
  #self: ServerSelf | undefined;
  #ended: Error | undefined;

  constructor(link: Link, options: ConnectOptions) {
    const { name, version, answerMs = ANSWER_MS, clock = systemClock } = options;
    this.#link = link;
    this.#info = { name, version };
    this.#answerMs = answerMs;
    this.#clock = clock;
    this.#capabilities = options.capabilities ?? {};
    this.#answerers = options.answerers ?? {};
    link.onMessage = (message) => this.#hear(message);
    link.onEnd = (reason) => {
      this.#ended = reason;
      for (const { reject } of this.#waiting.values()) reject(reason);
    };
  }

  /** What the server said of itself. */
  get self(): ServerSelf {
    if (this.#self === undefined) throw new LinkError('The client is not connected.');
    return this.#self;
  }

  async connect(timeoutMs: number): Promise<void> {
    const endsAt = this.#clock.now() + timeoutMs;
    const settled = new AbortController();
    const { signal } = settled;
    const discovered = this.request('server/discover', {}, { signal, timeoutMs }).then((result) => ({
      self: readSelf(result, MODERN_VERSION),
      isModern: true,
    }));
    let met: { readonly self: ServerSelf; readonly isModern: boolean };
    try {
      const first = await this.#hearFirst(discovered, Math.min(SILENT_MS, timeoutMs / 2));
      if (first === 'modern') met = await discovered;
      else if (first === 'old') met = await this.#shakeHands(signal, endsAt);
      // One that is only slow to start will answer both questions.
      else met = await firstOf([discovered, this.#shakeHands(signal, endsAt)]);
    } finally {
      settled.abort();
    }
    this.#self = met.self;
    this.#isModern = met.isModern;
    if (met.isModern) return;
    this.#link.agree(met.self.protocolVersion);
    await this.#link.send({ method: 'notifications/initialized' });
  }

  /** Sends a request and waits for its answer. Rejects with an {@link RpcFailure} or a {@link LinkError}. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    { signal, timeoutMs = this.#answerMs, onProgress }: RequestOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId;
    this.#nextId += 1;
    const meta = this.#toMeta(params, onProgress === undefined ? {} : { progressToken: id });
    const message = {
      id,
      method,
      params: { ...params, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) },
    };
    return new Promise((resolve, reject) => {
      const abandoned = new AbortController();
      const giveUp = (): void => {
        done();
        abandoned.abort();
        this.#cancel(id, method);
        const hint = 'Give it longer with --timeout.';
        reject(new LinkError(`The server did not answer ${method} in time. ${hint}`, { mayBeOld: true }));
      };
      let cancelTimer = (): void => {};
      const wait = (): void => {
        cancelTimer = this.#clock.schedule(() => (this.#openQuestions > 0 ? wait() : giveUp()), timeoutMs);
      };
      wait();
      const done = (): void => {
        this.#waiting.delete(id);
        cancelTimer();
        signal?.removeEventListener('abort', giveUp);
      };
      const settle =
        <TValue>(next: (value: TValue) => void) =>
        (value: TValue): void => {
          done();
          next(value);
        };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject), onProgress });
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#link
        .send(message, { isModern: this.#isModern, signal: abandoned.signal })
        .catch((error: unknown) =>
          this.#waiting.get(id)?.reject(error instanceof Error ? error : new Error(String(error))),
        );
    });
  }

  /** All entries of a list, page by page. */
  async listAll(method: string, member: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const entries: Readonly<Record<string, unknown>>[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const result = await this.request(method, cursor === undefined ? {} : { cursor });
      const found = result[member] ?? [];
      if (!Array.isArray(found))
        throw new LinkError(`The server answered ${method} without a list of ${member}.`);
      for (const entry of found) if (isObject(entry)) entries.push(entry);
      cursor = result['nextCursor'];
      if (cursor === undefined) return entries;
    }
    throw new LinkError(`The server has more than ${MAX_PAGES} pages of ${member}.`);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  /** What comes of the first question, or that nothing does for a while. */
  async #hearFirst(discovered: Promise<unknown>, ms: number): Promise<'modern' | 'old' | 'silent'> {
    let cancel = (): void => {};
    const silent = new Promise<'silent'>((resolve) => {
      cancel = this.#clock.schedule(() => resolve('silent'), ms);
    });
    const answered = discovered.then(
      () => 'modern' as const,
      (error: unknown) => {
        const isOld = error instanceof RpcFailure || (error instanceof LinkError && error.mayBeOld);
        if (!isOld || this.#ended !== undefined) throw error;
        return 'old' as const;
      },
    );
    try {
      return await Promise.race([answered, silent]);
    } finally {
      cancel();
    }
  }

  async #shakeHands(
    signal: AbortSignal,
    endsAt: number,
  ): Promise<{ readonly self: ServerSelf; readonly isModern: boolean }> {
    this.#isModern = false;
    const result = await this.request(
      'initialize',
      { protocolVersion: LEGACY_VERSION, capabilities: this.#capabilities, clientInfo: this.#info },
      { signal, timeoutMs: Math.max(1, endsAt - this.#clock.now()) },
    );
    const { protocolVersion } = result;
    // It becomes a header of every request.
    if (typeof protocolVersion !== 'string' || !/^[\w.-]{1,40}$/.test(protocolVersion))
      throw new LinkError('The server answered initialize without a revision of the protocol.');
    return { self: readSelf(result, protocolVersion), isModern: false };
  }

  #toMeta(params: Readonly<Record<string, unknown>>, more: object): object {
    return {
      ...(params['_meta'] as object | undefined),
      ...more,
      ...(this.#isModern
        ? {
            [META.protocolVersion]: MODERN_VERSION,
            [META.clientCapabilities]: this.#capabilities,
            [META.clientInfo]: this.#info,
          }
        : {}),
    };
  }

  /** Tells that nobody waits for an answer any more. How a connection begins is not taken back. */
  #cancel(id: number, method: string): void {
    if (method === 'server/discover' || method === 'initialize') return;
    void this.#link.send({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => {});
  }

  #hear({ id, method, params, result, error }: RpcMessage): void {
    if (method !== undefined) {
      if (id !== undefined && id !== null) void this.#answer(id, method, params);
      else if (method === 'notifications/progress') {
        const token = params?.['progressToken'] as number | string;
        this.#waiting.get(token)?.onProgress?.(params as unknown as RpcProgress);
      }
      return;
    }
    // An error without an id is about whatever waits: only one question at a time could have caused it. One with an id that nobody waits
    // for came too late, and is about nothing any more.
    const [only] = this.#waiting.values();
    const hasId = id !== undefined && id !== null;
    const waiting = hasId ? this.#waiting.get(id) : undefined;
    // Some servers write an error that is null beside a result.
    if (isObject(error)) (hasId ? waiting : only)?.reject(new RpcFailure(error));
    else if (isObject(result)) waiting?.resolve(result);
    else waiting?.reject(new LinkError('The server answered with something that is not a result.'));
  }

  /** Servers of earlier revisions look whether somebody is there, and ask what they want to know. */
  async #answer(id: number | string, method: string, params: RpcMessage['params'] = {}): Promise<void> {
    const answerer = Object.hasOwn(this.#answerers, method) ? this.#answerers[method] : undefined;
    const send = (answer: RpcMessage): void => void this.#link.send({ id, ...answer }).catch(() => {});
    if (method === 'ping') return send({ result: {} });
    if (answerer === undefined)
      return send({ error: { code: -32601, message: `This client does not know ${method}.` } });
    this.#openQuestions += 1;
    try {
      send({ result: await answerer(params) });
    } catch (error) {
      send({ error: { code: -32603, message: 'The question was not answered.' } });
      // What nobody can answer ends what it was asked for.
      for (const { reject } of this.#waiting.values()) reject(error as Error);
    } finally {
      this.#openQuestions -= 1;
    }
  }
}

const MAX_PAGES = 1000;

/** The one that succeeds first; what the last one failed with when none does. */
async function firstOf<TValue>(attempts: readonly Promise<TValue>[]): Promise<TValue> {
  try {
    return await Promise.any(attempts);
  } catch (error) {
    throw (error as AggregateError).errors.at(-1) as Error;
  }
}

function readSelf(result: Readonly<Record<string, unknown>>, protocolVersion: string): ServerSelf {
  const meta = result['_meta'] as Readonly<Record<string, unknown>> | undefined;
  const info = (result['serverInfo'] ?? meta?.[META.serverInfo] ?? {}) as {
    name?: unknown;
    version?: unknown;
  };
  return {
    name: typeof info.name === 'string' ? info.name : '(no name)',
    version: typeof info.version === 'string' ? info.version : '(no version)',
    protocolVersion,
    capabilities: (result['capabilities'] ?? {}) as Readonly<Record<string, unknown>>,
    instructions: typeof result['instructions'] === 'string' ? result['instructions'] : undefined,
  };
}
