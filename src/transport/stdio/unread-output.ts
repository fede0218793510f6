import type { Readable } from 'node:stream';
import type { MemoryBudget } from '../../stores/memory-budget.ts';
import type { Outlet } from './protect-stdout.ts';

/** So much may wait for the client before nothing more is read from it. */
const MAX_UNREAD_BYTES = 1_048_576;

/** What is read from, written to and counted in. */
export interface UnreadOutputParts {
  readonly input: Readable;
  readonly output: Outlet;
  readonly memory: MemoryBudget;
  /** Goes on with what was read already. */
  readonly goOn: () => void;
}

/** The output that the client has not read yet. A client that does not read is not read from either: its answers would pile up here. */
export class UnreadOutput {
  readonly #parts: UnreadOutputParts;
  #counted = 0;
  #isWaiting = false;
  /** Whether the input was paused here. */
  #isHeldUp = false;

  constructor(parts: UnreadOutputParts) {
    this.#parts = parts;
  }

  get isTooMuch(): boolean {
    return this.#parts.output.writableLength > MAX_UNREAD_BYTES;
  }

  /** Whether a message may wait as well: calls that are running already may end with any number of large ones. */
  hasRoomFor(text: string): boolean {
    const { output, memory } = this.#parts;
    return output.writableLength + text.length <= memory.maxBytes / 4;
  }

  /** Something had to wait. */
  onWait(): void {
    const { input, output } = this.#parts;
    this.#count(output.writableLength);
    if (this.isTooMuch && !this.#isHeldUp) {
      this.#isHeldUp = true;
      input.pause();
    }
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    output.on('drain', this.#onDrain);
    output.on('close', this.#onDrain);
  }

  /** Nothing more is read, whatever the client reads. */
  stop(): void {
    this.#isHeldUp = false;
  }

  readonly #onDrain = (): void => {
    const { input, output, goOn } = this.#parts;
    output.off('drain', this.#onDrain);
    output.off('close', this.#onDrain);
    this.#isWaiting = false;
    this.#count(0);
    goOn();
    if (!this.#isHeldUp || this.isTooMuch || output.destroyed) return;
    this.#isHeldUp = false;
    input.resume();
  };

  #count(bytes: number): void {
    this.#parts.memory.add(bytes - this.#counted);
    this.#counted = bytes;
  }
}
