/** The part of the official clients' transports that is used here. */
export interface RawTransport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
}

export type Json = Readonly<Record<string, unknown>>;

/** A response as received. */
export interface RawAnswer {
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sender metadata of a request of 2026-07-28. */
export function envelope(capabilities: Json): Json {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  };
}

/** Uses 2026-07-28 over a transport of the official client, for messages that the official client does not support. */
export class RawPeer {
  readonly #transport: RawTransport;
  readonly #capabilities: Json;
  readonly #waiting = new Map<unknown, (answer: RawAnswer) => void>();
  readonly #listeners = new Set<(notification: Json) => void>();
  #nextId = 1;

  constructor(transport: RawTransport, capabilities: Json) {
    this.#transport = transport;
    this.#capabilities = capabilities;
    Object.assign(transport, { onmessage: (message: Json) => this.#hear(message) });
  }

  async start(): Promise<this> {
    await this.#transport.start();
    return this;
  }

  async request(method: string, params: Json = {}): Promise<RawAnswer> {
    const id = this.#nextId;
    this.#nextId += 1;
    const _meta = { ...envelope(this.#capabilities), ...(params['_meta'] as Json | undefined) };
    const answered = new Promise<RawAnswer>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    await this.#transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } } as never);
    return answered;
  }

  #hear(message: Json): void {
    if (message['method'] === undefined) this.#waiting.get(message['id'])?.(message);
    else for (const listener of this.#listeners) listener(message);
  }

  /** The next matching notification, from now on. */
  next(fits: (notification: Json) => boolean): Promise<Json> {
    return new Promise((resolve) => {
      const listener = (notification: Json): void => {
        if (!fits(notification)) return;
        this.#listeners.delete(listener);
        resolve(notification);
      };
      this.#listeners.add(listener);
    });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
