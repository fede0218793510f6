import { META } from '../wire/meta-keys.ts';
import { LinkError } from './link.ts';
import type { Link, RpcMessage } from './link.ts';

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
  readonly signal?: AbortSignal;
  readonly onProgress?: (update: RpcProgress) => void;
}

/** Options of {@link connectClient}. */
export interface ConnectOptions {
  readonly name: string;
  readonly version: string;
  /** How long the server has to say who it is, in the newest way and then in the older one. Default: 5 s each. */
  readonly timeoutMs?: number;
}

/** Connects to a server of any revision: asks in the newest way, and shakes hands where that is not understood. */
export async function connectClient(link: Link, options: ConnectOptions): Promise<RpcClient> {
  const client = new RpcClient(link, options);
  await client.connect(options.timeoutMs ?? 5000);
  return client;
}

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((update: RpcProgress) => void) | undefined;
}

/** A client that can ask, and is told how far things have come. It answers no questions, and says so. */
export class RpcClient {
  readonly #link: Link;
  readonly #info: { readonly name: string; readonly version: string };
  readonly #waiting = new Map<number | string, Waiting>();
  #nextId = 1;
  #isModern = true;
  #self: ServerSelf | undefined;
  #ended: Error | undefined;

  constructor(link: Link, { name, version }: ConnectOptions) {
    this.#link = link;
    this.#info = { name, version };
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
    try {
      // Some old servers say nothing to what they do not know: the handshake has a time of its own.
      const signal = AbortSignal.timeout(timeoutMs);
      this.#self = this.#readSelf(await this.request('server/discover', {}, { signal }));
    } catch (error) {
      const isOld = error instanceof RpcFailure || (error instanceof LinkError && error.mayBeOld);
      if (!isOld || this.#ended !== undefined) throw error;
      await this.#shakeHands(AbortSignal.timeout(timeoutMs));
    }
  }

  /** Sends a request and waits for its answer. Rejects with an {@link RpcFailure} or a {@link LinkError}. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    { signal, onProgress }: RequestOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId;
    this.#nextId += 1;
    const meta = {
      ...(params['_meta'] as object | undefined),
      ...(onProgress === undefined ? {} : { progressToken: id }),
      ...(this.#isModern
        ? {
            [META.protocolVersion]: MODERN_VERSION,
            [META.clientCapabilities]: {},
            [META.clientInfo]: this.#info,
          }
        : {}),
    };
    const message = {
      id,
      method,
      params: { ...params, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) },
    };
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        done();
        if (method !== 'server/discover' && method !== 'initialize')
          void this.#link
            .send({ method: 'notifications/cancelled', params: { requestId: id } })
            .catch(() => {});
        reject(new LinkError(`The server did not answer ${method} in time.`, { mayBeOld: true }));
      };
      const done = (): void => {
        this.#waiting.delete(id);
        signal?.removeEventListener('abort', stop);
      };
      const settle =
        <TValue>(next: (value: TValue) => void) =>
        (value: TValue): void => {
          done();
          next(value);
        };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject), onProgress });
      signal?.addEventListener('abort', stop, { once: true });
      this.#link
        .send(message, { isModern: this.#isModern, ...(signal === undefined ? {} : { signal }) })
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
      entries.push(...((result[member] as Readonly<Record<string, unknown>>[] | undefined) ?? []));
      cursor = result['nextCursor'];
      if (cursor === undefined) return entries;
    }
    throw new LinkError(`The server has more than ${MAX_PAGES} pages of ${member}.`);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async #shakeHands(signal: AbortSignal): Promise<void> {
    this.#isModern = false;
    const result = await this.request(
      'initialize',
      { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: this.#info },
      { signal },
    );
    this.#self = this.#readSelf(result);
    this.#link.agree(this.#self.protocolVersion);
    await this.#link.send({ method: 'notifications/initialized' });
  }

  #readSelf(result: Readonly<Record<string, unknown>>): ServerSelf {
    const meta = result['_meta'] as Readonly<Record<string, unknown>> | undefined;
    const info = (result['serverInfo'] ?? meta?.[META.serverInfo] ?? {}) as {
      name?: unknown;
      version?: unknown;
    };
    return {
      name: typeof info.name === 'string' ? info.name : '(no name)',
      version: typeof info.version === 'string' ? info.version : '(no version)',
      protocolVersion: this.#isModern ? MODERN_VERSION : String(result['protocolVersion']),
      capabilities: (result['capabilities'] ?? {}) as Readonly<Record<string, unknown>>,
      instructions: typeof result['instructions'] === 'string' ? result['instructions'] : undefined,
    };
  }

  #hear({ id, method, params, result, error }: RpcMessage): void {
    if (method !== undefined && id !== undefined && id !== null) {
      // Nobody here could answer.
      const refusal = { code: -32601, message: `This client does not know ${method}.` };
      void this.#link.send({ id, error: refusal }).catch(() => {});
      return;
    }
    if (method === 'notifications/progress') {
      const token = params?.['progressToken'] as number | string;
      this.#waiting.get(token)?.onProgress?.(params as unknown as RpcProgress);
      return;
    }
    const waiting = id === undefined || id === null ? undefined : this.#waiting.get(id);
    if (error !== undefined) {
      // An answer without an id: to whatever waits, since there is only one question at a time that could have caused it.
      const [only] = this.#waiting.values();
      (waiting ?? only)?.reject(new RpcFailure(error));
    } else if (result !== undefined) waiting?.resolve(result);
  }
}

const MAX_PAGES = 1000;
