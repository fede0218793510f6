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
import { cancellationOf } from '../parts/call-cancellation.ts';
import { codeOf } from '../parts/call-outcome.ts';
import { pause } from '../parts/until-cancelled.ts';
import { RETRY_BUDGET_RULES, RetryBudget } from '../parts/retry-budget.ts';
import type { RetryBudgetOptions } from '../parts/retry-budget.ts';

/** Options of {@link retry}. */
export interface RetryOptions {
  /** Maximum number of attempts, including the first. Default: 3. */
  readonly attempts?: number;
  /** Maximum delay before the second attempt in milliseconds; it doubles with each further attempt. Default: 100. */
  readonly backoffMs?: number;
  /** Upper bound of all delays in milliseconds. Default: 5,000. */
  readonly maxBackoffMs?: number;
  /** Retry budget shared by all calls through this middleware. Default: one retry per ten calls, with a reserve of ten. */
  readonly budget?: RetryBudgetOptions;
  /**
   * Whether to retry after this error; `attempt` is the number of the next attempt. Default: errors that were not written for the caller,
   * `TIMED_OUT` and `BUSY`.
   */
  readonly shouldRetry?: (error: unknown, attempt: number) => boolean;
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
  /** Random numbers from 0 to 1. Default: `Math.random`. */
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
 * Retries failed calls of tools that are read-only or idempotent; other calls run once. The delay is random up to a bound that doubles
 * (exponential backoff with full jitter), and ends immediately when the call is cancelled. A budget keeps retries from multiplying the load
 * on a failing upstream: in the long run, one retry per ten calls.
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
  // Read first: a timeout of an inner deadline must not be taken for a cancellation by the caller.
  const cancellation = cancellationOf(context);
  const { log } = context;
  policy.budget.earn();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await next();
    } catch (error) {
      const waitMs = waitBefore(attempt + 1, error, policy);
      if (attempt >= policy.attempts || waitMs === undefined || cancellation.isCancelled) throw error;
      if (!isWanted(error, attempt + 1, { policy, log }) || !policy.budget.take()) throw error;
      log.debug('call is retried', { name: subject.name, attempt: attempt + 1, code: codeOf(error) });
      await pause(waitMs, { clock: policy.clock, cancellation });
    }
  }
}

/** The delay in milliseconds; undefined if `retryAfterMs` of the error is longer than the maximum. */
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

/** Calls `shouldRetry`. If it throws, the error of the call is kept. */
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

/** Errors of Toolwright are permanent, except timeouts and overload. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ToolwrightError)) return true;
  return error instanceof CallRefusedError && (error.code === 'TIMED_OUT' || error.code === 'BUSY');
}
