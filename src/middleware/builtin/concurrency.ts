import { assertOptions, FUNCTION, required, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { WaitingLines } from '../parts/waiting-lines.ts';

/** Options of {@link concurrency}. */
export interface ConcurrencyOptions {
  /** How many calls run at once; with `by`, for each key. */
  readonly limit: number;
  /** How many may wait; with `by`, for each key, and never more than 10,000 in all. Others are refused with `BUSY`. Default: 512. */
  readonly maxWaiting?: number;
  /** What is counted together. Default: every call that passes this middleware. */
  readonly by?: (call: MiddlewareCall) => string;
}

const OPTIONS: Rules<keyof ConcurrencyOptions> = {
  limit: required(wholeNumber(1)),
  maxWaiting: wholeNumber(0),
  by: FUNCTION,
};

/**
 * Bounds how many calls run at once. The others wait their turn, first come, first served; a call that is cancelled while it waits
 * leaves the line. A cancelled call that runs keeps its place until its handler has really ended.
 *
 * @example
 * const perCaller = concurrency({ limit: 32, by: ({ context }) => context.principal?.id ?? 'anonymous' });
 */
export function concurrency(options: ConcurrencyOptions): Middleware {
  assertOptions('concurrency', options, OPTIONS);
  const { limit, maxWaiting = 512, by } = options;
  const lines = new WaitingLines({ limit, maxWaiting });
  return (call) => lines.run(by?.(call) ?? '', call.context.signal, call.next);
}
