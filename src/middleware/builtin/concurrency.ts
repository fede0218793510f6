import { assertOptions, FUNCTION, required, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { cancellationOf } from '../parts/call-cancellation.ts';
import { WaitingLines } from '../parts/waiting-lines.ts';

/** Options of {@link concurrency}. */
export interface ConcurrencyOptions {
  /** Maximum number of concurrent calls; with `by`, per key. */
  readonly limit: number;
  /**
   * Maximum number of waiting calls; with `by`, per key, and at most 10,000 in total. Further calls are rejected with `BUSY`. Default: 512.
   */
  readonly maxWaiting?: number;
  /** Key of the calls that are counted together. Default: all calls through this middleware. */
  readonly by?: (call: MiddlewareCall) => string;
}

const OPTIONS: Rules<keyof ConcurrencyOptions> = {
  limit: required(wholeNumber(1)),
  maxWaiting: wholeNumber(0),
  by: FUNCTION,
};

/**
 * Limits the number of concurrent calls. Further calls wait in order of arrival; a call that is cancelled while it waits leaves the queue.
 * A cancelled call that is running keeps its slot until its handler has ended.
 *
 * @example
 * const perCaller = concurrency({ limit: 32, by: ({ context }) => context.principal?.id ?? 'anonymous' });
 */
export function concurrency(options: ConcurrencyOptions): Middleware {
  assertOptions('concurrency', options, OPTIONS);
  const { limit, maxWaiting = 512, by } = options;
  const lines = new WaitingLines({ limit, maxWaiting });
  return (call) => lines.run(by?.(call) ?? '', cancellationOf(call.context), call.next);
}
