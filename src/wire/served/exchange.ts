import type { Closing } from './closing.ts';
import type { HttpContext } from '../../middleware/context.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import type { MemoryHold } from '../../base/memory/memory-hold.ts';
import type { Revision } from '../messages/revisions.ts';

/** The headers of a request over HTTP, by their names in small letters. */
export interface RequestHeaders {
  /** Undefined when there is none. */
  header(name: string): string | undefined;
  /** Whether it stands there several times; false where nobody can tell. */
  isRepeated(name: string): boolean;
  /** The names of all that begin with this. */
  headerNames(prefix: string): readonly string[];
}

/** Settings of extensions by their names. */
export type Extensions = Readonly<Record<string, object>>;

/** One request and the way back to whoever sent it. Made by the transport. */
export interface Exchange {
  readonly revision: Revision;
  readonly caller: Caller;
  readonly client: ClientDescription;
  /** Tells when the client takes the request back. */
  readonly cancellation: Cancellation;
  /** Tells that the transport closes: what would never end by itself ends then. */
  readonly closing: Closing;
  /** Sends a message that belongs to the request, before its answer. One with a key is replaced by the next one with the same key. */
  send(message: string, key?: unknown): MaybePromise<void>;
  /** The least serious message the client wants in its log; undefined when it wants none. Of a session: see there. */
  readonly logLevel: McpLogLevel | undefined;
  /** Asks the client something on behalf of the request; undefined where the revision or the transport has no way to. */
  readonly ask: ((method: string, params: object) => Promise<unknown>) | undefined;
  /** Lets the client hang up and come back for the answer. */
  releaseStream(): void;
  /** The memory that the request takes up. */
  readonly hold: MemoryHold | undefined;
  /** The headers it came with, where they have to say what the request says. */
  readonly headers: RequestHeaders | undefined;
  /** The HTTP request as handlers see it; undefined on other transports. */
  readonly http: HttpContext | undefined;
  /** Extensions that the transport adds to those of the server. */
  readonly extensions?: Extensions | undefined;
  /** What belongs to the connection; earlier revisions only. */
  readonly session: SessionState | undefined;
}

/** What a client has set up for itself; earlier revisions only. */
export interface SessionState {
  logLevel: McpLogLevel;
  /** One that is full ignores what is added. */
  readonly subscriptions: Set<string>;
}
