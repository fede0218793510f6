import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';

/**
 * Sends messages one after another. While a reader is slow, a later message of the same key takes the place of an earlier one that still
 * waits: what waits is bounded by how many keys there are, however long the reader takes.
 */
export class CoalescingQueue {
  readonly #send: (message: string) => MaybePromise<void>;
  readonly #waiting = new Map<string, string>();
  #isSending = false;

  constructor(send: (message: string) => MaybePromise<void>) {
    this.#send = send;
  }

  add(key: string, message: string): void {
    this.#waiting.set(key, message);
    if (!this.#isSending) this.#flush();
  }

  #flush(): void {
    for (const [key, message] of this.#waiting) {
      this.#waiting.delete(key);
      const sent = this.#send(message);
      if (!isPromiseLike(sent)) continue;
      this.#isSending = true;
      const goOn = (): void => {
        this.#isSending = false;
        this.#flush();
      };
      // A reader that has gone is noticed elsewhere.
      sent.then(goOn, goOn);
      return;
    }
  }
}
