import { toLoggedError } from '../../errors/log-thrown.ts';
import type { Logger } from '../../errors/logger.ts';
import type { ProgressUpdate } from '../../middleware/context.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { ToolCall } from './call.ts';
import type { ReaderWaits } from './reader-waits.ts';

/** Nothing to wait for. */
export const SENT: Promise<void> = Promise.resolve();

/** The parts of a call that progress reports need. */
export interface ReporterParts {
  readonly log: Logger;
  /** Whether the call has ended. */
  readonly isOver: () => boolean;
  readonly waits: () => ReaderWaits;
}

/**
 * Reports progress to the caller. Not async, because a frame would keep the update in memory while the reader is slow; all waits for the
 * same reader share one promise.
 */
export function toReporter(
  send: NonNullable<ToolCall['onProgress']>,
  { log, isOver, waits }: ReporterParts,
): (update: ProgressUpdate) => Promise<void> {
  let sending: PromiseLike<void> | undefined;
  let sent = SENT;
  // A disconnected client must not fail the tool; the call itself is cancelled.
  const fail = (error: unknown): void =>
    log.debug('progress could not be sent', { error: toLoggedError(error) });
  return (update) => {
    if (isOver()) return SENT;
    if (!Number.isFinite(update.progress)) {
      log.warning('progress must be a number; it was not sent', { progress: String(update.progress) });
      return SENT;
    }
    try {
      const answer = send(update);
      if (!isPromiseLike(answer)) return SENT;
      if (answer !== sending) {
        sending = answer;
        sent = waits().until(answer.then(undefined, fail));
      }
      return sent;
    } catch (error) {
      fail(error);
      return SENT;
    }
  };
}
