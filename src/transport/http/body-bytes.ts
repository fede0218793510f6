import { ROOM, SHORT_BODY_BYTES } from './reading-room.ts';

const BLOCK_BYTES = 65_536;

/** So many blocks wait to be used again. */
const MAX_SPARE = 128;

/** A stream that can be held up. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Blocks are used again and again. What Node reads into is thrown away at once then, and comes back soon; kept until a body is complete
 * it would come back late, and the garbage of fifty bodies would be as large as all of them.
 */
const spare: Buffer[] = [];

const NOT_HELD_UP = (): void => {};

/** What was read of one body. */
export class BodyBytes {
  readonly #source: Source;
  /** Nearly always the whole body. */
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #goOn: () => void = NOT_HELD_UP;
  #blocks: Buffer[] | undefined;
  #size = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  add(chunk: Buffer): void {
    if (this.#blocks === undefined && this.#size + chunk.length <= SHORT_BODY_BYTES) {
      if (this.#first === undefined) this.#first = chunk;
      else (this.#more ??= []).push(chunk);
      this.#size += chunk.length;
      return;
    }
    this.#blocks ??= this.#becomeLong();
    this.#copy(chunk, this.#blocks);
    if (ROOM.mustWait(this.#goOn)) this.#source.pause();
  }

  /** All of it. */
  join(): Buffer {
    if (this.#blocks !== undefined) return Buffer.concat(this.#blocks, this.#size);
    if (this.#first !== undefined && this.#more === undefined) return this.#first;
    return Buffer.concat(this.#short());
  }

  /** Makes room for others; there is nothing left of it after that. */
  free(): void {
    const blocks = this.#blocks;
    this.#blocks = undefined;
    this.#first = undefined;
    this.#more = undefined;
    if (blocks === undefined) return;
    spare.push(...blocks.slice(0, MAX_SPARE - spare.length));
    ROOM.leave(blocks.length * BLOCK_BYTES, this.#goOn);
  }

  #becomeLong(): Buffer[] {
    ROOM.start();
    this.#goOn = () => void this.#source.resume();
    const blocks: Buffer[] = [];
    this.#size = 0;
    for (const early of this.#short()) this.#copy(early, blocks);
    this.#first = undefined;
    this.#more = undefined;
    return blocks;
  }

  #short(): Buffer[] {
    return this.#first === undefined ? [] : [this.#first, ...(this.#more ?? [])];
  }

  #copy(chunk: Buffer, blocks: Buffer[]): void {
    let start = 0;
    while (start < chunk.length) {
      const used = this.#size % BLOCK_BYTES;
      const block = used === 0 ? undefined : blocks.at(-1);
      const into = block ?? takeBlock();
      if (block === undefined) blocks.push(into);
      const copied = chunk.copy(into, used, start);
      start += copied;
      this.#size += copied;
    }
  }
}

function takeBlock(): Buffer {
  ROOM.take(BLOCK_BYTES);
  return spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
}
