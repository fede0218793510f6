import type { ToolContext } from '../middleware/context.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import type { Cancellation } from '../base/time/cancellation.ts';

/** A completion request: possible values of an argument, or of a variable in a URI. */
export interface CompletionRequest extends Caller {
  /** The name of a prompt; the URI or URI template of a resource. */
  readonly ref: string;
  readonly argument: string;
  /** The typed prefix. */
  readonly value: string;
  /** The values of other arguments that are already chosen. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The same, from a transport. */
  readonly cancellation?: Cancellation | undefined;
  /** The metadata of the request: trace context, and further data from the client. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Members of the manager's context type beyond the standard ones. */
  readonly context?: object | undefined;
}

/** The parameter of a completer beside the value. */
export interface CompletionCall<TContext extends object = object> {
  /** The values of other arguments that are already chosen. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  readonly context: ToolContext<TContext>;
}

/** The return value of a completer: all values, or some of them and their total number. */
export type CompletionReturn =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/** The values of an argument: an array, filtered by the typed prefix, or a function that returns them. */
export type Completer<TContext extends object = object> =
  | readonly string[]
  | ((value: string, call: CompletionCall<TContext>) => CompletionReturn | Promise<CompletionReturn>);

/** Completers by argument. */
export type Completers<TArgument extends string = string, TContext extends object = object> = {
  readonly [TName in TArgument]?: Completer<TContext>;
};
