import { silentLogger } from '../errors/logger.ts';
import type { Logger } from '../errors/logger.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise, Validated } from '../schema/validated.ts';
import { systemClock } from '../stores/clock.ts';
import type { Clock } from '../stores/clock.ts';
import { MemoryRateLimitStore } from '../stores/rate-limit-store.ts';
import type { RateDecision, RateLimit, RateLimitStore } from '../stores/rate-limit-store.ts';
import type { Caller } from './guard.ts';
import type { Outcome } from './outcome.ts';

/** What the wrapper is asked to let through. */
export interface SecureCall extends Caller {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Runs the tool with validated input; never throws, whatever the handler does. */
export type RunTool = (input: unknown) => MaybePromise<Outcome>;

/** Stands around one tool's handler: checks, then runs it or answers instead. */
export type SecurityWrapper = (call: SecureCall, run: RunTool) => MaybePromise<Outcome>;

/** Makes the wrapper of one tool. Called once per tool, at registration. */
export type WithSecurityWrapper = (
  namespace: string,
  operation: string,
  schema: CompiledSchema,
) => SecurityWrapper;

/** What a caller may do where nothing else is said: 6,000 calls a minute. */
export const DEFAULT_RATE_LIMIT: RateLimit = { limit: 6000, perMs: 60_000 };

/** Options of {@link createSecurityWrapper}. */
export interface SecurityWrapperOptions {
  /** Calls per caller and namespace; false for no limit. Default: {@link DEFAULT_RATE_LIMIT}. */
  readonly rateLimit?: RateLimit | false | undefined;
  /** Default: in memory. */
  readonly rateLimitStore?: RateLimitStore | undefined;
  /** Default: nothing is logged. */
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/** The default wrapper: limits the rate, validates the arguments, runs the tool and logs what came of it. */
export function createSecurityWrapper(options: SecurityWrapperOptions = {}): WithSecurityWrapper {
  const { rateLimit = DEFAULT_RATE_LIMIT, logger = silentLogger, clock = systemClock } = options;
  const rateLimitStore = options.rateLimitStore ?? new MemoryRateLimitStore({ clock });
  return (namespace, operation, schema) => {
    const keyOf = createRateKey(namespace);
    const judge = (validated: Validated<unknown>, run: RunTool): MaybePromise<Outcome> =>
      validated.ok ? run(validated.value) : { kind: 'invalid-input', issues: validated.issues };
    const validateAndRun = (call: SecureCall, run: RunTool): MaybePromise<Outcome> => {
      const validated = schema.validate(call.arguments);
      return isPromiseLike(validated)
        ? validated.then((settled) => judge(settled, run))
        : judge(validated, run);
    };
    const decide = (decision: RateDecision, call: SecureCall, run: RunTool): MaybePromise<Outcome> =>
      decision.allowed
        ? validateAndRun(call, run)
        : { kind: 'rate-limited', retryAfterMs: decision.retryAfterMs };
    const limitAndRun = (call: SecureCall, run: RunTool): MaybePromise<Outcome> => {
      if (rateLimit === false) return validateAndRun(call, run);
      const decision = rateLimitStore.consume(keyOf(call), rateLimit);
      return isPromiseLike(decision)
        ? decision.then((settled) => decide(settled, call, run))
        : decide(decision, call, run);
    };
    return (call, run) => {
      if (logger.isEnabled?.('info') === false) return limitAndRun(call, run);
      const startedAt = clock.now();
      const log = (outcome: Outcome): Outcome => {
        const { tool, principal } = call;
        const durationMs = clock.now() - startedAt;
        logger.info('tool call', {
          tool,
          namespace,
          operation,
          principal: principal?.id,
          outcome: outcome.kind,
          durationMs,
        });
        return outcome;
      };
      const outcome = limitAndRun(call, run);
      return isPromiseLike(outcome) ? outcome.then(log) : log(outcome);
    };
  };
}

/** Whose calls are counted together. A store that keeps keys outside this process must hash them: they may hold a token. */
function createRateKey(namespace: string): (caller: Caller) => string {
  const anonymous = `${namespace}|anonymous`;
  return ({ principal, accessToken }) => {
    if (principal !== undefined) return `${namespace}|principal|${principal.id}`;
    return accessToken === undefined ? anonymous : `${namespace}|token|${accessToken}`;
  };
}
