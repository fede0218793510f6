/** Keeps the beginning and the end of a byte stream, in bounded memory. */
export class BoundedText {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#half = Math.floor(maxBytes / 2);
  }

  append(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const first = chunk.subarray(0, this.#half - this.#headBytes);
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Twice the size, so that long streams are copied rarely.
    if (this.#tailBytes > 2 * this.#half) this.#trim();
  }

  toString(): string {
    this.#trim();
    const omitted = this.#totalBytes - this.#headBytes - this.#tailBytes;
    const head = Buffer.concat(this.#head).toString();
    const tail = Buffer.concat(this.#tail).toString();
    return omitted === 0 ? head + tail : `${head}\n[${omitted} bytes omitted]\n${tail}`;
  }

  #trim(): void {
    if (this.#tailBytes <= this.#half) return;
    // A copy: a view would keep the whole chunk in memory.
    this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(-this.#half))];
    this.#tailBytes = this.#half;
  }
}
