import type { Clock } from '../base/time/clock.ts';

/** How long a reader may stand still. */
export interface StallLimit {
  readonly clock: Clock;
  readonly stallMs: number;
}

/** The connection that is watched. */
export interface Watched {
  /** What the reader has not taken yet. */
  waitingBytes(): number;
  cut(): void;
}

/** Cuts a connection whose reader stands still: what waits for it would be kept for ever. One that is only slow is left alone. */
export class StallWatch {
  readonly #limit: StallLimit;
  readonly #watched: Watched;
  #cancel: (() => void) | undefined;
  #waitingBytes = 0;

  constructor(limit: StallLimit, watched: Watched) {
    this.#limit = limit;
    this.#watched = watched;
  }

  /** Something waits for the reader. */
  start(): void {
    if (this.#cancel !== undefined) return;
    this.#waitingBytes = this.#watched.waitingBytes();
    this.#schedule();
  }

  /** Nothing waits any more. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): void {
    const { clock, stallMs } = this.#limit;
    this.#cancel = clock.schedule(() => this.#look(), stallMs, true);
  }

  // defence: stall-limit
  #look(): void {
    const waitingBytes = this.#watched.waitingBytes();
    const hasMoved = waitingBytes < this.#waitingBytes;
    this.#waitingBytes = waitingBytes;
    if (hasMoved) return this.#schedule();
    this.#cancel = undefined;
    this.#watched.cut();
  }
}
