import type { Clock } from 'toolwright/collaborators';

interface Wait {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** Whether a promise settles in time. Rejects if it does. */
export function waitAtMost(promise: Promise<unknown>, { clock, ms, signal }: Wait): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      cancel();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => end(() => resolve(false));
    const cancel = clock.schedule(() => end(() => resolve(false)), ms);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(
      () => end(() => resolve(true)),
      (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });
}
