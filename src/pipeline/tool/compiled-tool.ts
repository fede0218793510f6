import type { ErrorCode } from '../../errors/codes.ts';
import type { ComponentKind } from '../../errors/component-kind.ts';
import type { WholeErrorHandler } from '../../errors/error-handler.ts';
import type { Logger } from '../../errors/logger.ts';
import type { ResponseFormatterLike } from '../../format/response-formatter.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ConfirmationStore } from '../../stores/confirmation-store.ts';
import type { StateStore } from '../../stores/state/state-store.ts';
import type { AskedSchemas } from '../context/asked-schemas.ts';
import type { ToolCall } from '../context/call.ts';
import type { CallContext } from '../context/call-context.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { Caller, Policy } from './policy.ts';
import type { SecurityWrapper } from './secure.ts';

/** A call that has ended, whether or not anything ran. No arguments, results or messages, because they may contain secrets. */
export interface CallRecord {
  /** Start of the call in milliseconds since 1970, by the wall time of the clock. */
  readonly at: number;
  readonly kind: ComponentKind;
  /** The canonical name, such as `platform.users.create`. If the caller cannot use it: the name that the client sent, at most 128 characters. */
  readonly name: string;
  /** The id of the principal. */
  readonly principal?: string;
  /** W3C trace context of the call. */
  readonly traceparent?: string;
  /** `input-required`: the client was asked and sends the call again. */
  readonly outcome: 'ok' | 'error' | 'input-required';
  /** Set if the outcome is `error`. */
  readonly code?: ErrorCode;
  readonly durationMs: number;
}

/** The collaborators of everything that a server, registry or manager compiles. Mounted tools keep those they were compiled with. */
export interface Collaborators {
  readonly errorHandler: WholeErrorHandler;
  readonly responseFormatter: ResponseFormatterLike;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly policy: Policy | undefined;
  /** Creates the members of the registry's context type beyond the standard ones. */
  readonly createContext: ((call: ToolCall) => object | Promise<object>) | undefined;
  readonly maxResultBytes: number;
  /** Whether the security wrapper counts calls in the memory of this process. */
  readonly isCountedInMemory: boolean;
  /** Store of pending confirmations. */
  readonly confirmations: ConfirmationStore;
  readonly confirmationTtlMs: number;
  /** Store behind the state and the handles of callers. */
  readonly stateStore: StateStore;
  /** Compiled schemas of the forms that handlers ask with. */
  readonly askedSchemas: AskedSchemas;
  /** Receives the record of every call. */
  readonly onCallEnd: ((record: CallRecord) => void | Promise<void>) | undefined;
}

/** Input of {@link CompiledTool.resolveDefaults}. */
export interface DefaultArgumentRequest {
  readonly rawArguments: Readonly<Record<string, unknown>>;
  readonly context: CallContext;
}

/** Resolved task options of a tool. */
export interface CompiledTaskOptions {
  readonly support: 'optional' | 'required';
  readonly start: 'call' | 'handler';
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  readonly retries: number;
}

/** All scopes that a call needs, if the caller lacks one of those for `given`; with `sent`, also those for the arguments as they were sent. */
export type FindMissingScopes = (
  caller: Caller,
  given: unknown,
  sent?: unknown,
) => readonly string[] | undefined;

/** A tool ready to be called. Everything that can be decided before a call is decided here. */
export interface CompiledTool {
  /** The canonical name: `add`, or `platform.users.create`. */
  readonly name: string;
  /** Name of the server, or of the outermost registry or manager. What a caller begins there belongs to it. */
  readonly server: string;
  /** Prefix of errors in brackets: `platform/users.create`. Undefined for a single tool. */
  readonly label: string | undefined;
  readonly operation: string;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly handler: (call: { readonly input: unknown; readonly context: CallContext }) => unknown;
  /** Previews the effect of the handler. If set, a call requires confirmation. */
  readonly preview:
    | ((call: { readonly input: unknown; readonly context: CallContext }) => unknown)
    | undefined;
  /** Whether a call with these validated arguments requires confirmation. Undefined: every call does. */
  readonly confirmIf: ((input: Readonly<Record<string, unknown>>) => boolean) | undefined;
  readonly resolveDefaults: ((request: DefaultArgumentRequest) => unknown) | undefined;
  /** The arguments the resolver can supply. */
  readonly resolvedArguments: readonly string[];
  /** Describes the arguments if the tool list omits their schema; added to validation errors. */
  readonly inputHelp?: (() => string) | undefined;
  /** Whether the definition lists secret arguments. */
  readonly hasSecrets: boolean;
  readonly secure: SecurityWrapper;
  /** Format of invalid arguments: a result with `isError`, or a JSON-RPC error. */
  readonly invalidArguments: 'tool-error' | 'protocol-error';
  /** Whether callers without its scopes see the tool; their calls are challenged then. */
  readonly isListedWithoutScopes: boolean;
  /** Undefined where no call is challenged. */
  readonly findMissingScopes: FindMissingScopes | undefined;
  readonly timeoutMs: number;
  /** Task options; undefined if the tool never runs as a task. */
  readonly task: CompiledTaskOptions | undefined;
  /** Text beside structured content: the same data, or a short note. */
  readonly structuredText: 'full' | 'short';
  readonly subject: PolicySubject;
  /** The registry's logger, with the tool's name in every entry. */
  readonly log: Logger;
  readonly cache: CacheHelpers;
  readonly collaborators: Collaborators;
}
