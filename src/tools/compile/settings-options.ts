import type { MissingScopes } from '../tool-definition.ts';
import type { ErrorHandlerLike, ErrorsShown } from '../../errors/error-handler.ts';
import type { Logger } from '../../errors/logger.ts';
import type { ResponseFormatterLike } from '../../format/response-formatter.ts';
import type { Reserved } from '../../middleware/context.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import type { Policy } from '../../pipeline/tool/policy.ts';
import type { PolicyRules } from '../../pipeline/tool/policy-rules.ts';
import type { WithSecurityWrapper } from '../../pipeline/tool/secure.ts';
import type { JsonSchemaCompiler } from '../../schema/issues/json-schema-compiler.ts';
import type { SlowPatterns } from '../../schema/expressions/check-patterns.ts';
import type { UnknownArguments } from '../../schema/issues/unknown-keys.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import type { CacheStore } from '../../stores/cache-store.ts';
import type { ConfirmationStore } from '../../stores/confirmation-store.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { RateLimit, RateLimitStore } from '../../stores/rate-limit-store.ts';

/** Makes the part of the context that is the application's own. */
type CreateContext<TContext extends object> = (
  call: ToolCall,
) => (TContext & Reserved) | Promise<TContext & Reserved>;

/** Options with a `createContext`. A registry or a manager that has them needs no context from its server. */
export interface OwnContext<TContext extends object> {
  /** Makes the part of the context that is this application's own; called once per call. */
  readonly createContext: CreateContext<TContext>;
}

/** How tools are compiled and called. Every collaborator has a real default and can be replaced in one line. */
export interface ToolSettingsOptions<TContext extends object = object> {
  /** Names the registry in messages; the default namespace of its tools. Default: `toolwright`. */
  readonly name?: string;
  /**
   * Makes the part of the context that is this application's own; called once per call. The names of standard members are taken. Annotate its
   * parameter, `({ principal }: ToolCall) => …`, where tools are written inline beside it: otherwise their context is not inferred.
   */
  readonly createContext?: CreateContext<TContext>;
  /** Decides who may see and call what: rules, or a function of your own. Default: everybody everything. */
  readonly policy?: Policy | PolicyRules;

  /** Unknown arguments are dropped (`strip`, the default) or refused (`reject`). */
  readonly unknownArguments?: UnknownArguments;
  /** Undo numbers, booleans, arrays and objects sent as JSON strings; never for destructive tools. Default: false. */
  readonly repairArguments?: boolean;
  /** Bad input is a result with `isError` (`tool-error`, the default) or the JSON-RPC error -32602 (`protocol-error`). */
  readonly invalidArguments?: 'tool-error' | 'protocol-error';
  /**
   * Callers without the scopes of a tool do not see it (`hide`), or see it and get a 403 `insufficient_scope` when they call it (`challenge`), with
   * which a client can ask for more scopes. Default: `hide`.
   */
  readonly missingScopes?: MissingScopes;
  /**
   * Patterns of schemas that can take very long on some texts are refused (`refuse`, the default), named in the log (`warn`), or not looked
   * for (`allow`).
   */
  readonly slowPatterns?: SlowPatterns;
  /** Beside structured content: the same data as text (`full`, the default), or a short note. */
  readonly structuredText?: 'full' | 'short';
  /** How long a tool may take. Default: 50 s. */
  readonly timeoutMs?: number;
  /** The largest result that is sent. Default: 4 MiB. */
  readonly maxResultBytes?: number;
  /** Calls per caller in a window; false for no limit. Default: 6,000 a minute. Ignored with a `withSecurityWrapper` of your own. */
  readonly rateLimit?: RateLimit | false;

  /** Stands between tool, group and action in the names of the `flat` exposure. Default: `_`. */
  readonly flatSeparator?: string;
  /** How long a confirmation may be used. Default: two minutes. */
  readonly confirmationTtlMs?: number;
  /** Where confirmations wait. Default: in memory. */
  readonly confirmationStore?: ConfirmationStore;

  /**
   * What a caller is told when a handler throws something that is not a `ToolError`: a reference to the log (`masked`, the default), or the
   * message as well, without credentials, stack frames and file paths (`messages`).
   */
  readonly errors?: ErrorsShown;

  /** Makes what runs between a call and its handler. Default: rate limit, validation, log. */
  readonly withSecurityWrapper?: WithSecurityWrapper;
  /** Writes the results of failed calls. Default: `ErrorHandler` of `toolwright/collaborators`. */
  readonly errorHandler?: ErrorHandlerLike;
  /** Turns what a handler returned into a result. Default: `ResponseFormatter` of `toolwright/collaborators`. */
  readonly responseFormatter?: ResponseFormatterLike;
  /** Where `context.cache` keeps values, or helpers of your own. */
  readonly cache?: CacheStore | CacheHelpers;
  /** Where calls are counted. Default: in memory. */
  readonly rateLimitStore?: RateLimitStore;
  /** The log of the server. Default: warnings and errors, as JSON on standard error. */
  readonly logger?: Logger;
  /** Where the time comes from. Default: the clock of the system; tests pass their own. */
  readonly clock?: Clock;
  /** Checks raw JSON Schema. Default: Ajv, loaded when the first one is registered. */
  readonly jsonSchemaCompiler?: JsonSchemaCompiler;
}
