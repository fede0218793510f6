import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Pieces } from '../../../wire/messages/answer.ts';
import type { RequestHeaders } from '../../../wire/served/exchange.ts';
import type { ReadingRoom } from './reading-room.ts';

/** What a body turned out to be. */
export type Body =
  | { readonly kind: 'text'; readonly text: string; readonly bytes?: Uint8Array }
  /** Somebody in front of us has read and parsed it. */
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too-large' }
  /** The memory budget is used up, or the body stopped arriving while others waited for its room. */
  | { readonly kind: 'no-room' }
  /** Not UTF-8, or cut off: without bytes then. */
  | { readonly kind: 'unreadable'; readonly bytes?: Uint8Array };

/** How much of a body is read. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** What all bodies share. */
  readonly room: ReadingRoom;
}

/** A request over HTTP, whichever library received it. */
export interface HttpRequest extends RequestHeaders {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The request as the platform knows it. */
  readonly request: unknown;
  /** What the application gave beside the request. */
  readonly host: unknown;
  /** Of the connection, where the platform tells it. */
  readonly address: string | undefined;
  /** The host of the URL, where the platform gives a whole one beside the Host header. */
  readonly urlHost?: string;
  /** One of these headers that is repeated, if any. */
  findRepeated(names: readonly string[]): string | undefined;
  /** Reads nothing more of the body until `resumeBody` is called. Returns how many bytes of it are in memory. */
  pauseBody(): number;
  resumeBody(): void;
  readBody(limits: BodyLimits, account: MemoryAccount): MaybePromise<Body>;
}

export type HttpHeaders = Readonly<Record<string, string>>;

/** Several values are several headers of one name. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The response to a call that lacks scopes: 401 for callers without credentials, 403 for others. */
export interface ScopeChallenge {
  readonly status: 401 | 403;
  /** `WWW-Authenticate`. */
  readonly header: string;
}

/** The way back for one request. */
export interface HttpSink {
  /** What the client has not read yet counts there. Set as soon as the caller is known. */
  account: MemoryAccount | undefined;
  /** Writes the challenge for a call that lacks scopes. Set together with the account. */
  challenge: ((scopes: readonly string[]) => ScopeChallenge) | undefined;
  /** Whether there is room for a body of this length until its client has read it. */
  hasRoomFor(body: string): boolean;
  /** Answers at once. */
  respond(status: number, headers: ResponseHeaders, body?: string | Pieces): void;
  /** Begins an answer that comes in parts. */
  openStream(status: number, headers: ResponseHeaders): StreamSink;
  /** Whether everything was sent or the client has gone. */
  readonly isClosed: boolean;
  /** Calls back once, when everything was sent or the client has gone before that; at once where that has happened already. */
  onClose(listener: (isComplete: boolean) => void): void;
  /** From now on a client that goes is noticed before something is sent to it. Only needed where the answer takes its time. */
  watch(): void;
}

/** An answer that comes in parts. */
export interface StreamSink {
  /** Waits while the reader is slow. Never rejects. */
  write(chunk: string | Uint8Array): MaybePromise<void>;
  end(): void;
  /** Ends at once, whatever was not sent yet. `isHalf`: more was to come, and the client must not take it for the whole. */
  cut(isHalf?: boolean): void;
}
