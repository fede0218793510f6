import {
  ANY,
  assertOptions,
  CLOCK,
  FUNCTION,
  MAX_TIMER_MS,
  numberFrom,
  wholeNumber,
} from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { CallRefusedError, ToolwrightError } from '../../errors/errors.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { allowRepeatedNext } from '../middleware.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import type { Passed } from '../passed.ts';
import { pause } from '../parts/abort.ts';
import { codeOf } from '../parts/call-outcome.ts';
import { RETRY_BUDGET_RULES, RetryBudget } from '../parts/retry-budget.ts';
import type { RetryBudgetOptions } from '../parts/retry-budget.ts';

/** Options of {@link retry}. */
export interface RetryOptions {
  /** How often a call is tried, the first time included. Default: 3. */
  readonly attempts?: number;
  /** The longest wait before the second attempt; it doubles with each further one. Default: 100. */
  readonly backoffMs?: number;
  /** No wait is longer. Default: 5,000. */
  readonly maxBackoffMs?: number;
  /** Shared by all calls that pass this middleware. Default: one retry for ten calls, and ten saved up. */
  readonly budget?: RetryBudgetOptions;
  /**
   * Whether a thrown error is worth another attempt, which is the given number. Default: errors that were not written for the
   * caller, `TIMED_OUT` and `BUSY`.
   */
  readonly shouldRetry?: (error: unknown, attempt: number) => boolean;
  readonly clock?: Clock;
  /** From 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

const OPTIONS: Rules<keyof RetryOptions> = {
  attempts: wholeNumber(1, 100),
  backoffMs: numberFrom(0, MAX_TIMER_MS),
  maxBackoffMs: numberFrom(0, MAX_TIMER_MS),
  budget: ANY,
  shouldRetry: FUNCTION,
  clock: CLOCK,
  random: FUNCTION,
};

/**
 * Tries a failed call again. Only tools that are read-only or idempotent; all others pass once, whatever happens. The wait before an
 * attempt is random up to a bound that doubles (full jitter), and ends at once when the call is cancelled. A budget keeps retries
 * from multiplying the load on something that is down: in the long run there is one for ten calls.
 *
 * @example
 * const search = defineTool({ name: 'search', middleware: [retry({ attempts: 5 }), timeout({ ms: 2000 })], ... });
 */
export function retry(options: RetryOptions = {}): Middleware {
  assertOptions('retry', options, OPTIONS);
  assertOptions('retry', options.budget ?? {}, RETRY_BUDGET_RULES, 'budget');
  const policy: RetryPolicy = {
    attempts: options.attempts ?? 3,
    backoffMs: options.backoffMs ?? 100,
    maxBackoffMs: options.maxBackoffMs ?? 5000,
    budget: new RetryBudget(options.budget),
    shouldRetry: options.shouldRetry ?? isWorthRetrying,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
  const middleware: Middleware = (call) => {
    const { isIdempotent, isReadOnly } = call.subject;
    return isIdempotent || isReadOnly ? tryRepeatedly(call, policy) : call.next();
  };
  return allowRepeatedNext(middleware);
}

type RetryPolicy = Required<Omit<RetryOptions, 'budget'>> & { readonly budget: RetryBudget };

async function tryRepeatedly(
  { context, subject, next }: MiddlewareCall,
  policy: RetryPolicy,
): Promise<Passed> {
  // Taken before anything runs: what a deadline inside does to the context must not be mistaken for the caller's will.
  const { signal, log } = context;
  policy.budget.earn();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await next();
    } catch (error) {
      const waitMs = waitBefore(attempt + 1, error, policy);
      if (attempt >= policy.attempts || waitMs === undefined || signal.aborted) throw error;
      if (!isWanted(error, attempt + 1, { policy, log }) || !policy.budget.take()) throw error;
      log.debug('call is tried again', { name: subject.name, attempt: attempt + 1, code: codeOf(error) });
      await pause(waitMs, { clock: policy.clock, signal });
    }
  }
}

/** How long to wait; undefined when whoever refused the call asks for more patience than we have. */
function waitBefore(attempt: number, error: unknown, policy: RetryPolicy): number | undefined {
  const bound = Math.min(policy.maxBackoffMs, policy.backoffMs * 2 ** (attempt - 2));
  const wanted = retryAfterOf(error);
  if (wanted > policy.maxBackoffMs) return undefined;
  return Math.max(wanted, policy.random() * bound);
}

function retryAfterOf(error: unknown): number {
  try {
    return error instanceof CallRefusedError ? (error.retryAfterMs ?? 0) : 0;
  } catch {
    return 0;
  }
}

/** Asks `shouldRetry`. One that throws is no reason to lose the error of the call. */
function isWanted(
  error: unknown,
  attempt: number,
  { policy, log }: { policy: RetryPolicy; log: MiddlewareCall['context']['log'] },
): boolean {
  try {
    return policy.shouldRetry(error, attempt);
  } catch (thrown) {
    log.warning('shouldRetry failed', { error: toLoggedError(thrown) });
    return false;
  }
}

/** Our own errors say what is wrong, and it will be wrong again; except that something was too slow or too busy. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ToolwrightError)) return true;
  return error instanceof CallRefusedError && (error.code === 'TIMED_OUT' || error.code === 'BUSY');
}
