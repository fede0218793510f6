import { isPromiseLike } from '../schema/validated.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { MemoryAccount } from '../stores/memory-budget.ts';
import { weighText } from '../stores/weigh.ts';

/** Where the messages that wait are counted, and what happens when there is no room for one. */
export interface QueueMemory {
  readonly account: MemoryAccount;
  readonly onNoRoom: () => void;
}

/**
 * Sends messages one after another. While a reader is slow, a later message of the same key takes the place of an earlier one that still
 * waits: what waits is bounded by how many keys there are, however long the reader takes.
 */
export class CoalescingQueue {
  readonly #send: (message: string) => MaybePromise<void>;
  readonly #memory: QueueMemory | undefined;
  readonly #waiting = new Map<string, string>();
  #isSending = false;

  constructor(send: (message: string) => MaybePromise<void>, memory?: QueueMemory) {
    this.#send = send;
    this.#memory = memory;
  }

  add(key: string, message: string): void {
    this.#take(key);
    if (this.#memory?.account.take(weighText(message)) === false) return this.#memory.onNoRoom();
    this.#waiting.set(key, message);
    if (!this.#isSending) this.#flush();
  }

  /** Forgets what waits. */
  clear(): void {
    for (const key of Array.from(this.#waiting.keys())) this.#take(key);
  }

  /** Takes a message out. */
  #take(key: string): void {
    const message = this.#waiting.get(key);
    if (message === undefined) return;
    this.#waiting.delete(key);
    this.#memory?.account.give(weighText(message));
  }

  #flush(): void {
    for (const [key, message] of this.#waiting) {
      this.#take(key);
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
