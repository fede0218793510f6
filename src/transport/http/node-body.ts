import type { IncomingMessage } from 'node:http';
import { SHORT_BODY_BYTES } from './http-message.ts';
import type { BodyLimits } from './http-message.ts';

/** A body, or why there is none: it is too large, or was cut off. */
export type BodyEnd = Buffer | 'too-large' | 'cut';

/** Reads a body from `node:http`, as far as its limits go. Listeners are left behind: the message is done with after that. */
export class NodeBody {
  readonly #message: IncomingMessage;
  readonly #limits: BodyLimits;
  readonly #onEnd: (end: BodyEnd) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;
  #endTurn: (() => void) | undefined;

  constructor(message: IncomingMessage, limits: BodyLimits, onEnd: (end: BodyEnd) => void) {
    this.#message = message;
    this.#limits = limits;
    this.#onEnd = onEnd;
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
    if (this.#size > this.#limits.maxBytes) {
      this.#message.pause();
      return this.#end('too-large');
    }
    this.#chunks.push(chunk);
    if (this.#size > SHORT_BODY_BYTES && this.#endTurn === undefined) this.#waitForTurn();
  }

  #waitForTurn(): void {
    this.#message.pause();
    this.#endTurn = this.#limits.longBodies.take(() => this.#message.resume());
  }

  #end(how: 'complete' | 'too-large' | 'cut'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#endTurn?.();
    const chunks = this.#chunks;
    this.#chunks = [];
    if (how !== 'complete') return this.#onEnd(how);
    const [only] = chunks;
    this.#onEnd(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  }
}
