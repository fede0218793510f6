import type { Readable } from 'node:stream';
import type { Clock } from '../../base/time/clock.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { StallWatch } from '../stall-watch.ts';
import type { LineSplitter } from './line-splitter.ts';
import type { Outlet } from './protect-stdout.ts';

/** So much may wait for the client before nothing more is done for it. */
const MAX_UNREAD_BYTES = 1_048_576;

/** So much is read of a client that does not read: more than a pipe holds, so that the end of the input is seen behind it. */
// defence: bytes-kept-unread
const MAX_KEPT_BYTES = 1_048_576;

/** What is read from, written to and counted in. */
export interface UnreadOutputParts {
  readonly input: Readable;
  readonly output: Outlet;
  readonly memory: MemoryBudget;
  /** The lines that were read. */
  readonly lines: () => Pick<LineSplitter, 'goOn' | 'keptBytes'>;
}

/** The end of an input whose lines wait for the client to read. */
export interface LastLines {
  readonly clock: Clock;
  /** How long the client may read nothing. */
  readonly stallMs: number;
  /** Everything was done. */
  readonly onDone: () => void;
  readonly onStall: () => void;
}

/** The output that the client has not read yet. For a client that does not read, nothing is done either: its answers would pile up here. */
export class UnreadOutput {
  readonly #parts: UnreadOutputParts;
  #counted = 0;
  #isWaiting = false;
  /** Whether the input was paused here. */
  #isHeldUp = false;
  /** Bytes that had to wait, since the beginning. */
  #written = 0;
  #watch: StallWatch | undefined;
  #onDone: (() => void) | undefined;

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

  /** Something was read from the client. */
  onRead(): void {
    if (this.#keptBytes === 0) return;
    this.#count();
    if (this.#keptBytes <= MAX_KEPT_BYTES || this.#isHeldUp) return;
    this.#isHeldUp = true;
    this.#parts.input.pause();
  }

  /** A message had to wait. */
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

  /** Nothing more comes: goes on with the lines that wait, for as long as the client reads. */
  finish({ clock, stallMs, onDone, onStall }: LastLines): void {
    if (this.#keptBytes === 0) return onDone();
    this.#onDone = onDone;
    // Also what is written meanwhile: only what the client takes makes it less.
    const waitingBytes = (): number => this.#parts.output.writableLength - this.#written;
    this.#watch = new StallWatch({ clock, stallMs }, { waitingBytes, cut: onStall });
    this.#watch.start();
  }

  /** Nothing more is read, whatever the client reads. */
  stop(): void {
    this.#isHeldUp = false;
    this.#onDone = undefined;
    this.#watch?.stop();
  }

  /** The connection is over: what is still unread is the output's own business. */
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
