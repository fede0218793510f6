import { Countdown } from '../stores/countdown.ts';
import type { ToolCall } from './call.ts';
import type { CallContext } from './call-context.ts';
import type { CompiledTool } from './compiled-tool.ts';
import type { Outcome } from './outcome.ts';
import { fromSecurityError } from './security-failure.ts';

/** One call on its way through the stations. */
export interface Run {
  readonly tool: CompiledTool;
  readonly call: ToolCall;
  readonly context: CallContext;
  /** Whether the result is minified; undefined leaves it to the formatter. */
  minify: boolean | undefined;
}

/**
 * The outcome of the work, or that its time is up, or that the caller has gone: whichever comes first. The handler is told through
 * its signal; what it still does after that is observed and dropped. Handlers do not reject here, only a security wrapper can. While
 * the call waits for an answer of its client, its time stands still.
 */
export function withinDeadline(work: PromiseLike<Outcome>, { tool, call, context }: Run): Promise<Outcome> {
  const timeoutMs = call.timeoutMs ?? tool.timeoutMs;
  const { clock } = tool.collaborators;
  const { signal, cancellation } = call;
  return new Promise((resolve) => {
    const finish = (outcome: Outcome): void => {
      countdown.cancel();
      stopWatching();
      signal?.removeEventListener('abort', onAbort);
      cancellation?.offCancel(onAbort);
      resolve(outcome);
    };
    const countdown = new Countdown(clock, timeoutMs, () => {
      context.stop(new DOMException(`The tool did not finish within ${timeoutMs} ms`, 'TimeoutError'));
      finish({ kind: 'timed-out', timeoutMs });
    });
    const stopWatching = context.watchWaiting((isWaiting) =>
      isWaiting ? countdown.pause() : countdown.start(),
    );
    if (!context.isWaiting) countdown.start();
    const onAbort = (): void => {
      context.stop(cancellation?.isCancelled === true ? cancellation.reason : signal?.reason);
      finish({ kind: 'cancelled' });
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    // It may have been aborted while the handler ran its first, synchronous part.
    if (signal?.aborted === true) onAbort();
    else cancellation?.onCancel(onAbort);
    work.then(finish, (error: unknown) => finish(fromSecurityError(error)));
  });
}
