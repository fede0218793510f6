import type { Readable } from 'node:stream';
import type { Clock } from '../../base/time/clock.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { StallWatch } from '../stall-watch.ts';
import type { LineSplitter } from './line-splitter.ts';
import type { Outlet } from './protect-stdout.ts';

/** Unread bytes at which handling of further requests stops. */
const MAX_UNREAD_BYTES = 1_048_576;

/** Bytes that are read from a client that does not read: more than a pipe holds, so that the end of the input is seen. */
// defence: bytes-kept-unread
const MAX_KEPT_BYTES = 1_048_576;

/** Streams, lines and memory budget of a connection. */
export interface UnreadOutputParts {
  readonly input: Readable;
  readonly output: Outlet;
  readonly memory: MemoryBudget;
  /** The lines that were read. */
  readonly lines: () => Pick<LineSplitter, 'goOn' | 'keptBytes'>;
}

/** The end of an input while lines wait for the client to read. */
export interface LastLines {
  readonly clock: Clock;
  /** Time the client may read nothing. */
  readonly stallMs: number;
  /** Called when all lines were handled. */
  readonly onDone: () => void;
  readonly onStall: () => void;
}

/** Output that the client has not read yet. While it is too much, further requests wait: their responses would pile up in memory. */
export class UnreadOutput {
  readonly #parts: UnreadOutputParts;
  #counted = 0;
  #isWaiting = false;
  /** Whether this class paused the input. */
  #isHeldUp = false;
  /** Total bytes that had to wait. */
  #written = 0;
  #watch: StallWatch | undefined;
  #onDone: (() => void) | undefined;

  constructor(parts: UnreadOutputParts) {
    this.#parts = parts;
  }

  get isTooMuch(): boolean {
    return this.#parts.output.writableLength > MAX_UNREAD_BYTES;
  }

  /** Whether a message may be queued: running calls may end with any number of large ones. */
  hasRoomFor(text: string): boolean {
    const { output, memory } = this.#parts;
    return output.writableLength + text.length <= memory.maxBytes / 4;
  }

  /** Called when input was read. */
  onRead(): void {
    if (this.#keptBytes === 0) return;
    this.#count();
    if (this.#keptBytes <= MAX_KEPT_BYTES || this.#isHeldUp) return;
    this.#isHeldUp = true;
    this.#parts.input.pause();
  }

  /** Called when a message had to wait. */
  onWait(text: string): void {
    const { output } = this.#parts;
    this.#written += Buffer.byteLength(text);
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      output.on('drain', this.#onDrain);
      output.on('close', this.#onDrain);
    }
    this.#count();
  }

  /** Handles the end of the input: continues with the waiting lines as long as the client reads. */
  finish({ clock, stallMs, onDone, onStall }: LastLines): void {
    if (this.#keptBytes === 0) return onDone();
    this.#onDone = onDone;
    // Bytes written meanwhile are subtracted: only reading by the client reduces this number.
    const waitingBytes = (): number => this.#parts.output.writableLength - this.#written;
    this.#watch = new StallWatch({ clock, stallMs }, { waitingBytes, cut: onStall });
    this.#watch.start();
  }

  /** Stops reading input. */
  stop(): void {
    this.#isHeldUp = false;
    this.#onDone = undefined;
    this.#watch?.stop();
  }

  /** Ends counting: the rest is up to the output stream. */
  close(): void {
    this.#endWait();
    this.#setCounted(0);
  }

  get #keptBytes(): number {
    return this.#parts.lines().keptBytes;
  }

  readonly #onDrain = (): void => {
    const { input, output, lines } = this.#parts;
    this.#endWait();
    lines().goOn();
    this.#count();
    if (this.#keptBytes === 0) this.#onDone?.();
    if (!this.#isHeldUp || this.#keptBytes > MAX_KEPT_BYTES || output.destroyed) return;
    this.#isHeldUp = false;
    input.resume();
  };

  #endWait(): void {
    const { output } = this.#parts;
    output.off('drain', this.#onDrain);
    output.off('close', this.#onDrain);
    this.#isWaiting = false;
  }

  #count(): void {
    this.#setCounted((this.#isWaiting ? this.#parts.output.writableLength : 0) + this.#keptBytes);
  }

  #setCounted(bytes: number): void {
    this.#parts.memory.add(bytes - this.#counted);
    this.#counted = bytes;
  }
}
