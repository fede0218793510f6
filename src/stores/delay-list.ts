/** Something that is called back after the delay of its list. */
interface Waiting {
  readonly callback: () => void;
  readonly dueAt: number;
  previous: Waiting | undefined;
  next: Waiting | undefined;
  isOver: boolean;
}

/**
 * Everything that waits for the same delay, behind one timer. Whoever comes later is due later, so the first is always the next one. The
 * timer stays when everybody has gone: nearly every call ends long before its deadline, and a timer for each would have to be made and
 * taken down again.
 */
export class DelayList {
  readonly #delayMs: number;
  readonly #onEmpty: () => void;
  #first: Waiting | undefined;
  #last: Waiting | undefined;
  #timer: Timer | undefined;
  #isFiring = false;

  /** `onEmpty` is told when nobody waits and the timer has gone too. */
  constructor(delayMs: number, onEmpty: () => void) {
    this.#delayMs = delayMs;
    this.#onEmpty = onEmpty;
  }

  /** Calls back after the delay; the returned function takes it back. */
  add(callback: () => void): () => void {
    const waiting: Waiting = {
      callback,
      dueAt: performance.now() + this.#delayMs,
      previous: this.#last,
      next: undefined,
      isOver: false,
    };
    if (this.#last === undefined) this.#first = waiting;
    else this.#last.next = waiting;
    this.#last = waiting;
    if (this.#timer !== undefined) {
      if (this.#first === waiting) this.#timer.ref?.();
    } else if (!this.#isFiring) this.#start(this.#delayMs);
    return () => this.#remove(waiting);
  }

  #remove(waiting: Waiting): void {
    if (waiting.isOver) return;
    waiting.isOver = true;
    const { previous, next } = waiting;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    // Nobody waits: the timer must not keep a process alive that has nothing else to do.
    if (this.#first === undefined) this.#timer?.unref?.();
  }

  #start(ms: number): void {
    this.#timer = setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    this.#timer = undefined;
    this.#isFiring = true;
    // Timers may be early by a fraction of a millisecond.
    const now = performance.now() + 1;
    try {
      for (let first = this.#first; first !== undefined && first.dueAt <= now; first = this.#first) {
        this.#remove(first);
        first.callback();
      }
    } finally {
      // Also after one that throws: the others must not wait in vain.
      this.#isFiring = false;
      if (this.#first === undefined) this.#onEmpty();
      else this.#start(Math.max(1, this.#first.dueAt - performance.now()));
    }
  }
}

/** What `setTimeout` returns; a number where there is nothing to keep alive. */
interface Timer {
  ref?(): void;
  unref?(): void;
}
