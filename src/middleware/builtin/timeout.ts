import { assertOptions, CLOCK, MAX_TIMER_MS, numberFrom, required } from '../../errors/options/rules.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { Countdown } from '../../base/time/countdown.ts';
import type { Middleware } from '../middleware.ts';
import { narrowCancellation } from '../parts/call-cancellation.ts';

/** Options of {@link timeout}. */
export interface TimeoutOptions {
  /** Deadline in milliseconds for everything behind this middleware. */
  readonly ms: number;
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
}

/** Internal members of a context of the pipeline. */
interface Waiting {
  watchWaiting(watch: (isWaiting: boolean) => void): () => void;
}

/**
 * Sets a deadline for everything behind it. When it passes, the call fails with `TIMED_OUT` and the signal behind it is aborted. The signal
 * of the call itself is not, so a `retry` in front can try again. Later results or errors of the abandoned handler are dropped. The
 * deadline pauses while the call waits for the client. Behind `concurrency`, an abandoned handler releases its slot; put `timeout` in front
 * of `concurrency` to keep the slot until the handler ends.
 *
 * @example
 * const search = defineTool({ name: 'search', middleware: [retry(), timeout({ ms: 2000 })], ... });
 */
export function timeout(options: TimeoutOptions): Middleware {
  assertOptions('timeout', options, { ms: required(numberFrom(1, MAX_TIMER_MS)), clock: CLOCK });
  const { ms, clock = systemClock } = options;
  return ({ context, subject, next }) =>
    new Promise((resolve, reject) => {
      const narrowed = narrowCancellation(context);
      const countdown = new Countdown(clock, ms, () => {
        narrowed.cancel(new DOMException(`It did not finish within ${ms} ms`, 'TimeoutError'));
        narrowed.restore();
        reject(
          new CallRefusedError(
            'TIMED_OUT',
            `'${subject.name}' did not finish within ${ms} ms and was stopped.`,
          ),
        );
      });
      const stopWatching = (context as unknown as Waiting).watchWaiting((isWaiting) =>
        isWaiting ? countdown.pause() : countdown.start(),
      );
      countdown.start();
      // Always observed: after the deadline the promise is already settled, so this has no effect.
      next()
        .finally(() => {
          countdown.cancel();
          stopWatching();
          narrowed.restore();
        })
        .then(resolve, reject);
    });
}
