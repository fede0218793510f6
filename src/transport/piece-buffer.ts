const BLOCK_BYTES = 65_536;

/** The first blocks are smaller: most messages that come in several pieces are short. */
const FIRST_BLOCKS = [4096, 16_384];

/**
 * Collects the pieces of a message. They are copied together as they come: a piece costs some hundred bytes as long as it is kept, however
 * short it is.
 */
export class PieceBuffer {
  readonly #takeBlock: () => Buffer;
  /** Nearly always the whole message. */
  #only: Buffer | undefined;
  #blocks: Buffer[] = NO_BLOCKS;
  /** Free bytes of the last block. */
  #free = 0;
  #size = 0;

  /** `takeBlock` gives blocks of 64 KiB. */
  constructor(takeBlock: () => Buffer = newBlock) {
    this.#takeBlock = takeBlock;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
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

  /** All of it, in one piece. */
  join(): Buffer {
    return this.#only ?? Buffer.concat(this.#blocks, this.#size);
  }

  /** Forgets everything; the blocks of 64 KiB may be used again. */
  clear(): readonly Buffer[] {
    const blocks = this.#blocks.slice(FIRST_BLOCKS.length);
    this.#only = undefined;
    this.#blocks = NO_BLOCKS;
    this.#free = 0;
    this.#size = 0;
    return blocks;
  }

  #copy(piece: Buffer): void {
    for (let start = 0; start < piece.length;) {
      if (this.#free === 0) this.#addBlock();
      const block = this.#blocks[this.#blocks.length - 1] as Buffer;
      const copied = piece.copy(block, block.length - this.#free, start);
      this.#free -= copied;
      start += copied;
    }
  }

  #addBlock(): void {
    const size = FIRST_BLOCKS[this.#blocks.length];
    const block = size === undefined ? this.#takeBlock() : Buffer.allocUnsafeSlow(size);
    this.#blocks.push(block);
    this.#free = block.length;
  }
}

const NO_BLOCKS: Buffer[] = [];

function newBlock(): Buffer {
  return Buffer.allocUnsafeSlow(BLOCK_BYTES);
}
