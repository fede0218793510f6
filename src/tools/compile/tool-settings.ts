import { ErrorHandler } from '../../errors/error-handler.ts';
import type { ErrorHandlerLike } from '../../errors/error-handler.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { createLogger } from '../../errors/logger.ts';
import type { Logger } from '../../errors/logger.ts';
import { shieldLogger } from '../../errors/shielded-logger.ts';
import { ResponseFormatter } from '../../format/response-formatter.ts';
import type { ResponseFormatterLike } from '../../format/response-formatter.ts';
import { AskedSchemas } from '../../pipeline/asked-schemas.ts';
import type { ToolCall } from '../../pipeline/call.ts';
import type { Collaborators } from '../../pipeline/compiled-tool.ts';
import type { Policy } from '../../pipeline/policy.ts';
import { compilePolicy } from '../../pipeline/policy-rules.ts';
import type { PolicyRules } from '../../pipeline/policy-rules.ts';
import { createSecurityWrapper, DEFAULT_RATE_LIMIT } from '../../pipeline/secure.ts';
import type { WithSecurityWrapper } from '../../pipeline/secure.ts';
import { loadAjvCompiler } from '../../schema/ajv-compiler.ts';
import type { JsonSchemaCompiler } from '../../schema/json-schema-compiler.ts';
import type { SlowPatterns } from '../../schema/patterns/check-patterns.ts';
import type { UnknownArguments } from '../../schema/unknown-keys.ts';
import { assertSettings } from './assert-settings.ts';
import { createCacheHelpers } from '../../stores/cache-helpers.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import { MemoryCacheStore } from '../../stores/cache-store.ts';
import type { CacheStore } from '../../stores/cache-store.ts';
import { systemClock } from '../../stores/clock.ts';
import { MemoryConfirmationStore } from '../../stores/confirmation-store.ts';
import type { ConfirmationStore } from '../../stores/confirmation-store.ts';
import type { Clock } from '../../stores/clock.ts';
import type { RateLimit, RateLimitStore } from '../../stores/rate-limit-store.ts';

/** The limits of a registry where nothing else is said. `docs/limits.md` shows the same numbers; a test compares them. */
export const REGISTRY_DEFAULTS: Readonly<
  Record<
    | 'timeoutMs'
    | 'maxTimeoutMs'
    | 'maxResultBytes'
    | 'rateLimit'
    | 'ratePerMs'
    | 'confirmationTtlMs'
    | 'tokenBudget',
    number
  >
> = {
  /** Clients give up at 60 s; the tool should be the first to know. */
  timeoutMs: 50_000,
  /** Work that takes longer is a task, not a call. */
  maxTimeoutMs: 600_000,
  maxResultBytes: 4_194_304,
  rateLimit: DEFAULT_RATE_LIMIT.limit,
  ratePerMs: DEFAULT_RATE_LIMIT.perMs,
  /** Long enough to read a preview, too short to come back to a forgotten one. */
  confirmationTtlMs: 120_000,
  /** What a list may cost before `auto` turns to search. */
  tokenBudget: 10_000,
};

/** How tools are compiled and called. Every collaborator has a real default and can be replaced in one line. */
export interface ToolSettingsOptions<TContext extends object = object> {
  /** Names the registry in messages; the default namespace of its tools. Default: `toolwright`. */
  readonly name?: string;
  /** Makes the part of the context that is this application's own; called once per call. */
  readonly createContext?: (call: ToolCall) => TContext | Promise<TContext>;
  /** Decides who may see and call what: rules, or a function of your own. Default: everybody everything. */
  readonly policy?: Policy | PolicyRules;

  /** Unknown arguments are dropped (`strip`, the default) or refused (`reject`). */
  readonly unknownArguments?: UnknownArguments;
  /** Undo numbers, booleans, arrays and objects sent as JSON strings; never for destructive tools. Default: false. */
  readonly repairArguments?: boolean;
  /** Bad input is a result with `isError` (`tool-error`, the default) or the JSON-RPC error -32602 (`protocol-error`). */
  readonly invalidArguments?: 'tool-error' | 'protocol-error';
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

