import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { HttpContext, Principal, ProgressUpdate } from '../../middleware/context.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';

/** One call of a tool, decoded. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly accessToken?: string | undefined;
  readonly principal?: Principal | undefined;
  /** Where an anonymous caller's request came from, if that is known: calls from one address are limited together. */
  readonly address?: string | undefined;
  /** The id of the request that it came with. */
  readonly requestId?: string | number | undefined;
  /** The HTTP request that it came with. */
  readonly http?: HttpContext | undefined;
  /** Wins over the minify hints in the arguments. */
  readonly minifyOverride?: boolean | undefined;
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** The same, from a transport. */
  readonly cancellation?: Cancellation | undefined;
  /** How long the call may take; for tasks. Default: the tool's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** The memory of the arguments: a handler that goes on after its call was answered still uses them. */
  readonly hold?: { follow(work: PromiseLike<unknown>): void } | undefined;
  /** Knows whether there is memory for a result until its client has read it; undefined where results are kept in another way. */
  readonly room?: { hasRoomFor(bytes: number): boolean } | undefined;
  /** Called when the handler itself has ended, which may be long after the call was answered. */
  readonly onSettled?: (() => void) | undefined;
  readonly onProgress?: ((update: ProgressUpdate) => MaybePromise<void>) | undefined;
  /** The metadata of the request: trace context, and whatever else the client sent along. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** How the call talks to its client; without it, nobody can be asked. */
  readonly dialogue?: Dialogue | undefined;
  /** What the registry's context type asks for beyond the standard members. */
  readonly context?: object | undefined;
}
