import { toLoggedError } from '../errors/log-thrown.ts';
import { oneOf } from '../errors/options/rules.ts';
import type { Rule } from '../errors/options/rules.ts';
import { isFromListener } from '../middleware/parts/guarded-controller.ts';
import type { Served } from '../wire/served/served.ts';

/** What becomes of a rejection that nobody waits for: it is logged, or the process also ends, after everything was answered. */
export type StrayErrorPolicy = 'log' | 'exit';

/** A server that runs in this process. */
export interface StrayErrorWatcher {
  readonly served: Served;
  readonly policy: StrayErrorPolicy;
  /** Answers what was read and closes. */
  readonly close: () => Promise<void>;
}

/** Of all servers in this process; the first one speaks for all. */
const watchers = new Set<StrayErrorWatcher>();
let rejections = 0;

/**
 * From now on a promise that a handler lets reject unobserved does not end the process: one careless line in one tool would take every
 * other call with it. An exception that nobody catches still does, because nobody knows what it left behind; but what was read is answered
 * first. What a listener of an aborted signal throws is no such exception: it leaves nothing behind that the end of its call does not.
 * Whoever has listeners of their own for these events decides alone. The returned function ends it.
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
  log('a promise was rejected that nobody waits for', error, { count: rejections });
  if (Array.from(watchers).some(({ policy }) => policy === 'exit')) void closeAndExit();
}

function onException(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  if (isFromListener()) return log('a listener of a signal failed', error, {});
  log('an exception was caught by nobody; the process ends', error, {});
  void closeAndExit();
}

function log(message: string, error: unknown, more: Readonly<Record<string, unknown>>): void {
  const [first] = watchers;
  // The last call need not be the guilty one, but it is the first place to look.
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
