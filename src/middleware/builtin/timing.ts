import { assertOptions, CLOCK, FUNCTION, required } from '../../errors/options/rules.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { PolicySubject, Principal } from '../context.ts';
import type { Middleware } from '../middleware.ts';
import { watch } from '../parts/call-outcome.ts';
import type { CallOutcome } from '../parts/call-outcome.ts';

/** Duration of one call. */
export interface TimedCall {
  readonly subject: PolicySubject;
  readonly principal: Principal | undefined;
  /** Duration in milliseconds. */
  readonly durationMs: number;
  readonly outcome: CallOutcome;
}

/** Options of {@link timing}. */
export interface TimingOptions {
  /** Called after every call. The call does not wait for it; errors are only logged. */
  readonly onTimed: (timed: TimedCall) => void | Promise<void>;
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Reports the duration of each call, for example to a histogram or a tracer.
 *
 * @example
 * const registry = new ToolRegistry({
 *   middleware: [timing({ onTimed: ({ subject, durationMs }) => histogram.record(durationMs, { tool: subject.name }) })],
 * });
 */
export function timing(options: TimingOptions): Middleware {
  assertOptions('timing', options, { onTimed: required(FUNCTION), clock: CLOCK });
  const { onTimed, clock = systemClock } = options;
  return ({ context, subject, next }) => {
    const { principal, log } = context;
    const startedAt = clock.now();
    const report = async (outcome: CallOutcome): Promise<void> => {
      try {
        await onTimed({ subject, principal, durationMs: clock.now() - startedAt, outcome });
      } catch (error) {
        log.warning('onTimed failed', { name: subject.name, error: toLoggedError(error) });
      }
    };
    return watch(next, (outcome) => void report(outcome));
  };
}
