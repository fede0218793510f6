import type { MemoryBudget } from '../../../base/memory/memory-budget.ts';
import type { HttpRequest } from '../message/http-message.ts';
import { refuse } from '../message/http-options.ts';
import type { Refusal } from '../message/http-options.ts';
import type { Identified } from './identify.ts';
import { RETRY } from '../message/response-headers.ts';

/** Part of the memory budget for bytes of requests that are not yet authenticated. */
const PART = 1 / 16;

/** Requests with fewer bytes are not rejected for their size; their number is limited. */
const SMALL_BYTES = 4096;

/** Response to a request when too many are pending. */
export const TOO_MANY_PENDING: Refusal = refuse({
  status: 503,
  message: 'The server is busy: too many requests are being authenticated. Try again later.',
  headers: RETRY,
});

/**
 * Requests whose `authenticate` is pending. Any client can send them, so their number and the bytes of their bodies are limited: nothing is
 * read from their connections until `authenticate` has settled.
 */
export class PendingIdentities {
  readonly #maxCount: number;
  readonly #maxBytes: number;
  readonly #memory: MemoryBudget;
  #count = 0;
  #bytes = 0;

  constructor(maxCount: number, memory: MemoryBudget) {
    this.#maxCount = maxCount;
    this.#maxBytes = memory.maxBytes * PART;
    this.#memory = memory;
  }

  /** Whether the limit of pending calls of `authenticate` is reached. */
  get isFull(): boolean {
    return this.#count >= this.#maxCount;
  }

  /** Waits for `authenticate`, which never rejects here. */
  wait(http: HttpRequest, identified: PromiseLike<Identified>): Promise<Identified> {
    this.#count += 1;
    return new Promise((resolve) => {
      let held: number | undefined;
      let isOver = false;
      const end = (found: Identified): void => {
        if (isOver) return;
        isOver = true;
        if (held !== undefined) this.#hold(-held);
        http.resumeBody();
        resolve(found);
      };
      identified.then((found) => {
        this.#count -= 1;
        end(found);
      });
      // Deferred: bytes that arrived with the headers are handed over after them.
      queueMicrotask(() => {
        if (isOver) return;
        const bytes = http.pauseBody();
        if (bytes > SMALL_BYTES && this.#bytes + bytes > this.#maxBytes) return end(TOO_MANY_PENDING);
        held = bytes;
        this.#hold(bytes);
      });
    });
  }

  #hold(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.add(bytes);
  }
}
