import type { OtherKind } from '../../errors/component-kind.ts';
import { silentLogger } from '../../errors/logger.ts';
import type { Logger } from '../../errors/logger.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import { hash } from '../../base/hash.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { Validated } from '../../schema/issues/validated.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { setMemoryState } from '../../stores/memory-state.ts';
import { MemoryRateLimitStore } from '../../stores/rate-limit-store.ts';
import type { RateDecision, RateLimit, RateLimitStore } from '../../stores/rate-limit-store.ts';
import type { Caller } from './policy.ts';
import type { Outcome } from './outcome.ts';

/** The call that a security wrapper checks. */
export interface SecureCall extends Caller {
  /** Name of the tool or prompt, or URI or URI template of the resource. */
  readonly tool: string;
  /** Set for prompts and resources. */
  readonly kind?: OtherKind | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Runs the tool with validated input; never throws. */
export type RunTool = (input: unknown) => MaybePromise<Outcome>;

/** Wraps the handler of one tool: checks the call, then runs it or returns another outcome. */
export type SecurityWrapper = (call: SecureCall, run: RunTool) => MaybePromise<Outcome>;

/** Creates the wrapper of one tool. Called once per tool, at registration. */
export type WithSecurityWrapper = (
  namespace: string,
  operation: string,
  schema: CompiledSchema,
) => SecurityWrapper;

/** The default rate limit: 6,000 calls per minute and caller. */
export const DEFAULT_RATE_LIMIT: RateLimit = { limit: 6000, perMs: 60_000 };

/** Options of {@link createSecurityWrapper}. */
export interface SecurityWrapperOptions {
  /** Rate limit per caller and namespace; `false` for none. Default: {@link DEFAULT_RATE_LIMIT}. */
  readonly rateLimit?: RateLimit | false | undefined;
  /** Default: in memory. */
  readonly rateLimitStore?: RateLimitStore | undefined;
  /** Default: no logging. */
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/** The default security wrapper: applies the rate limit, validates the arguments, runs the tool and logs the outcome. */
export function createSecurityWrapper(options: SecurityWrapperOptions = {}): WithSecurityWrapper {
  return createCountingWrapper(options, (namespace) => namespace);
}

/** The same for registries that share their rate limit. */
export function createCountingWrapper(
  options: SecurityWrapperOptions,
  countedAs: (namespace: string) => string,
): WithSecurityWrapper {
  const { rateLimit = DEFAULT_RATE_LIMIT, logger = silentLogger, clock = systemClock } = options;
  const rateLimitStore = options.rateLimitStore ?? new MemoryRateLimitStore({ clock });
  const shared: SharedParts = { rateLimit, rateLimitStore, logger, clock };
  const withSecurityWrapper: WithSecurityWrapper = (namespace, operation, schema) => {
    // Without the separator of keys: the id of a principal cannot continue the name of another namespace.
    const counted = countedAs(namespace).replaceAll('%', '%25').replaceAll('|', '%7C');
    const wrapper: ToolParts = {
      shared,
      namespace,
      counted,
      operation,
      schema,
      anonymousKey: `${counted}|anonymous`,
    };
    return (call, run) => limitAndLog(wrapper, call, run);
  };
  const isInMemory = rateLimit !== false && rateLimitStore instanceof MemoryRateLimitStore;
  return setMemoryState(withSecurityWrapper, isInMemory ? ['rateLimit'] : []);
}

interface SharedParts {
  readonly rateLimit: RateLimit | false;
  readonly rateLimitStore: RateLimitStore;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The parts that differ by tool: one small object, because with many tools memory access dominates. */
interface ToolParts {
  readonly shared: SharedParts;
  readonly namespace: string;
  /** The namespace whose calls are counted together. */
  readonly counted: string;
  readonly operation: string;
  readonly schema: CompiledSchema;
  readonly anonymousKey: string;
}

function limitAndLog(parts: ToolParts, call: SecureCall, run: RunTool): MaybePromise<Outcome> {
  const { logger, clock } = parts.shared;
  if (logger.isEnabled?.('info') === false) return limitAndRun(parts, call, run);
  const startedAt = clock.now();
  const log = (outcome: Outcome): Outcome => {
    const { tool, kind = 'tool', principal } = call;
    const { namespace, operation } = parts;
    const durationMs = clock.now() - startedAt;
    logger.info(`${kind} call`, {
      [kind]: tool,
      namespace,
      operation,
      principal: principal?.id,
      outcome: outcome.kind,
      durationMs,
    });
    return outcome;
  };
  const outcome = limitAndRun(parts, call, run);
  return isPromiseLike(outcome) ? outcome.then(log) : log(outcome);
}

function limitAndRun(parts: ToolParts, call: SecureCall, run: RunTool): MaybePromise<Outcome> {
  const { rateLimit, rateLimitStore } = parts.shared;
  if (rateLimit === false) return validateAndRun(parts, call, run);
  const key = rateKey(parts, call);
  const decision = isPromiseLike(key)
    ? key.then((hashed) => rateLimitStore.consume(hashed, rateLimit))
    : rateLimitStore.consume(key, rateLimit);
  if (isPromiseLike(decision)) {
    return decision.then((settled) => {
      // defence: rate-limit-of-slow-stores
      if (!settled.allowed) return toLimited(settled);
      return validateAndRun(parts, call, run);
    });
  }
  // defence: rate-limit
  if (!decision.allowed) return toLimited(decision);
  return validateAndRun(parts, call, run);
}

function toLimited({ retryAfterMs }: Extract<RateDecision, { allowed: false }>): Outcome {
  return { kind: 'rate-limited', retryAfterMs };
}

function validateAndRun({ schema }: ToolParts, call: SecureCall, run: RunTool): MaybePromise<Outcome> {
  const validated = schema.validate(call.arguments);
  return isPromiseLike(validated) ? validated.then((settled) => judge(settled, run)) : judge(validated, run);
}

function judge(validated: Validated<unknown>, run: RunTool): MaybePromise<Outcome> {
  return validated.ok ? run(validated.value) : { kind: 'invalid-input', issues: validated.issues };
}

/** The rate limit key. A token is hashed: the store may be outside of this process. */
function rateKey(
  { counted: namespace, anonymousKey }: ToolParts,
  { principal, accessToken, address }: Caller,
): MaybePromise<string> {
  if (principal !== undefined) {
    const { id, tenant } = principal;
    if (tenant !== undefined) return `${namespace}|tenant|${JSON.stringify([tenant, id])}`;
    // defence: count-for-each-principal
    return `${namespace}|principal|${id}`;
  }
  if (accessToken !== undefined) {
    // defence: hashed-token-of-a-count
    return hash(accessToken).then((digest) => `${namespace}|token|${digest}`);
  }
  // defence: count-for-each-address
  return address === undefined ? anonymousKey : `${namespace}|address|${address}`;
}
