import type { MissingScopes } from '../tool-definition.ts';
import type { ErrorHandlerLike, ErrorsShown } from '../../errors/error-handler.ts';
import type { Logger } from '../../errors/logger.ts';
import type { ResponseFormatterLike } from '../../format/response-formatter.ts';
import type { Reserved } from '../../middleware/context.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import type { CallRecord } from '../../pipeline/tool/compiled-tool.ts';
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
import type { StateStore } from '../../stores/state/state-store.ts';

/** Creates the application's part of the context. */
type CreateContext<TContext extends object> = (
  call: ToolCall,
) => (TContext & Reserved) | Promise<TContext & Reserved>;

/** Options with a `createContext`. A registry or a manager with these options needs no context from its server. */
export interface OwnContext<TContext extends object> {
  /** Creates the application's part of the context; called once per call. */
  readonly createContext: CreateContext<TContext>;
}

/** Settings that define how tools are compiled and called. Each collaborator has a default and can be replaced. */
export interface ToolSettingsOptions<TContext extends object = object> {
  /** Name of the registry in messages, and default namespace of its tools. Default: `toolwright`. */
  readonly name?: string;
  /**
   * Creates the application's part of the context; called once per call. It must not use the names of standard members. If tools are defined
   * inline beside it, annotate its parameter (`({ principal }: ToolCall) => …`); otherwise their context type is not inferred.
   */
  readonly createContext?: CreateContext<TContext>;
  /**
   * Rules or a function that decide which tools each caller may see and call. Default: none (every caller may use
   * every tool).
   */
  readonly policy?: Policy | PolicyRules;

  /** `strip` drops unknown arguments, `reject` rejects the call. Default: `strip`. */
  readonly unknownArguments?: UnknownArguments;
  /**
   * Parses numbers, booleans, arrays and objects that were sent as JSON strings; never for destructive tools.
   * Default: false.
   */
  readonly repairArguments?: boolean;
  /**
   * Form of the response to invalid arguments: a result with `isError` (`tool-error`) or the JSON-RPC error -32602
   * (`protocol-error`). Default: `tool-error`.
   */
  readonly invalidArguments?: 'tool-error' | 'protocol-error';
  /**
   * Callers without the scopes of a tool do not see it (`hide`), or see it and get a 403 `insufficient_scope` when they call it (`challenge`), with
   * which a client can ask for more scopes. Default: `hide`.
   */
  readonly missingScopes?: MissingScopes;
  /**
   * Handling of regular expressions in schemas that can take very long to match: rejected (`refuse`), logged
   * (`warn`) or not checked (`allow`). Default: `refuse`.
   */
  readonly slowPatterns?: SlowPatterns;
  /** Text beside structured content: the same data (`full`) or a short note (`short`). Default: `full`. */
  readonly structuredText?: 'full' | 'short';
  /** Timeout of a call, in milliseconds. Default: 50,000. */
  readonly timeoutMs?: number;
  /** Maximum size of a result, in bytes. Default: 4,194,304 (4 MiB). */
  readonly maxResultBytes?: number;
  /**
   * Rate limit per caller; `false` disables it. Ignored with your own `withSecurityWrapper`. Default: 6,000 calls
   * per minute.
   */
  readonly rateLimit?: RateLimit | false;

  /** Separator of tool, group and action in the names of the `flat` exposure. Default: `_`. */
  readonly flatSeparator?: string;
  /** Validity of a confirmation token, in milliseconds. Default: 120,000 (two minutes). */
  readonly confirmationTtlMs?: number;
  /** Store of confirmation tokens. Default: in memory. */
  readonly confirmationStore?: ConfirmationStore;

  /**
   * Error details that callers see when a handler throws anything but a `ToolError`: a reference to the log
   * (`masked`), or also the message, without credentials, stack frames and file paths (`messages`). Default:
   * `masked`.
   */
  readonly errors?: ErrorsShown;

  /** Creates the function that runs between a call and its handler. Default: rate limit, validation, log. */
  readonly withSecurityWrapper?: WithSecurityWrapper;
  /** Formats the results of failed calls. Default: `ErrorHandler` of `toolwright/collaborators`. */
  readonly errorHandler?: ErrorHandlerLike;
  /** Formats the values that handlers return. Default: `ResponseFormatter` of `toolwright/collaborators`. */
  readonly responseFormatter?: ResponseFormatterLike;
  /** Store behind `context.cache`, or your own cache helpers. Default: in memory. */
  readonly cache?: CacheStore | CacheHelpers;
  /** Store behind `context.state` and handles. Default: in memory. */
  readonly stateStore?: StateStore;
  /** Store of the rate limit counters. Default: in memory. */
  readonly rateLimitStore?: RateLimitStore;
  /** Log of the server. Default: warnings and errors, as JSON on standard error. */
  readonly logger?: Logger;
  /** Source of the current time; tests pass their own. Default: the system clock. */
  readonly clock?: Clock;
  /**
   * Receives one record of every call, including calls that are rejected before middleware runs: of unknown or hidden tools, without the
   * scopes, above the rate limit, with invalid arguments. The response does not wait for it. Default: none.
   */
  readonly onCallEnd?: (record: CallRecord) => void | Promise<void>;
  /** Compiles raw JSON Schemas. Default: Ajv, loaded when the first one is registered. */
  readonly jsonSchemaCompiler?: JsonSchemaCompiler;
}
