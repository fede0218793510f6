import { SHORT_BODY_BYTES } from './reading-room.ts';
import type { ReadingRoom } from './reading-room.ts';

/** A stream that can be held up. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

const NOT_HELD_UP = (): void => {};

/** What was read of one body. */
export class BodyBytes {
  readonly #source: Source;
  readonly #room: ReadingRoom;
  /** Nearly always the whole body. */
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #goOn: () => void = NOT_HELD_UP;
  #blocks: Buffer[] | undefined;
  #size = 0;

  constructor(source: Source, room: ReadingRoom) {
    this.#source = source;
    this.#room = room;
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
    if (this.#room.mustWait(this.#goOn)) this.#source.pause();
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
    if (blocks !== undefined) this.#room.leaveBlocks(blocks, this.#goOn);
  }

  #becomeLong(): Buffer[] {
    this.#room.start();
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
      const last = blocks.at(-1);
      const used = last === undefined ? 0 : this.#size % last.length;
      const into = last === undefined || used === 0 ? this.#room.takeBlock() : last;
      if (into !== last) blocks.push(into);
      const copied = chunk.copy(into, used, start);
      start += copied;
      this.#size += copied;
    }
  }
}
