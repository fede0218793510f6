import type { IncomingMessage } from 'node:http';
import { BodyBytes } from './body-bytes.ts';
import type { BodyLimits } from './http-message.ts';

/** A body, or why there is none: it is too large, or was cut off. */
export type BodyEnd = Buffer | 'too-large' | 'cut';

/** Reads a body from `node:http`, as far as its limit goes. Listeners are left behind: the message is done with after that. */
export class NodeBody {
  readonly #message: IncomingMessage;
  readonly #maxBytes: number;
  readonly #onEnd: (end: BodyEnd) => void;
  readonly #bytes: BodyBytes;
  #size = 0;
  #isOver = false;

  constructor(message: IncomingMessage, { maxBytes, room }: BodyLimits, onEnd: (end: BodyEnd) => void) {
    this.#message = message;
    this.#maxBytes = maxBytes;
    this.#onEnd = onEnd;
    this.#bytes = new BodyBytes(message, room);
  }

  read(): void {
    this.#message
      .on('data', (chunk: Buffer) => this.#add(chunk))
      .on('end', () => this.#end('complete'))
      // Also when it was cut off. Errors are only told to those who listen for them.
      .on('close', () => this.#end('cut'));
  }

  #add(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) {
      this.#message.pause();
      return this.#end('too-large');
    }
    this.#bytes.add(chunk);
  }

  #end(how: 'complete' | 'too-large' | 'cut'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const end = how === 'complete' ? this.#bytes.join() : how;
    this.#bytes.free();
    this.#onEnd(end);
  }
}
