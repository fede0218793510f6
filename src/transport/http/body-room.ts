import { SHORT_BODY_BYTES } from './http-message.ts';

const BLOCK_BYTES = 65_536;

/** What long bodies may take up together while they are read, before further ones have to wait: 8 MiB. */
const MAX_BLOCKS = 128;

/** A stream that can be held up. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Where bodies are kept while they are read. What long ones take up together is bounded, however many there are: what is beyond it waits,
 * unread, until others are done. One always goes on, so somebody always gets done. By bytes, not by bodies: who sends little and slowly
 * keeps nobody waiting.
 *
 * The memory is used again and again. What Node reads into is thrown away at once then, and comes back soon; kept until a body is complete
 * it would come back late, and the garbage of fifty bodies would be as large as all of them.
 */
class BodyRoom {
  readonly #spare: Buffer[] = [];
  readonly #waiting = new Set<() => void>();
  #used = 0;
  #running = 0;

  start(): void {
    this.#running += 1;
  }

  takeBlock(): Buffer {
    this.#used += 1;
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** Whether a body has to wait before more of it is read; `goOn` is called when it need not any more. */
  mustWait(goOn: () => void): boolean {
    if (this.#used < MAX_BLOCKS || this.#running <= 1) return false;
    this.#running -= 1;
    this.#waiting.add(goOn);
    return true;
  }

  leave(blocks: readonly Buffer[], goOn: () => void): void {
    this.#used -= blocks.length;
    for (const block of blocks) if (this.#spare.length < MAX_BLOCKS) this.#spare.push(block);
    if (!this.#waiting.delete(goOn)) this.#running -= 1;
    for (const next of this.#waiting) {
      if (this.#used >= MAX_BLOCKS && this.#running > 0) return;
      this.#waiting.delete(next);
      this.#running += 1;
      next();
    }
  }
}

/** Memory is one for all servers of a process. */
const ROOM = new BodyRoom();

/** What was read of one body. */
export class BodyBytes {
  readonly #source: Source;
  readonly #goOn: () => void;
  #short: Buffer[] = [];
  #blocks: Buffer[] | undefined;
  #size = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#goOn = () => void source.resume();
  }

  add(chunk: Buffer): void {
    if (this.#blocks === undefined && this.#size + chunk.length <= SHORT_BODY_BYTES) {
      this.#short.push(chunk);
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
    const [only] = this.#short;
    return this.#short.length === 1 && only !== undefined ? only : Buffer.concat(this.#short);
  }

  /** Makes room for others; there is nothing left of it after that. */
  free(): void {
    if (this.#blocks !== undefined) ROOM.leave(this.#blocks, this.#goOn);
    this.#blocks = undefined;
    this.#short = [];
  }

  #becomeLong(): Buffer[] {
    ROOM.start();
    const blocks: Buffer[] = [];
    this.#size = 0;
    for (const early of this.#short.splice(0)) this.#copy(early, blocks);
    return blocks;
  }

  #copy(chunk: Buffer, blocks: Buffer[]): void {
    let start = 0;
    while (start < chunk.length) {
      const used = this.#size % BLOCK_BYTES;
      const block = used === 0 ? undefined : blocks.at(-1);
      const into = block ?? ROOM.takeBlock();
      if (block === undefined) blocks.push(into);
      const copied = chunk.copy(into, used, start);
      start += copied;
      this.#size += copied;
    }
  }
}
