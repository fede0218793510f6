import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Pieces } from '../../../wire/messages/answer.ts';
import type { RequestHeaders } from '../../../wire/served/exchange.ts';
import type { ReadingRoom } from './reading-room.ts';

/** Result of reading a body. */
export type Body =
  | { readonly kind: 'text'; readonly text: string; readonly bytes?: Uint8Array }
  /** Already parsed by a framework. */
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too-large' }
  /** The memory budget is used up, or the body stalled while other requests needed memory. */
  | { readonly kind: 'no-room' }
  /** Not UTF-8, or truncated (then without `bytes`). */
  | { readonly kind: 'unreadable'; readonly bytes?: Uint8Array };

/** Limits of a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Shared by all bodies. */
  readonly room: ReadingRoom;
}

/** A request over HTTP, independent of the HTTP library. */
export interface HttpRequest extends RequestHeaders {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The request object of the platform. */
  readonly request: unknown;
  /** Value that the application passed with the request. */
  readonly host: unknown;
  /** Address of the connection, if the platform provides it. */
  readonly address: string | undefined;
  /** Host of the URL, if the platform provides an absolute URL in addition to the Host header. */
  readonly urlHost?: string;
  /** Headers that the verifier read credentials from. Set once the caller is known. */
  credentialHeaders?: readonly string[];
  /** Whether the platform joins repeated headers with commas, so that most of them cannot be told from a single one. */
  readonly joinsHeaders: boolean;
  /** The first of these headers that is repeated, if any. */
  findRepeated(names: readonly string[]): string | undefined;
  /** Stops reading the body until `resumeBody` is called. Returns the number of its bytes in memory. */
  pauseBody(): number;
  resumeBody(): void;
  readBody(limits: BodyLimits, account: MemoryAccount): MaybePromise<Body>;
}

export type HttpHeaders = Readonly<Record<string, string>>;

/** An array is sent as several headers of one name. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The response to a call that lacks scopes: 401 for callers without credentials, 403 for others. */
export interface ScopeChallenge {
  readonly status: 401 | 403;
  /** `WWW-Authenticate`. */
  readonly header: string;
}

/** Response channel of one request. */
export interface HttpSink {
  /** Account that unread bytes count against. Set once the caller is known. */
  account: MemoryAccount | undefined;
  /** Writes the challenge for a call that lacks scopes. Set together with the account. */
  challenge: ((scopes: readonly string[]) => ScopeChallenge) | undefined;
  /** Whether the memory budget has room for a body of this length until the client has read it. */
  hasRoomFor(body: string): boolean;
  /** Sends a complete response. */
  respond(status: number, headers: ResponseHeaders, body?: string | Pieces): void;
  /** Begins a streamed response. */
  openStream(status: number, headers: ResponseHeaders): StreamSink;
  /** Whether the response was sent or the client has disconnected. */
  readonly isClosed: boolean;
  /** Calls the listener once, when the response was sent or the client has disconnected; immediately if that has already happened. */
  onClose(listener: (isComplete: boolean) => void): void;
  /** Detects a disconnected client before something is sent to it. Only needed if the response takes time. */
  watch(): void;
}

/** A streamed response. */
export interface StreamSink {
  /** Waits while the reader is slow. Never rejects. */
  write(chunk: string | Uint8Array): MaybePromise<void>;
  end(): void;
  /** Ends immediately, dropping unsent data. `isHalf`: the response is incomplete, and the client must be able to detect that. */
  cut(isHalf?: boolean): void;
}
