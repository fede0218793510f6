import { onAbort } from '../../../base/time/on-abort.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';

interface Run<TValue> {
  readonly controller: AbortController;
  readonly result: Promise<TValue>;
  waiting: number;
}

/**
 * Shares one run among concurrent requests for the same key. A cancelled request stops waiting; the run is aborted
 * when none is waiting. Results are not cached.
 */
export class SharedRuns<TValue> {
  readonly #runs = new Map<string, Run<TValue>>();

  join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<TValue>): Promise<TValue> {
    if (signal.aborted) return Promise.reject(takenBack());
    const run = this.#runs.get(key) ?? this.#begin(key, start);
    run.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        run.waiting -= 1;
        reject(takenBack());
        if (run.waiting > 0) return;
        // Later requests need a run that is not aborted.
        this.#forget(key, run);
        run.controller.abort();
      };
      const stay = onAbort(signal, leave);
      run.result.then(resolve, reject).then(stay, stay);
    });
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<TValue>): Run<TValue> {
    const controller = new AbortController();
    const result = start(controller.signal).finally(() => this.#forget(key, run));
    const run: Run<TValue> = { controller, result, waiting: 0 };
    this.#runs.set(key, run);
    return run;
  }

  #forget(key: string, run: Run<TValue>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}

function takenBack(): OutboundError {
  return new OutboundError('cancelled', 'The request was cancelled.');
}
