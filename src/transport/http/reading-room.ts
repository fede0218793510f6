/** So much of a body is read without asking for room. */
export const SHORT_BODY_BYTES = 65_536;

/** What long bodies may take up together while they are read, before further ones have to wait. */
const MAX_BYTES = 8_388_608;

/**
 * What long bodies take up together is bounded, however many there are: what is beyond it waits, unread, until others are done. One always
 * goes on, so somebody always gets done. By bytes, not by bodies: who sends little and slowly keeps nobody waiting.
 */
export class ReadingRoom {
  readonly #maxBytes: number;
  readonly #waiting = new Set<() => void>();
  #used = 0;
  #running = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** A body turns out to be long. */
  start(): void {
    this.#running += 1;
  }

  take(bytes: number): void {
    this.#used += bytes;
  }

  /** Whether a body has to wait before more of it is read; `goOn` is called when it need not any more. */
  mustWait(goOn: () => void): boolean {
    if (this.#used < this.#maxBytes || this.#running <= 1) return false;
    this.#running -= 1;
    this.#waiting.add(goOn);
    return true;
  }

  /** A body is done with, whether it was waiting or not. */
  leave(bytes: number, goOn: () => void): void {
    this.#used -= bytes;
    if (!this.#waiting.delete(goOn)) this.#running -= 1;
    for (const next of this.#waiting) {
      if (this.#used >= this.#maxBytes && this.#running > 0) return;
      this.#waiting.delete(next);
      this.#running += 1;
      next();
    }
  }
}

/** Memory is one for all servers of a process. */
export const ROOM: ReadingRoom = new ReadingRoom(MAX_BYTES);
