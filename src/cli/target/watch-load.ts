import { basename } from 'node:path';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { DefinitionError } from '../../errors/errors.ts';

/** Time after which a load is reported: modules may wait for other machines. */
const SLOW_MS = 10_000;

/** Options of {@link watchLoad}. */
export interface WatchLoadOptions {
  /** Called with a message if the load takes long. */
  readonly onSlow: (message: string) => void;
  readonly clock?: Clock;
}

/**
 * Waits until a file is loaded. Without it, a top-level await that never settles would end this process without a message, or, if a timer
 * or a connection is open, would keep it waiting without one.
 */
export async function watchLoad<TLoaded>(
  file: string,
  loading: Promise<TLoaded>,
  { onSlow, clock = systemClock }: WatchLoadOptions,
): Promise<TLoaded> {
  let onIdle: () => void = () => {};
  const stuck = new Promise<never>((_resolve, reject) => {
    onIdle = () =>
      reject(
        new DefinitionError(
          `${file} cannot be loaded: a top-level await in it, or in a module that it imports, never settles. Remove the await, or make sure that its promise is settled.`,
        ),
      );
  });
  process.once('beforeExit', onIdle);
  const message = `${basename(file)} is still loading after ${SLOW_MS / 1000} s. Look for a top-level await, in it or in a module that it imports, that does not settle, such as a connection without a timeout.`;
  const cancel = clock.schedule(() => onSlow(message), SLOW_MS, true);
  try {
    return await Promise.race([loading, stuck]);
  } finally {
    cancel();
    process.off('beforeExit', onIdle);
  }
}
