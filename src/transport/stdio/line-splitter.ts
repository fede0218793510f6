import { isUtf8 } from 'node:buffer';

/** What a line turned out to be. */
export type Line = { readonly text: string } | { readonly problem: 'too-long' | 'not-utf8' };

const NEWLINE = 10;

/** A line of nothing but what JSON calls space. */
const BLANK = /^[ \t\r]*$/;

/** Splits bytes into lines. A line that is too long is reported once and skipped, without ever being kept; the next one is read. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLine: (line: Line) => void;
  #parts: Uint8Array[] = [];
  #size = 0;
  #isSkipping = false;

  constructor(maxBytes: number, onLine: (line: Line) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#add(chunk.subarray(start, end));
      this.#end();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** There is nothing more to come: what has no end of line is a line all the same. */
  finish(): void {
    if (this.#size > 0) this.#end();
  }

  #add(part: Uint8Array): void {
    if (this.#isSkipping) return;
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) {
      this.#parts.push(part);
      return;
    }
    this.#isSkipping = true;
    this.#parts = [];
    this.#onLine({ problem: 'too-long' });
  }

  #end(): void {
    const parts = this.#parts;
    const isSkipped = this.#isSkipping;
    this.#parts = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (isSkipped) return;
    const [only] = parts;
    const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    if (!isUtf8(bytes)) return this.#onLine({ problem: 'not-utf8' });
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    // Lines may end as on Windows. Nothing else is taken off: what is no JSON, such as a byte order mark, must not become some.
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (!BLANK.test(text)) this.#onLine({ text });
  }
}
