import { toLoggedError } from '../../errors/log-thrown.ts';
import type { Logger } from '../../errors/logger.ts';
import type { ProgressUpdate } from '../../middleware/context.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { ToolCall } from './call.ts';
import type { ReaderWaits } from './reader-waits.ts';

/** There is nothing to wait for. */
export const SENT: Promise<void> = Promise.resolve();

/** What reports need of their call. */
export interface ReporterParts {
  readonly log: Logger;
  /** Whether nobody waits for the call any more. */
  readonly isOver: () => boolean;
  readonly waits: () => ReaderWaits;
}

/**
 * Tells a caller how far its call has come. Not async, as a frame would keep the update for as long as the reader is behind; and one
 * promise for all who wait for the same reader, however many there are.
 */
export function toReporter(
  send: NonNullable<ToolCall['onProgress']>,
  { log, isOver, waits }: ReporterParts,
): (update: ProgressUpdate) => Promise<void> {
  let sending: PromiseLike<void> | undefined;
  let sent = SENT;
  // A client that is gone must not fail the tool; the call itself will find out.
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
