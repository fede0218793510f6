import type { WholeErrorHandler } from '../../errors/error-handler.ts';
import type { Logger } from '../../errors/logger.ts';
import type { ResponseFormatterLike } from '../../format/response-formatter.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ConfirmationStore } from '../../stores/confirmation-store.ts';
import type { AskedSchemas } from '../context/asked-schemas.ts';
import type { ToolCall } from '../context/call.ts';
import type { CallContext } from '../context/call-context.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { Caller, Policy } from './policy.ts';
import type { SecurityWrapper } from './secure.ts';

/** One set for everything that a server, a registry or a manager compiles. What is mounted keeps the set it was compiled with. */
export interface Collaborators {
  readonly errorHandler: WholeErrorHandler;
  readonly responseFormatter: ResponseFormatterLike;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly policy: Policy | undefined;
  /** Makes what the registry's context type asks for beyond the standard members. */
  readonly createContext: ((call: ToolCall) => object | Promise<object>) | undefined;
  readonly maxResultBytes: number;
  /** Where confirmations wait. */
  readonly confirmations: ConfirmationStore;
  readonly confirmationTtlMs: number;
  /** The schemas of the forms that handlers ask with. */
  readonly askedSchemas: AskedSchemas;
}

/** What {@link CompiledTool.resolveDefaults} is asked with. */
export interface DefaultArgumentRequest {
  readonly rawArguments: Readonly<Record<string, unknown>>;
  readonly context: CallContext;
}

/** How a tool runs as a task, with everything filled in. */
export interface CompiledTaskOptions {
  readonly support: 'optional' | 'required';
  readonly start: 'call' | 'handler';
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
}

/** All scopes that a call needs, if the caller lacks one of them. */
export type FindMissingScopes = (caller: Caller, given: unknown) => readonly string[] | undefined;

/** A tool ready to be called. Everything that can be decided before a call is decided here. */
export interface CompiledTool {
  /** The canonical name: `add`, or `platform.users.create`. */
  readonly name: string;
  /** Stands in brackets before what goes wrong: `platform/users.create`. Undefined for a single tool. */
  readonly label: string | undefined;
  readonly operation: string;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly handler: (call: { readonly input: unknown; readonly context: CallContext }) => unknown;
  /** Says what the handler would do. Where it is set, a call must be confirmed. */
  readonly preview:
    | ((call: { readonly input: unknown; readonly context: CallContext }) => unknown)
    | undefined;
  readonly resolveDefaults: ((request: DefaultArgumentRequest) => unknown) | undefined;
  /** The arguments the resolver can supply. */
  readonly resolvedArguments: readonly string[];
  /** Says what the arguments look like, where a list leaves that out: added to what is wrong with them. */
  readonly inputHelp?: (() => string) | undefined;
  /** Whether the definition lists secret arguments. */
  readonly hasSecrets: boolean;
  readonly secure: SecurityWrapper;
  /** How invalid arguments are reported: as a result with `isError`, or as a JSON-RPC error. */
  readonly invalidArguments: 'tool-error' | 'protocol-error';
  /** Whether callers without its scopes see the tool; their calls are challenged then. */
  readonly isListedWithoutScopes: boolean;
  /** Undefined where no call is challenged. */
  readonly findMissingScopes: FindMissingScopes | undefined;
  readonly timeoutMs: number;
  /** How it runs as a task; undefined when it never does. */
  readonly task: CompiledTaskOptions | undefined;
  /** Beside structured content: the same data as text, or a short note. */
  readonly structuredText: 'full' | 'short';
  readonly subject: PolicySubject;
  /** The registry's logger, with the tool's name on every entry. */
  readonly log: Logger;
  readonly cache: CacheHelpers;
  readonly collaborators: Collaborators;
}
