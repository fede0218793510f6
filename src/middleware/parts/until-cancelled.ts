import { CallRefusedError, ToolwrightError } from '../../errors/errors.ts';
import type { Cancellation } from '../../base/time/cancellation.ts';
import type { Clock } from '../../base/time/clock.ts';

/** The error of a cancelled call: the reason if it is an error of Toolwright, else `CANCELLED`. */
export function toCancelled({ reason }: Cancellation): ToolwrightError {
  if (reason instanceof ToolwrightError) return reason;
  return new CallRefusedError('CANCELLED', 'The call was cancelled.', { cause: reason });
}

/** Waits for the work until the cancellation. Later results or errors are dropped. */
export function unlessCancelled<TResult>(
  work: Promise<TResult>,
  cancellation: Cancellation,
): Promise<TResult> {
  return new Promise((resolve, reject) => {
    const onCancel = (): void => reject(toCancelled(cancellation));
    work.finally(() => cancellation.offCancel(onCancel)).then(resolve, reject);
    cancellation.onCancel(onCancel);
  });
}

/** Waits. A cancellation rejects immediately. */
export function pause(
  ms: number,
  { clock, cancellation }: { clock: Clock; cancellation: Cancellation },
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (cancellation.isCancelled) return reject(toCancelled(cancellation));
    if (ms <= 0) return resolve();
    const onCancel = (): void => {
      cancelTimer();
      reject(toCancelled(cancellation));
    };
    const cancelTimer = clock.schedule(() => {
      cancellation.offCancel(onCancel);
      resolve();
    }, ms);
    cancellation.onCancel(onCancel);
  });
}
