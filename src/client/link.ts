/** A message of JSON-RPC, as far as a client looks at it. */
export interface RpcMessage {
  readonly jsonrpc?: '2.0';
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Answers to what a server asks while it handles a request, by method: `elicitation/create`. */
export type Answerers = Readonly<
  Record<string, (params: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>>
>;

/** What carries messages to a server and back. */
export interface Link {
  /**
   * Sends a message. What comes back is given to `onMessage`; a request over HTTP is over when all of it has come, and rejects when the
   * answer was not among it.
   */
  send(message: RpcMessage, options?: SendOptions): Promise<void>;
  /** Called for everything that comes. Set before anything is sent. */
  onMessage: (message: RpcMessage) => void;
  /** Called when nothing will come any more, and why. */
  onEnd: (reason: Error) => void;
  /** After a handshake: the revision that was agreed on. */
  agree(version: string): void;
  close(): Promise<void>;
}

/** What a message needs beside itself. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Of 2026-07-28: repeated in headers over HTTP. */
  readonly isModern?: boolean;
}

/** A server could not be reached, or does not speak the protocol. */
export class LinkError extends Error {
  /** Whether it could be a server of an earlier revision that does not know what it was asked. */
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

/** A message as it is written; undefined for what is none. */
export function parseMessage(text: string): RpcMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
