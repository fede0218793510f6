import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { MemoryAccount } from '../../base/memory/memory-budget.ts';
import { weighText } from '../../base/memory/weigh.ts';

/** Memory account of queued messages, and the callback for a message that exceeds it. */
export interface QueueMemory {
  readonly account: MemoryAccount;
  readonly onNoRoom: () => void;
}

/**
 * Sends messages one after another. While a reader is slow, a message replaces a queued one with the same key, so the queue is bounded by
 * the number of keys.
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
    // Replaced in place: a Map with many deletions and insertions keeps old entries in memory for a while.
    this.#waiting.set(key, message);
    if (!this.#isSending) this.#flush();
  }

  /** Drops queued messages. */
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
      // Disconnects are handled elsewhere.
      sent.then(goOn, goOn);
      return;
    }
  }
}
