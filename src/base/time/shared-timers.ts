import type { Clock } from './clock.ts';
import { OpenItem, OpenList } from '../open-list.ts';

/** Something that is to be called back. */
class Waiting extends OpenItem {
  readonly callback: () => void;
  readonly at: number;

  constructor(callback: () => void, at: number) {
    super();
    this.callback = callback;
    this.at = at;
  }
}

/**
 * A clock that needs one real timer for all that wait equally long: a timer of their own costs small calls more than their handler.
 *
 * Only for what comes from one place, such as standard input. Callbacks run in the asynchronous context of whoever came first: where each
 * request has its own, what an `AsyncLocalStorage` holds would reach the wrong one. And none of them keeps the process alive.
 */
export class SharedTimers implements Clock {
  readonly #clock: Clock;
  /** By how long they wait. Those of one list are over in the order in which they began. */
  readonly #lists = new Map<number, OpenList<Waiting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  schedule(callback: () => void, delayMs: number): () => void {
    let list = this.#lists.get(delayMs);
    if (list === undefined) {
      list = new OpenList();
      this.#lists.set(delayMs, list);
      this.#wake(delayMs, list, delayMs);
    }
    const waiting = new Waiting(callback, this.now() + delayMs);
    list.add(waiting);
    const open = list;
    return () => open.remove(waiting);
  }

  /** Left alone when nobody waits any more: the next ones come soon, and need it again. */
  #wake(delayMs: number, list: OpenList<Waiting>, inMs: number): void {
    this.#clock.schedule(() => this.#callBack(delayMs, list), inMs, true);
  }

  #callBack(delayMs: number, list: OpenList<Waiting>): void {
    const now = this.now();
    try {
      for (let first = list.first; first !== undefined && first.at <= now; first = list.first) {
        list.remove(first);
        first.callback();
      }
    } finally {
      // Also when one of them throws: the others still wait.
      const { first } = list;
      if (first === undefined) this.#lists.delete(delayMs);
      else this.#wake(delayMs, list, Math.min(delayMs, Math.max(1, first.at - now)));
    }
  }
}
