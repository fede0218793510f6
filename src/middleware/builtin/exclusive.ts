import { assertOptions, FUNCTION, wholeNumber } from '../../errors/options/rules.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { cancellationOf } from '../parts/call-cancellation.ts';
import { WaitingLines } from '../parts/waiting-lines.ts';

/** Options of {@link exclusive}. */
export interface ExclusiveOptions {
  /** Key of the calls that exclude each other. Default: all calls of one tool, including all its actions. */
  readonly by?: (call: MiddlewareCall) => string;
  /** Maximum number of waiting calls per key. Further calls are rejected with `BUSY`. Default: 512. */
  readonly maxWaiting?: number;
}

/**
 * Runs destructive calls one at a time; other calls pass. A call that is cancelled while it waits leaves the queue. A handler must not call
 * its own tool: it would wait for itself until the deadline.
 *
 * @example
 * const registry = new ToolRegistry().use(exclusive({ by: ({ subject }) => subject.namespace }));
 */
export function exclusive(options: ExclusiveOptions = {}): Middleware {
  assertOptions('exclusive', options, { by: FUNCTION, maxWaiting: wholeNumber(0) });
  const { by, maxWaiting = 512 } = options;
  const lines = new WaitingLines({ limit: 1, maxWaiting });
  return (call) => {
    const { context, subject, next } = call;
    if (!subject.isDestructive) return next();
    return lines.run(by?.(call) ?? subject.tool, cancellationOf(context), next);
  };
}
