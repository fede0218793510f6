import type { Clock } from '../../../base/time/clock.ts';

/** Time between two attempts. While Redis is not available, an attempt costs nothing: the circuit breaker fails it. */
const RETRY_MS = 500;

/** Repeats an attempt in the background until it succeeds. */
export class RetryLoop {
  readonly #clock: Clock;
  readonly #attempt: () => Promise<boolean>;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, attempt: () => Promise<boolean>) {
    this.#clock = clock;
    this.#attempt = attempt;
  }

  start(): void {
    this.#cancel ??= this.#clock.schedule(
      () => {
        this.#cancel = undefined;
        void this.#attempt().then((isDone) => {
          if (!isDone) this.start();
        });
      },
      RETRY_MS,
      true,
    );
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
