import { isObject } from '../base/is-object.ts';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { META } from '../wire/messages/meta-keys.ts';
import { LinkError } from './link.ts';
import type { Answerers, Link, RpcMessage } from './link.ts';

const MODERN_VERSION = '2026-07-28';
const LEGACY_VERSION = '2025-11-25';

/** The server returned a JSON-RPC error. */
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

/** Name, version, protocol version and capabilities of a server. */
export interface ServerSelf {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/** Parameters of a progress notification. */
export interface RpcProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Options of {@link RpcClient.request}. */
export interface RequestOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal;
  /** Default: `answerMs` of the client. */
  readonly timeoutMs?: number;
  readonly onProgress?: (update: RpcProgress) => void;
}

/** Options of {@link connectClient}. */
export interface ConnectOptions {
  readonly name: string;
  readonly version: string;
  /** Timeout for connecting, including the start of the server. Default: 30,000. */
  readonly connectMs?: number;
  /** Timeout of each request. Default: 60,000. */
  readonly answerMs?: number;
  readonly clock?: Clock;
  /** Client capabilities. Default: none. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Handlers of requests from servers of earlier revisions, by method. */
  readonly answerers?: Answerers;
}

const CONNECT_MS = 30_000;
const ANSWER_MS = 60_000;
/** Time after which `initialize` is sent too: some older servers do not respond to unknown methods. */
const SILENT_MS = 5000;

/** Connects to a server of any revision: sends `server/discover`, and `initialize` if the server does not support it. */
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

/** A client that sends requests, receives progress, and answers requests of the server. */
export class RpcClient {
  readonly #link: Link;
  readonly #info: { readonly name: string; readonly version: string };
  readonly #answerMs: number;
  readonly #clock: Clock;
  readonly #capabilities: Readonly<Record<string, unknown>>;
  readonly #answerers: Answerers;
  /** Number of open requests of the server. Timeouts are suspended while the user answers them. */
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

  /** The description of the server. */
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
      // A server that is slow to start will respond to both.
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

  /** Sends a request and waits for its result. Rejects with an {@link RpcFailure} or a {@link LinkError}. */
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
        const hint = this.#self === undefined ? this.#link.silenceHint : undefined;
        reject(
          new LinkError(
            `Timeout: the server did not respond to ${method}. Increase --timeout.${hint === undefined ? '' : ` ${hint}`}`,
            { mayBeOld: true },
          ),
        );
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

  /** Fetches all pages of a list. */
  async listAll(method: string, member: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const entries: Readonly<Record<string, unknown>>[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const result = await this.request(method, cursor === undefined ? {} : { cursor });
      const found = result[member] ?? [];
      if (!Array.isArray(found))
        throw new LinkError(`The server responded to ${method} without an array of ${member}.`);
      for (const entry of found) if (isObject(entry)) entries.push(entry);
      cursor = result['nextCursor'];
      if (cursor === undefined) return entries;
    }
    throw new LinkError(`The server has more than ${MAX_PAGES} pages of ${member}.`);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  /** The outcome of `server/discover`, or `silent` if there is none for a while. */
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
    // It is sent as a header of every request.
    if (typeof protocolVersion !== 'string' || !/^[\w.-]{1,40}$/.test(protocolVersion))
      throw new LinkError('The server responded to initialize without a valid protocolVersion.');
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

  /** Sends `notifications/cancelled`. The protocol does not allow it for `initialize`. */
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
    // An error without an id belongs to the pending request, because requests are sent one at a time. A response with an unknown id is late and
    // is ignored.
    const [only] = this.#waiting.values();
    const hasId = id !== undefined && id !== null;
    const waiting = hasId ? this.#waiting.get(id) : undefined;
    // Some servers send "error": null with a result.
    if (isObject(error)) (hasId ? waiting : only)?.reject(new RpcFailure(error));
    else if (isObject(result)) waiting?.resolve(result);
    else waiting?.reject(new LinkError('The server sent a response without a result or an error.'));
  }

  /** Responds to requests of servers of earlier revisions: pings, and those with a handler. */
  async #answer(id: number | string, method: string, params: RpcMessage['params'] = {}): Promise<void> {
    const answerer = Object.hasOwn(this.#answerers, method) ? this.#answerers[method] : undefined;
    const send = (answer: RpcMessage): void => void this.#link.send({ id, ...answer }).catch(() => {});
    if (method === 'ping') return send({ result: {} });
    if (answerer === undefined)
      return send({ error: { code: -32601, message: `Unknown method "${method}".` } });
    this.#openQuestions += 1;
    try {
      send({ result: await answerer(params) });
    } catch (error) {
      send({ error: { code: -32603, message: 'The client could not answer the request.' } });
      // A request that cannot be answered ends the pending calls.
      for (const { reject } of this.#waiting.values()) reject(error as Error);
    } finally {
      this.#openQuestions -= 1;
    }
  }
}

const MAX_PAGES = 1000;

/** The first success; if all fail, the error of the last. */
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
