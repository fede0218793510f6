import type { Clock } from '../base/time/clock.ts';

/** Time a reader may read nothing. */
export interface StallLimit {
  readonly clock: Clock;
  readonly stallMs: number;
}

/** Connection that is watched. */
export interface Watched {
  /** Bytes that the reader has not read yet. */
  waitingBytes(): number;
  /** Whether the reader has read everything. Without it, the watch goes on until it is stopped. */
  isRead?(): boolean;
  cut(): void;
}

/** Closes a connection whose reader reads nothing: its unread data would be kept forever. A reader that is only slow keeps its connection. */
export class StallWatch {
  readonly #limit: StallLimit;
  readonly #watched: Watched;
  #cancel: (() => void) | undefined;
  #waitingBytes = 0;

  constructor(limit: StallLimit, watched: Watched) {
    this.#limit = limit;
    this.#watched = watched;
  }

  /** Starts watching: data is waiting for the reader. */
  start(): void {
    if (this.#cancel !== undefined) return;
    this.#waitingBytes = this.#watched.waitingBytes();
    this.#schedule();
  }

  /** Stops watching: all data was read. */
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
    if (this.#watched.isRead?.() === true) return this.stop();
    const waitingBytes = this.#watched.waitingBytes();
    const hasMoved = waitingBytes < this.#waitingBytes;
    this.#waitingBytes = waitingBytes;
    if (hasMoved) return this.#schedule();
    this.#cancel = undefined;
    this.#watched.cut();
  }
}
