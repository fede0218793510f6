import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { MemoryAccount } from '../../base/memory/memory-budget.ts';
import { weighText } from '../../base/memory/weigh.ts';

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

  // defence: coalesced-news
  add(key: string, message: string): void {
    if (!this.#count(weighText(message) - this.#weightOf(key))) return this.#memory?.onNoRoom();
    // In place of the one before: a Map from which entries go and come holds on to them for a while.
    this.#waiting.set(key, message);
    if (!this.#isSending) this.#flush();
  }

  /** Forgets what waits. */
  clear(): void {
    for (const key of Array.from(this.#waiting.keys())) this.#take(key);
  }

  #take(key: string): void {
    this.#count(-this.#weightOf(key));
    this.#waiting.delete(key);
  }

  #weightOf(key: string): number {
    const message = this.#waiting.get(key);
    return message === undefined ? 0 : weighText(message);
  }

  #count(bytes: number): boolean {
    if (bytes > 0) return this.#memory?.account.take(bytes) !== false;
    this.#memory?.account.give(-bytes);
    return true;
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
