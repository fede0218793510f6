import { assertOptions, CLOCK, MAX_TIMER_MS, numberFrom, required } from '../../errors/options/rules.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { Countdown } from '../../base/time/countdown.ts';
import type { Middleware } from '../middleware.ts';
import { narrowSignal } from '../parts/narrow-signal.ts';

/** Options of {@link timeout}. */
export interface TimeoutOptions {
  /** How long everything behind may take. */
  readonly ms: number;
  readonly clock?: Clock;
}

/** What a context of the pipeline has beside its standard members. */
interface Waiting {
  watchWaiting(watch: (isWaiting: boolean) => void): () => void;
}

/**
 * A deadline for everything behind it. When it passes, the call fails with `TIMED_OUT` and the signal that those behind see is
 * aborted; that of the call is not, so a `retry` in front of it may try again. What an abandoned handler still returns or throws is
 * dropped. While the client is asked something, time stands still. Behind `concurrency`, an abandoned handler no longer holds its place; put `timeout` in front of it if it must.
 *
 * @example
 * const search = defineTool({ name: 'search', middleware: [retry(), timeout({ ms: 2000 })], ... });
 */
export function timeout(options: TimeoutOptions): Middleware {
  assertOptions('timeout', options, { ms: required(numberFrom(1, MAX_TIMER_MS)), clock: CLOCK });
  const { ms, clock = systemClock } = options;
  return ({ context, subject, next }) =>
    new Promise((resolve, reject) => {
      const narrowed = narrowSignal(context);
      const countdown = new Countdown(clock, ms, () => {
        narrowed.abort(new DOMException(`It did not finish within ${ms} ms`, 'TimeoutError'));
        narrowed.restore();
        reject(
          new CallRefusedError(
            'TIMED_OUT',
            `'${subject.name}' did not finish within ${ms} ms and was stopped.`,
          ),
        );
      });
      const stopWatching = (context as Partial<Waiting>).watchWaiting?.((isWaiting) =>
        isWaiting ? countdown.pause() : countdown.start(),
      );
      countdown.start();
      // Observed whenever it comes: after the deadline this settles a promise that is settled, which does nothing.
      next()
        .finally(() => {
          countdown.cancel();
          stopWatching?.();
          narrowed.restore();
        })
        .then(resolve, reject);
    });
}
