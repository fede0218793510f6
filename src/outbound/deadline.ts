import type { Clock } from '../base/time/clock.ts';
import { onAbort } from '../base/time/on-abort.ts';
import type { Ending } from './http-exchange.ts';
import { OutboundError } from './outbound-error.ts';
import type { OutboundRequest } from './outbound-request.ts';

/** Deadline of one request with all its attempts. The caller's signal ends it early. */
export class Deadline implements Ending {
  reason: OutboundError | undefined;
  stop: Ending['stop'];
  readonly #clock: Clock;
  readonly #endsAt: number;
  readonly #cancelTimer: () => void;
  readonly #offAbort: (() => void) | undefined;
  readonly #cancel = (): void => this.#end(new OutboundError('cancelled', 'The request was cancelled.'));

  constructor(clock: Clock, { signal, timeoutMs, url }: OutboundRequest, maxMs: number) {
    const ms = Math.min(timeoutMs ?? maxMs, maxMs);
    this.#clock = clock;
    this.#endsAt = clock.now() + ms;
    this.#cancelTimer = clock.schedule(
      () => this.#end(new OutboundError('timed-out', `${url.origin} did not respond within ${ms} ms.`)),
      ms,
    );
    if (signal?.aborted === true) this.#cancel();
    else this.#offAbort = signal && onAbort(signal, this.#cancel);
  }

  /** Waits, if the deadline leaves time for the pause and for another attempt. Resolves to whether it waited. */
  pause(ms: number): Promise<boolean> {
    if (this.reason !== undefined || this.#clock.now() + ms >= this.#endsAt) return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(() => resolve(true), ms);
      this.stop = () => {
        cancel();
        resolve(false);
      };
    });
  }

  /** The cause of a failure: the deadline, if it has passed. */
  explain(error: unknown): OutboundError {
    const reason: unknown = this.reason ?? error;
    if (reason instanceof OutboundError) return reason;
    return new OutboundError('unreachable', 'The request could not be sent.', { cause: error });
  }

  /** Stops the timer and the signal listener. */
  close(): void {
    this.stop = undefined;
    this.#cancelTimer();
    this.#offAbort?.();
  }

  #end(reason: OutboundError): void {
    this.reason ??= reason;
    this.stop?.(this.reason);
  }
}
