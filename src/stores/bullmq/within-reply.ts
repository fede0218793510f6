import { nextTurn } from '../../base/next-turn.ts';
import type { Clock } from '../../base/time/clock.ts';
import { RedisUnavailableError } from '../redis/connection/redis-link.ts';

/** The value of a promise, if it settles in time; otherwise rejects, and later results are dropped. */
export function withinReply<TValue>(work: Promise<TValue>, clock: Clock, ms: number): Promise<TValue> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new RedisUnavailableError(`Redis did not reply within ${ms} ms.`));
    // After a busy turn of this process, the timer is due before a reply that has already arrived is read.
    const cancel = clock.schedule(() => void nextTurn().then(giveUp), ms);
    work.then(
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
