import { Countdown } from '../base/time/countdown.ts';
import { onAbort } from '../base/time/on-abort.ts';
import type { ToolCall } from './context/call.ts';
import type { CallContext } from './context/call-context.ts';
import type { WaitWatcher } from './context/call-context-parts.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import type { Outcome } from './tool/outcome.ts';
import { fromSecurityError } from './tool/thrown-issues.ts';

/** One call on its way through the stations. */
export interface Run {
  readonly tool: CompiledTool;
  readonly call: ToolCall;
  readonly context: CallContext;
  /** Whether the result is minified; undefined leaves the decision to the formatter. */
  minify: boolean | undefined;
}

/**
 * The outcome of the work, a timeout or a cancellation, whichever comes first. The handler is notified by its signal; later results are
 * dropped. Handlers do not reject here, only a security wrapper can. The deadline pauses while the call waits for its client.
 */
export function withinDeadline(work: PromiseLike<Outcome>, run: Run): Promise<Outcome> {
  return new Promise((resolve) => {
    const deadline = new Deadline(run, resolve);
    try {
      deadline.follow(work);
    } catch (error) {
      // An injected clock or promise may fail; the caller still gets a response.
      deadline.fail(error);
    }
  });
}

/** The deadline of a call: one object for everything that can end it. */
class Deadline extends Countdown implements WaitWatcher {
  readonly #run: Run;
  readonly #resolve: (outcome: Outcome) => void;
  #isOver = false;
  #offAbort: (() => void) | undefined;

  constructor(run: Run, resolve: (outcome: Outcome) => void) {
    super(run.tool.collaborators.clock, timeoutOf(run), () => this.#timeOut());
    this.#run = run;
    this.#resolve = resolve;
  }

  follow(work: PromiseLike<Outcome>): void {
    const { call, context } = this.#run;
    const { signal, cancellation } = call;
    context.waitWatcher = this;
    if (!context.isWaiting) this.start();
    this.#offAbort = signal && onAbort(signal, this.#stop);
    // It may have been aborted during the synchronous part of the handler.
    if (signal?.aborted === true) this.#stop();
    cancellation?.onCancel(this.#stop);
    work.then(
      (outcome) => this.#finish(outcome),
      (error: unknown) => this.#finish(fromSecurityError(error)),
    );
  }

  fail(error: unknown): void {
    this.#finish(fromSecurityError(error));
  }

  onWait(isWaiting: boolean): void {
    if (isWaiting) this.pause();
    else this.start();
  }

  // defence: deadline-of-a-call
  #timeOut(): void {
    const timeoutMs = timeoutOf(this.#run);
    this.#run.context.stop(
      new DOMException(`The tool did not finish within ${timeoutMs} ms`, 'TimeoutError'),
    );
    this.#finish({ kind: 'timed-out', timeoutMs });
  }

  readonly #stop = (): void => {
    const { call, context } = this.#run;
    const { signal, cancellation } = call;
    context.stop(cancellation?.isCancelled === true ? cancellation.reason : signal?.reason);
    this.#finish({ kind: 'cancelled' });
  };

  #finish(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { call, context } = this.#run;
    this.cancel();
    context.waitWatcher = undefined;
    this.#offAbort?.();
    call.cancellation?.offCancel(this.#stop);
    this.#resolve(outcome);
  }
}

function timeoutOf({ tool, call }: Run): number {
  return call.timeoutMs ?? tool.timeoutMs;
}
