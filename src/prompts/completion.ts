import type { ToolContext } from '../middleware/context.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import type { Cancellation } from '../base/time/cancellation.ts';

/** Somebody is typing the value of an argument, or of a variable in a URI, and wants to know what it could become. */
export interface CompletionRequest extends Caller {
  /** The name of a prompt; the URI or URI template of a resource. */
  readonly ref: string;
  readonly argument: string;
  /** What has been typed so far. */
  readonly value: string;
  /** What was chosen for other arguments already. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The same, from a transport. */
  readonly cancellation?: Cancellation | undefined;
  /** The metadata of the request: trace context, and whatever else the client sent along. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** What the manager's context type asks for beyond the standard members. */
  readonly context?: object | undefined;
}

/** What a completer knows beside the value. */
export interface CompletionCall<TContext extends object = object> {
  /** What was chosen for other arguments already. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  readonly context: ToolContext<TContext>;
}

/** What a completer finds: all values, or some of them and how many there are. */
export type CompletionReturn =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/** The values of an argument: a list, of which those are shown that begin with what was typed; or a function that finds them. */
export type Completer<TContext extends object = object> =
  | readonly string[]
  | ((value: string, call: CompletionCall<TContext>) => CompletionReturn | Promise<CompletionReturn>);

/** Completers by argument. */
export type Completers<TArgument extends string = string, TContext extends object = object> = {
  readonly [TName in TArgument]?: Completer<TContext>;
};
