import type { Clock } from '../../stores/clock.ts';

/** So much of a body is read without asking for room. */
export const SHORT_BODY_BYTES = 65_536;

/** What long bodies may take up together while they are read, before further ones have to wait. */
const MAX_BYTES = 4_194_304;

/** How long a body waits at a time; then it goes on a little all the same. */
const MAX_WAIT_MS = 1000;

const BLOCK_BYTES = 65_536;

/** So many blocks wait to be used again. */
const MAX_SPARE = 128;

/**
 * What long bodies take up together is bounded, however many there are: what is beyond it waits, unread, until others are done. Whoever
 * fills the room and then sends nothing more only slows the others down: after a while each of them goes on by a piece.
 */
export class ReadingRoom {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  /** Who waits, and what ends its waiting by itself. */
  readonly #waiting = new Map<() => void, () => void>();
  readonly #spare: Buffer[] = [];
  #used = 0;
  #running = 0;

  constructor(clock: Clock, maxBytes: number = MAX_BYTES) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  /** A body turns out to be long. */
  start(): void {
    this.#running += 1;
  }

  take(bytes: number): void {
    this.#used += bytes;
  }

  /**
   * A block to read into. Blocks are used again and again: what Node reads into is thrown away at once then, and comes back soon; kept
   * until a body is complete it would come back late, and the garbage of fifty bodies would be as large as all of them.
   */
  takeBlock(): Buffer {
    this.take(BLOCK_BYTES);
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** Whether a body has to wait before more of it is read; `goOn` is called when it need not any more. */
  mustWait(goOn: () => void): boolean {
    if (this.#used < this.#maxBytes || this.#running <= 1) return false;
    this.#running -= 1;
    this.#waiting.set(
      goOn,
      this.#clock.schedule(() => this.#release(goOn), MAX_WAIT_MS, true),
    );
    return true;
  }

  /** A body is done with, whether it was waiting or not. */
  leave(bytes: number, goOn: () => void): void {
    this.#used -= bytes;
    const stopTimer = this.#waiting.get(goOn);
    if (stopTimer === undefined) this.#running -= 1;
    else {
      stopTimer();
      this.#waiting.delete(goOn);
    }
    for (const next of this.#waiting.keys()) {
      if (this.#used >= this.#maxBytes && this.#running > 0) return;
      this.#release(next);
    }
  }

  /** The same for a body that was read into blocks. */
  leaveBlocks(blocks: readonly Buffer[], goOn: () => void): void {
    this.#spare.push(...blocks.slice(0, MAX_SPARE - this.#spare.length));
    this.leave(blocks.length * BLOCK_BYTES, goOn);
  }

  #release(goOn: () => void): void {
    this.#waiting.get(goOn)?.();
    this.#waiting.delete(goOn);
    this.#running += 1;
    goOn();
  }
}