  readonly withSecurityWrapper?: WithSecurityWrapper;
  readonly errorHandler?: ErrorHandlerLike;
  readonly responseFormatter?: ResponseFormatterLike;
  /** Where `context.cache` keeps values, or helpers of your own. */
  readonly cache?: CacheStore | CacheHelpers;
  readonly rateLimitStore?: RateLimitStore;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Checks raw JSON Schema. Default: Ajv, loaded when the first one is registered. */
  readonly jsonSchemaCompiler?: JsonSchemaCompiler;
}

/** The options with their defaults filled in. A server resolves them once, and its tools, prompts and resources share the result. */
export interface ToolSettings {
  readonly name: string;
  readonly unknownArguments: UnknownArguments;
  readonly repairArguments: boolean;
  readonly invalidArguments: 'tool-error' | 'protocol-error';
  readonly slowPatterns: SlowPatterns;
  readonly structuredText: 'full' | 'short';
  readonly timeoutMs: number;
  readonly flatSeparator: string;
  readonly withSecurityWrapper: WithSecurityWrapper;
  readonly jsonSchemaCompiler: () => JsonSchemaCompiler;
  readonly cache: CacheHelpers;
  readonly collaborators: Collaborators;
}

/** Fills in the defaults. */
export function resolveSettings<TContext extends object>(
  options: ToolSettingsOptions<TContext>,
): ToolSettings {
  assertSettings(options as ToolSettingsOptions<never>);
  const logger = shieldLogger(options.logger ?? createLogger());
  const clock = options.clock ?? systemClock;
  let compiler = options.jsonSchemaCompiler;
  const jsonSchemaCompiler = (): JsonSchemaCompiler => (compiler ??= loadAjvCompiler());
  return {
    name: options.name ?? 'toolwright',
    unknownArguments: options.unknownArguments ?? 'strip',
    repairArguments: options.repairArguments ?? false,
    invalidArguments: options.invalidArguments ?? 'tool-error',
    slowPatterns: options.slowPatterns ?? 'refuse',
    structuredText: options.structuredText ?? 'full',
    flatSeparator: options.flatSeparator ?? '_',
    timeoutMs: assertTimeout(options.timeoutMs ?? REGISTRY_DEFAULTS.timeoutMs, 'The registry'),
    withSecurityWrapper:
      options.withSecurityWrapper ??
      createSecurityWrapper({
        rateLimit: options.rateLimit,
        rateLimitStore: options.rateLimitStore,
        logger,
        clock,
      }),
    jsonSchemaCompiler,
    cache: toCacheHelpers(options.cache ?? new MemoryCacheStore({ clock }), clock),
    collaborators: {
      logger,
      clock,
      errorHandler: options.errorHandler ?? new ErrorHandler({ logger }),
      responseFormatter: options.responseFormatter ?? new ResponseFormatter(),
      policy: options.policy === undefined ? undefined : compilePolicy(options.policy, logger),
      createContext: options.createContext,
      maxResultBytes: options.maxResultBytes ?? REGISTRY_DEFAULTS.maxResultBytes,
      confirmations: options.confirmationStore ?? new MemoryConfirmationStore({ clock }),
      confirmationTtlMs: options.confirmationTtlMs ?? REGISTRY_DEFAULTS.confirmationTtlMs,
      askedSchemas: new AskedSchemas(jsonSchemaCompiler),
    },
  };
}

/** A deadline that timers can hold and clients wait for. */
export function assertTimeout(timeoutMs: number, owner: string): number {
  const { maxTimeoutMs } = REGISTRY_DEFAULTS;
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0 || timeoutMs > maxTimeoutMs) {
    throw new DefinitionError(
      `${owner}: timeoutMs must be more than 0 and at most ${maxTimeoutMs}; it is ${timeoutMs}.`,
    );
  }
  return timeoutMs;
}

function toCacheHelpers(cache: CacheStore | CacheHelpers, clock: Clock): CacheHelpers {
  return 'wrap' in cache ? cache : createCacheHelpers(cache, clock);
}
