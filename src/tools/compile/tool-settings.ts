import { ErrorHandler, watchErrors } from '../../errors/error-handler.ts';
import type { MissingScopes } from '../tool-definition.ts';
import type { WatchOptions, WholeErrorHandler } from '../../errors/error-handler.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import { createLogger } from '../../errors/logger.ts';
import { shieldLogger } from '../../errors/shielded-logger.ts';
import { ResponseFormatter } from '../../format/response-formatter.ts';
import { AskedSchemas } from '../../pipeline/context/asked-schemas.ts';
import type { Collaborators } from '../../pipeline/tool/compiled-tool.ts';
import { compilePolicy } from '../../pipeline/tool/policy-rules.ts';
import { createCountingWrapper, DEFAULT_RATE_LIMIT } from '../../pipeline/tool/secure.ts';
import type { WithSecurityWrapper } from '../../pipeline/tool/secure.ts';
import { loadAjvCompiler } from '../../schema/ajv/ajv-compiler.ts';
import type { JsonSchemaCompiler } from '../../schema/issues/json-schema-compiler.ts';
import type { SlowPatterns } from '../../schema/expressions/check-patterns.ts';
import type { UnknownArguments } from '../../schema/issues/unknown-keys.ts';
import { assertSettings, SETTINGS } from './assert-settings.ts';
import type { ToolSettingsOptions } from './settings-options.ts';
import { createCacheHelpers } from '../../stores/cache-helpers.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import { MemoryCacheStore } from '../../stores/cache-store.ts';
import type { CacheStore } from '../../stores/cache-store.ts';
import { systemClock } from '../../base/time/clock.ts';
import { memoryStateOf } from '../../stores/memory-state.ts';
import { MemoryConfirmationStore } from '../../stores/confirmation-store.ts';
import { MemoryRateLimitStore } from '../../stores/rate-limit-store.ts';
import { MemoryStateStore } from '../../stores/state/state-store.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Default limits of a registry. `docs/limits.md` shows the same numbers; a test compares them. */
export const REGISTRY_DEFAULTS: Readonly<
  Record<
    | 'timeoutMs'
    | 'maxTimeoutMs'
    | 'maxResultBytes'
    | 'rateLimit'
    | 'ratePerMs'
    | 'confirmationTtlMs'
    | 'tokenBudget'
    | 'describeTokens',
    number
  >
> = {
  /** Clients time out after 60 s; the tool should time out first. */
  timeoutMs: 50_000,
  /** Use a task for longer work. */
  maxTimeoutMs: 600_000,
  maxResultBytes: 4_194_304,
  rateLimit: DEFAULT_RATE_LIMIT.limit,
  ratePerMs: DEFAULT_RATE_LIMIT.perMs,
  /** Long enough to read a preview, too short for a forgotten one. */
  confirmationTtlMs: 120_000,
  /** Maximum size of a list in tokens before `auto` switches to search. */
  tokenBudget: 10_000,
  /** Maximum size of a description in tokens before deep parts of schemas are left out. */
  describeTokens: 4000,
};

/**
 * The options with their defaults. A server resolves them once; its tools, prompts and resources share the result.
 */
export interface ToolSettings {
  readonly name: string;
  readonly unknownArguments: UnknownArguments;
  readonly repairArguments: boolean;
  readonly invalidArguments: 'tool-error' | 'protocol-error';
  readonly missingScopes: MissingScopes;
  readonly slowPatterns: SlowPatterns;
  readonly structuredText: 'full' | 'short';
  readonly timeoutMs: number;
  readonly flatSeparator: string;
  readonly withSecurityWrapper: WithSecurityWrapper;
  readonly jsonSchemaCompiler: () => JsonSchemaCompiler;
  readonly cache: CacheHelpers;
  readonly collaborators: Collaborators;
  /** Error watch, shared by a server and everything that inherits from it. */
  readonly watched: WatchOptions;
  /** The options that were passed. */
  readonly given: GivenSettings;
  /** The same with every stateful collaborator, which {@link inheritSettings} shares. */
  readonly shared: GivenSettings;
}

/** Options without those that are undefined. */
type GivenSettings = ToolSettingsOptions<never>;

/** Fills in the defaults. `owner` names the object that the options were passed to, for errors. */
export function resolveSettings<TContext extends object>(
  options: ToolSettingsOptions<TContext>,
  owner: string,
): ToolSettings {
  assertSettings(options as ToolSettingsOptions<never>, owner);
  assertTimeout(options.timeoutMs ?? REGISTRY_DEFAULTS.timeoutMs, owner);
  const said = Object.entries(options).filter(([key, value]) => key in SETTINGS && value !== undefined);
  const given = Object.fromEntries(said) as GivenSettings;
  return assemble(given, given, { watch: {}, isLogged: given.logger !== undefined });
}

/**
 * The settings of a registry or a manager that a server serves: settings that it does not have are the server's, collaborators included.
 * The policy stays its own; the server's policy is applied where the registry is mounted, with the names that callers see. `flatSeparator`
 * and `slowPatterns` also stay, because names and schemas were checked with them at registration.
 */
