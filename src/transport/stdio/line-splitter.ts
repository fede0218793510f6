import { isAscii, isUtf8 } from 'node:buffer';
import { asBuffer } from '../as-buffer.ts';
import { PieceBuffer } from '../piece-buffer.ts';

/** Reason why a line is invalid. */
export type LineProblem = 'too-long' | 'not-utf8';

/** Receiver of the lines. */
export interface LineReader {
  /** A line, and its bytes. */
  readonly onText: (text: string, bytes: Uint8Array) => void;
  readonly onProblem: (problem: LineProblem) => void;
  /** Whether the next lines must wait until `goOn` is called. Default: never. */
  readonly isHeldUp?: () => boolean;
}

const NEWLINE = 10;

/** A line of JSON whitespace. */
const BLANK = /^[ \t\r]*$/;

/** Splits bytes into lines. A line that is too long is reported once and skipped without being kept; reading continues with the next line. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #reader: LineReader;
  readonly #parts = new PieceBuffer();
  #isSkipping = false;
  /** Bytes that were read and wait. */
  readonly #kept = new PieceBuffer();
  #isFinishing = false;

  constructor(maxBytes: number, reader: LineReader) {
    this.#maxBytes = maxBytes;
    this.#reader = reader;
  }

  /** Number of bytes that were read and wait. */
  get keptBytes(): number {
    return this.#kept.size;
  }

  push(chunk: Uint8Array): void {
    if (this.#kept.size > 0 || this.#mustWait()) this.#kept.add(chunk);
    else this.#push(chunk);
  }

  /** Continues with the bytes that wait. */
  goOn(): void {
    if (this.#kept.size === 0) return;
    const kept = this.#kept.join();
    this.#kept.clear();
    this.#push(kept);
  }

  #push(chunk: Uint8Array): void {
    let start = this.#parts.size > 0 || this.#isSkipping ? this.#pushEnd(chunk) : 0;
    // One check for the whole chunk: its lines need neither be validated nor decoded one by one.
    if (start < chunk.length && isAscii(chunk)) start = this.#pushWhole(chunk, start);
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      if (this.#mustWait()) {
        this.#kept.add(chunk.subarray(start));
        return;
      }
      this.#add(chunk.subarray(start, end));
      this.#end();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  #mustWait(): boolean {
    return !this.#isFinishing && this.#reader.isHeldUp?.() === true;
  }

  /** Handles the end of a line that began in an earlier chunk; returns the start of the next line. */
  #pushEnd(chunk: Uint8Array): number {
    const end = chunk.indexOf(NEWLINE);
    this.#add(end === -1 ? chunk : chunk.subarray(0, end));
    if (end === -1) return chunk.length;
    this.#end();
    return end + 1;
  }

  /** Handles the complete lines in a chunk of ASCII; returns the start of the rest. */
  #pushWhole(chunk: Uint8Array, from: number): number {
    const text = asBuffer(chunk).toString('latin1');
    let start = from;
    for (;;) {
      const end = text.indexOf('\n', start);
      if (end === -1 || end - start > this.#maxBytes || this.#mustWait()) return start;
      this.#take(text.slice(start, end), chunk.subarray(start, end));
      start = end + 1;
    }
  }

  /** Handles the end of the input: the rest is a line even without a line break. */
  finish(): void {
    this.#isFinishing = true;
    this.goOn();
    if (this.#parts.size > 0) this.#end();
  }

  #add(part: Uint8Array): void {
    if (this.#isSkipping) return;
    // defence: bound-of-a-line
    if (this.#parts.size + part.length > this.#maxBytes) {
      this.#isSkipping = true;
      this.#parts.clear();
      return this.#reader.onProblem('too-long');
    }
    if (part.length > 0) this.#parts.add(part);
  }

  #end(): void {
    const isSkipped = this.#isSkipping;
    // defence: reading-on-after-a-long-line
    this.#isSkipping = false;
    if (isSkipped) return;
    const bytes = this.#parts.join();
    this.#parts.clear();
    // defence: utf8-of-a-line
    if (!isUtf8(bytes)) return this.#reader.onProblem('not-utf8');
    this.#take(asBuffer(bytes).toString('utf8'), bytes);
  }

  #take(line: string, bytes: Uint8Array): void {
    // Lines may end with CRLF. Nothing else is removed: invalid JSON, for example with a byte order mark, must stay invalid.
    // defence: lines-as-they-are
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text.startsWith('{') || !BLANK.test(text)) this.#reader.onText(text, bytes);
  }
}
