import { toLoggedError } from '../errors/log-thrown.ts';
import { oneOf } from '../errors/options/rules.ts';
import type { Rule } from '../errors/options/rules.ts';
import { isFromListener } from '../middleware/parts/guarded-controller.ts';
import type { Served } from '../wire/served/served.ts';

/** Handling of unhandled rejections: `log` them, or also `exit` after all requests have been responded to. */
export type StrayErrorPolicy = 'log' | 'exit';

/** A running server of this process. */
export interface StrayErrorWatcher {
  readonly served: Served;
  readonly policy: StrayErrorPolicy;
  /** Drains the server and closes it. */
  readonly close: () => Promise<void>;
}

/** All running servers of this process; the first one logs. */
const watchers = new Set<StrayErrorWatcher>();
let rejections = 0;

/**
 * Handles unhandled rejections and uncaught exceptions of this process. A rejection does not end the process, because one careless line in
 * one tool would end all other calls. An uncaught exception ends it, because the state of the process is unknown; requests that were read
 * get their responses first. An error thrown by a listener of an aborted signal is only logged: it has no effect beyond its call. If the
 * application has its own listeners for these events, they replace this one. The returned function stops it.
 */
// defence: stray-errors
export function watchStrayErrors(watcher: StrayErrorWatcher): () => void {
  if (watchers.size === 0) process.on('unhandledRejection', onRejection).on('uncaughtException', onException);
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0)
      process.off('unhandledRejection', onRejection).off('uncaughtException', onException);
  };
}

export const STRAY_ERROR_POLICY: Rule = oneOf('log', 'exit');

function onRejection(error: unknown): void {
  if (process.listenerCount('unhandledRejection') > 1) return;
  rejections += 1;
  log('unhandled rejection', error, { count: rejections });
  if (Array.from(watchers).some(({ policy }) => policy === 'exit')) void closeAndExit();
}

function onException(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  if (isFromListener()) return log('a listener of a signal failed', error, {});
  log('uncaught exception; the process ends', error, {});
  void closeAndExit();
}

function log(message: string, error: unknown, more: Readonly<Record<string, unknown>>): void {
  const [first] = watchers;
  // The last call is not necessarily the cause, but the first place to look.
  first?.served.logger.error(message, {
    ...more,
    lastCalled: first.served.recent.name,
    error: toLoggedError(error),
  });
}

// defence: drain-after-an-exception
async function closeAndExit(): Promise<void> {
  process.exitCode = 1;
  await Promise.allSettled(Array.from(watchers, ({ close }) => close()));
  process.exit(1);
}
