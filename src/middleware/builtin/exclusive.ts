import { assertOptions, FUNCTION, wholeNumber } from '../../errors/options/rules.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { WaitingLines } from '../parts/waiting-lines.ts';

/** Options of {@link exclusive}. */
export interface ExclusiveOptions {
  /** What excludes each other. Default: the calls of one tool, of all its actions together. */
  readonly by?: (call: MiddlewareCall) => string;
  /** How many may wait for one key. Others are refused with `BUSY`. Default: 512. */
  readonly maxWaiting?: number;
}

/**
 * Lets destructive calls run one after the other; all others pass. A call that is cancelled while it waits leaves the line, and
 * those behind it go on waiting. A handler must not call its own tool: it would wait for itself until the deadline.
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
    return subject.isDestructive ? lines.run(by?.(call) ?? subject.tool, context.signal, next) : next();
  };
}
