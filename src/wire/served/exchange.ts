import type { Closing } from './closing.ts';
import type { HttpContext } from '../../middleware/context.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import type { MemoryHold } from '../../base/memory/memory-hold.ts';
import type { Revision } from '../messages/revisions.ts';

/** Headers of an HTTP request, by lowercase name. */
export interface RequestHeaders {
  /** Returns undefined if the header is missing. */
  header(name: string): string | undefined;
  /** Whether the header is repeated; false if the platform cannot tell. */
  isRepeated(name: string): boolean;
  /** Names of all headers with the prefix. */
  headerNames(prefix: string): readonly string[];
}

/** Settings of extensions by their names. */
export type Extensions = Readonly<Record<string, object>>;

/** One request and its response channel. Created by the transport. */
export interface Exchange {
  readonly revision: Revision;
  readonly caller: Caller;
  readonly client: ClientDescription;
  /** Signals that the client cancelled the request. */
  readonly cancellation: Cancellation;
  /** Signals that the transport closes: subscriptions then end. */
  readonly closing: Closing;
  /** Sends a message that belongs to the request, before its response. A message with a key is replaced by the next one with the same key. */
  send(message: string, key?: unknown): MaybePromise<void>;
  /** Minimum log level that the client requested; undefined for no log messages. Sessions have their own. */
  readonly logLevel: McpLogLevel | undefined;
  /** Sends a request to the client on behalf of this one; undefined if the revision or the transport does not support it. */
  readonly ask: ((method: string, params: object) => Promise<unknown>) | undefined;
  /** Lets the client disconnect and resume later. */
  releaseStream(): void;
  /** Memory that the request uses. */
  readonly hold: MemoryHold | undefined;
  /** Headers of the request, if they must match its body. */
  readonly headers: RequestHeaders | undefined;
  /** The HTTP request as handlers see it; undefined on other transports. */
  readonly http: HttpContext | undefined;
  /** Extensions that the transport adds to those of the server. */
  readonly extensions?: Extensions | undefined;
  /** State of the session; earlier revisions only. */
  readonly session: SessionState | undefined;
}

/** Settings of a client in its session; earlier revisions only. */
export interface SessionState {
  logLevel: McpLogLevel;
  /** Subscribed URIs; a full set ignores further ones. */
  readonly subscriptions: Set<string>;
}