export function inheritSettings(own: ToolSettings, server: ToolSettings): ToolSettings {
  const { policy: _policy, errors, errorHandler, ...shared } = server.shared;
  const { flatSeparator, slowPatterns, collaborators } = own;
  // Two forms of the same setting.
  const saysErrors = own.given.errors !== undefined || own.given.errorHandler !== undefined;
  const handling = saysErrors ? {} : { errors, errorHandler };
  // Schemas that were compiled with the default compiler are valid for this server too.
  const { jsonSchemaCompiler } = server.given.jsonSchemaCompiler === undefined ? own.shared : server.shared;
  const options = { ...shared, ...handling, jsonSchemaCompiler, ...own.given } as GivenSettings;
  const { watch, isLogged } = server.watched;
  const { rateLimit, rateLimitStore } = own.given;
  const hasOwnCount = rateLimit !== undefined || rateLimitStore !== undefined;
  const inherited = assemble(
    own.given,
    options,
    { watch, isLogged: isLogged || own.given.logger !== undefined },
    // A server has one rate limit for everything it serves, whatever the names of its registries.
    (namespace) => (namespace === own.name && !hasOwnCount ? server.name : namespace),
  );
  return {
    ...inherited,
    flatSeparator,
    slowPatterns,
    collaborators: { ...inherited.collaborators, policy: collaborators.policy },
  };
}

// oxlint-disable-next-line max-params -- the last one is only for settings that are inherited
function assemble(
  given: GivenSettings,
  options: GivenSettings,
  watched: WatchOptions,
  countedAs = (namespace: string): string => namespace,
): ToolSettings {
  const logger = shieldLogger(options.logger ?? createLogger());
  const clock = options.clock ?? systemClock;
  const rateLimitStore = options.rateLimitStore ?? new MemoryRateLimitStore({ clock });
  const cache = toCacheHelpers(options.cache ?? new MemoryCacheStore({ clock }), clock);
  const confirmationStore = options.confirmationStore ?? new MemoryConfirmationStore({ clock });
  const stateStore = options.stateStore ?? new MemoryStateStore({ clock });
  const compiler = options.jsonSchemaCompiler ?? lazyCompiler();
  const jsonSchemaCompiler = (): JsonSchemaCompiler => compiler;
  const withSecurityWrapper =
    options.withSecurityWrapper ??
    createCountingWrapper({ rateLimit: options.rateLimit, rateLimitStore, logger, clock }, countedAs);
  return {
    watched,
    given,
    shared: {
      ...options,
      logger,
      clock,
      rateLimitStore,
      cache,
      confirmationStore,
      stateStore,
      jsonSchemaCompiler: compiler,
    },
    name: options.name ?? 'toolwright',
    unknownArguments: options.unknownArguments ?? 'strip',
    repairArguments: options.repairArguments ?? false,
    invalidArguments: options.invalidArguments ?? 'tool-error',
    missingScopes: options.missingScopes ?? 'hide',
    slowPatterns: options.slowPatterns ?? 'refuse',
    structuredText: options.structuredText ?? 'full',
    flatSeparator: options.flatSeparator ?? '_',
    timeoutMs: options.timeoutMs ?? REGISTRY_DEFAULTS.timeoutMs,
    withSecurityWrapper,
    jsonSchemaCompiler,
    cache,
    collaborators: {
      logger,
      clock,
      errorHandler: toErrorHandler({ ...options, logger }, watched),
      responseFormatter: options.responseFormatter ?? new ResponseFormatter(),
      policy: options.policy === undefined ? undefined : compilePolicy(options.policy, logger),
      createContext: options.createContext,
      maxResultBytes: options.maxResultBytes ?? REGISTRY_DEFAULTS.maxResultBytes,
      isCountedInMemory: memoryStateOf(withSecurityWrapper).length > 0,
      confirmations: confirmationStore,
      confirmationTtlMs: options.confirmationTtlMs ?? REGISTRY_DEFAULTS.confirmationTtlMs,
      stateStore,
      askedSchemas: new AskedSchemas(jsonSchemaCompiler),
      onCallEnd: options.onCallEnd,
    },
  };
}

function toErrorHandler(
  { errorHandler, errors, logger }: GivenSettings,
  watched: WatchOptions,
): WholeErrorHandler {
  if (errorHandler !== undefined) return watchErrors(errorHandler, watched.watch);
  const options = {
    ...(logger === undefined ? {} : { logger }),
    ...(errors === undefined ? {} : { errors }),
  };
  return new ErrorHandler(options, watched);
}

/** Loads Ajv when the first raw JSON Schema is registered. */
function lazyCompiler(): JsonSchemaCompiler {
  let loaded: JsonSchemaCompiler | undefined;
  const load = (): JsonSchemaCompiler => (loaded ??= loadAjvCompiler());
  return {
    findProblem: (schema) => load().findProblem(schema),
    compile: (schema, limits) => load().compile(schema, limits),
  };
}

/** Rejects timeouts that timers cannot hold or clients do not wait for. */
export function assertTimeout(timeoutMs: number, owner: string): number {
  const { maxTimeoutMs } = REGISTRY_DEFAULTS;
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0 || timeoutMs > maxTimeoutMs) {
    const expected = `a number greater than 0 and at most ${maxTimeoutMs}`;
    throw wrongValue(owner, { option: 'timeoutMs', expected, value: timeoutMs });
  }
  return timeoutMs;
}

function toCacheHelpers(cache: CacheStore | CacheHelpers, clock: Clock): CacheHelpers {
  return 'wrap' in cache ? cache : createCacheHelpers(cache, clock);
}
