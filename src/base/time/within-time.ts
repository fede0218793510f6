import { nextTurn } from '../next-turn.ts';
import type { Clock } from './clock.ts';

/** A time limit, and the error of a promise that exceeds it. */
export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  /** Default: a `TimeoutError`. */
  readonly toError?: () => Error;
}

/** The value of a promise, if it settles in time; otherwise rejects, and later results are dropped. */
export function withinTime<TValue>(
  promise: PromiseLike<TValue>,
  { clock, ms, toError = () => new DOMException(`Timed out after ${ms} ms`, 'TimeoutError') }: TimeLimit,
): Promise<TValue> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(toError());
    // defence: timeout-of-a-promise
    // After a busy turn of this process, the timer is due before a reply that has already arrived is read.
    const cancel = clock.schedule(() => void nextTurn().then(giveUp), ms);
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
