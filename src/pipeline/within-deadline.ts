import type { MaybePromise } from '../schema/validated.ts';
import { Countdown } from '../stores/countdown.ts';
import type { ToolCall } from './call.ts';
import type { CallContext } from './call-context.ts';
import type { WaitWatcher } from './call-context-parts.ts';
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
export function withinDeadline<TEnd>(
  work: PromiseLike<Outcome>,
  run: Run,
  end: (outcome: Outcome) => MaybePromise<TEnd>,
): Promise<TEnd> {
  return new Promise((resolve, reject) => {
    new Deadline(run, (outcome) => {
      try {
        resolve(end(outcome));
      } catch (error) {
        reject(error);
      }
    }).follow(work);
  });
}

/** What a call is waited for with: one object for all that could end it. */
class Deadline implements WaitWatcher {
  readonly #run: Run;
  readonly #onEnd: (outcome: Outcome) => void;
  readonly #timeoutMs: number;
  readonly #countdown: Countdown;
  #isOver = false;

  constructor(run: Run, onEnd: (outcome: Outcome) => void) {
    const { tool, call } = run;
    this.#run = run;
    this.#onEnd = onEnd;
    this.#timeoutMs = call.timeoutMs ?? tool.timeoutMs;
    this.#countdown = new Countdown(tool.collaborators.clock, this.#timeoutMs, () => this.#timeOut());
  }

  follow(work: PromiseLike<Outcome>): void {
    const { call, context } = this.#run;
    const { signal, cancellation } = call;
    context.waitWatcher = this;
    if (!context.isWaiting) this.#countdown.start();
    signal?.addEventListener('abort', this.#cancel, { once: true });
    // It may have been aborted while the handler ran its first, synchronous part.
    if (signal?.aborted === true) this.#cancel();
    cancellation?.onCancel(this.#cancel);
    work.then(
      (outcome) => this.#finish(outcome),
      (error: unknown) => this.#finish(fromSecurityError(error)),
    );
  }

  onWait(isWaiting: boolean): void {
    if (isWaiting) this.#countdown.pause();
    else this.#countdown.start();
  }

  #timeOut(): void {
    const timeoutMs = this.#timeoutMs;
    this.#run.context.stop(
      new DOMException(`The tool did not finish within ${timeoutMs} ms`, 'TimeoutError'),
    );
    this.#finish({ kind: 'timed-out', timeoutMs });
  }

  readonly #cancel = (): void => {
    const { call, context } = this.#run;
    const { signal, cancellation } = call;
    context.stop(cancellation?.isCancelled === true ? cancellation.reason : signal?.reason);
    this.#finish({ kind: 'cancelled' });
  };

  #finish(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { call, context } = this.#run;
    this.#countdown.cancel();
    context.waitWatcher = undefined;
    call.signal?.removeEventListener('abort', this.#cancel);
    call.cancellation?.offCancel(this.#cancel);
    this.#onEnd(outcome);
  }
}
