const BLOCK_BYTES = 65_536;

/** The first blocks are smaller: most messages that arrive in several chunks are short. */
const FIRST_BLOCKS = [4096, 16_384];

/**
 * Collects the chunks of a message. Chunks are copied into blocks as they arrive: keeping a chunk costs some hundred bytes, even a tiny
 * one. Uses no Node.js API.
 */
export class PieceBuffer {
  readonly #takeBlock: () => Uint8Array;
  /** The first chunk, nearly always the whole message. */
  #only: Uint8Array | undefined;
  #blocks: Uint8Array[] = NO_BLOCKS;
  /** Free bytes of the last block. */
  #free = 0;
  #size = 0;

  /** `takeBlock` returns blocks of 64 KiB. */
  constructor(takeBlock: () => Uint8Array = newBlock) {
    this.#takeBlock = takeBlock;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    if (this.#size === 0) {
      this.#only = piece;
      this.#size = piece.length;
      return;
    }
    if (this.#only !== undefined) {
      this.#blocks = [];
      this.#copy(this.#only);
      this.#only = undefined;
    }
    this.#copy(piece);
    this.#size += piece.length;
  }

  /** All chunks joined. */
  join(): Uint8Array {
    if (this.#only !== undefined) return this.#only;
    const joined = new Uint8Array(this.#size);
    let end = 0;
    for (const block of this.#blocks) {
      joined.set(block.subarray(0, this.#size - end), end);
      end += block.length;
    }
    return joined;
  }

  /** Drops all chunks and returns the blocks of 64 KiB for reuse. */
  clear(): readonly Uint8Array[] {
    const blocks = this.#blocks.slice(FIRST_BLOCKS.length);
    this.#only = undefined;
    this.#blocks = NO_BLOCKS;
    this.#free = 0;
    this.#size = 0;
    return blocks;
  }

  #copy(piece: Uint8Array): void {
    for (let start = 0; start < piece.length;) {
      if (this.#free === 0) this.#addBlock();
      const block = this.#blocks[this.#blocks.length - 1] as Uint8Array;
      const part = piece.subarray(start, start + this.#free);
      block.set(part, block.length - this.#free);
      this.#free -= part.length;
      start += part.length;
    }
  }

  #addBlock(): void {
    const size = FIRST_BLOCKS[this.#blocks.length];
    const block = size === undefined ? this.#takeBlock() : new Uint8Array(size);
    this.#blocks.push(block);
    this.#free = block.length;
  }
}

const NO_BLOCKS: Uint8Array[] = [];

function newBlock(): Uint8Array {
  return new Uint8Array(BLOCK_BYTES);
}
