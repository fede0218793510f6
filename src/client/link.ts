/** A JSON-RPC message, with the members that a client uses. */
export interface RpcMessage {
  readonly jsonrpc?: '2.0';
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Handlers of requests from the server, by method, such as `elicitation/create`. */
export type Answerers = Readonly<
  Record<string, (params: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>>
>;

/** A connection to a server. */
export interface Link {
  /**
   * Sends a message. Received messages are passed to `onMessage`. Over HTTP, it resolves when the whole HTTP response has arrived, and rejects
   * if that does not contain the response to a request.
   */
  send(message: RpcMessage, options?: SendOptions): Promise<void>;
  /** Called with every received message. Set it before the first message is sent. */
  onMessage: (message: RpcMessage) => void;
  /** Called with the reason when the connection ends. */
  onEnd: (reason: Error) => void;
  /** Sets the protocol version that `initialize` negotiated. */
  agree(version: string): void;
  /** Advice for a server that does not respond when the client connects. */
  readonly silenceHint?: string;
  close(): Promise<void>;
}

/** Options of {@link Link.send}. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Whether the message is of 2026-07-28, which repeats parts of it in HTTP headers. */
  readonly isModern?: boolean;
}

/** The server could not be reached, or violates the protocol. */
export class LinkError extends Error {
  /** Whether the server may be one of an earlier revision that does not support the request. */
  readonly mayBeOld: boolean;

  constructor(
    message: string,
    { mayBeOld = false, ...options }: ErrorOptions & { readonly mayBeOld?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'LinkError';
    this.mayBeOld = mayBeOld;
  }
}

/** Parses a message; undefined if it is not a JSON object. */
export function parseMessage(text: string): RpcMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
