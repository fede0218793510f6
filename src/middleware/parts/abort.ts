import { CallRefusedError, ToolwrightError } from '../../errors/errors.ts';
import type { Clock } from '../../base/time/clock.ts';

/** The error of an aborted call: the abort reason if it is an error of Toolwright, else `CANCELLED`. */
export function toCancelled(signal: AbortSignal): ToolwrightError {
  const reason: unknown = signal.reason;
  if (reason instanceof ToolwrightError) return reason;
  return new CallRefusedError('CANCELLED', 'The call was cancelled.', { cause: reason });
}

/** Waits for the work until the signal aborts. Later results or errors are dropped. */
export function unlessAborted<TResult>(work: Promise<TResult>, signal: AbortSignal): Promise<TResult> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(toCancelled(signal));
    const finish = (): void => signal.removeEventListener('abort', onAbort);
    work.finally(finish).then(resolve, reject);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits. An abort rejects immediately. */
export function pause(ms: number, { clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(toCancelled(signal));
    if (ms <= 0) return resolve();
    const onAbort = (): void => {
      cancelTimer();
      reject(toCancelled(signal));
    };
    const cancelTimer = clock.schedule(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
