import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import type { HttpContext, Principal, ProgressUpdate } from '../../middleware/context.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';

/** The end of a call, for its record. */
export interface CallEnd {
  /** The canonical name, if the call reached a tool. */
  readonly name?: string;
  readonly outcome: 'ok' | 'error' | 'input-required';
  readonly code?: ErrorCode;
}

/** An HTTP request. Its type in handlers is without the credentials. */
export interface CallHttp extends HttpContext {
  /** Values of headers with credentials, and their parts. Messages of failed calls are without them. */
  readonly credentials?: readonly string[] | undefined;
}

/** One decoded tool call. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly accessToken?: string | undefined;
  readonly principal?: Principal | undefined;
  /** Address of an anonymous caller, if known: calls from one address share limits. */
  readonly address?: string | undefined;
  /** Unguessable id of the connection, if it has one caller: stdio and in memory. */
  readonly connection?: string | undefined;
  /** The id of the request. */
  readonly requestId?: string | number | undefined;
  /** The HTTP request of the call. */
  readonly http?: CallHttp | undefined;
  /** Takes precedence over minify hints in the arguments. */
  readonly minifyOverride?: boolean | undefined;
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** The same, from a transport. */
  readonly cancellation?: Cancellation | undefined;
  /** Timeout of the call in milliseconds, for tasks. Default: the tool's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** The memory of the arguments: a handler that continues after the response still uses them. */
  readonly hold?: { follow(work: PromiseLike<unknown>): void } | undefined;
  /** Whether there is memory for a result until its client has read it; undefined if results are kept otherwise. */
  readonly room?: { hasRoomFor(bytes: number): boolean } | undefined;
  /** Called when the handler itself has ended, possibly long after the response. */
  readonly onSettled?: (() => void) | undefined;
  /** Called once, with the end of the call, before the response is sent. Never throws. */
  readonly onEnded?: ((end: CallEnd) => void) | undefined;
  readonly onProgress?: ((update: ProgressUpdate) => MaybePromise<void>) | undefined;
  /** The metadata of the request: trace context, and further data from the client. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Requests to the client; without it, the client cannot be asked. */
  readonly dialogue?: Dialogue | undefined;
  /** Members of the registry's context type beyond the standard ones. */
  readonly context?: object | undefined;
}
