import type { IncomingMessage } from 'node:http';
import { PieceBuffer } from '../../piece-buffer.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import type { BodyLimits } from '../message/http-message.ts';
import { OpenBody, SHORT_BODY_BYTES } from '../message/reading-room.ts';
import type { ReadingRoom } from '../message/reading-room.ts';

/** A body, or why there is none: it is too large, it was cut off, or there is no room for it. */
export type BodyEnd = Uint8Array | 'too-large' | 'cut' | 'no-room';

/** Bodies up to this size may use the memory that is reserved for small requests. */
const SMALL_BODY_BYTES = 16_384;

/** Reads a body from `node:http`, as far as its limit goes. Listeners are left behind: the message is done with after that. */
export class NodeBody extends OpenBody {
  readonly #message: IncomingMessage;
  readonly #maxBytes: number;
  readonly #room: ReadingRoom;
  readonly #pieces: PieceBuffer;
  #isReading = true;
  #onEnd: ((end: BodyEnd) => void) | undefined;

  constructor(message: IncomingMessage, account: MemoryAccount, { maxBytes, room }: BodyLimits) {
    super(account);
    this.#message = message;
    this.#maxBytes = maxBytes;
    this.#room = room;
    this.#pieces = new PieceBuffer(() => room.takeBlock());
  }

  read(onEnd: (end: BodyEnd) => void): void {
    this.#onEnd = onEnd;
    this.#message
      .on('data', (chunk: Buffer) => this.#add(chunk))
      .on('end', () => this.#end('complete'))
      // Also when it was cut off. Errors are only told to those who listen for them.
      .on('close', () => this.#end('cut'));
  }

  resume(): void {
    this.#read(true);
  }

  refuse(): void {
    this.#read(false);
    this.#end('no-room');
  }

  #add(chunk: Buffer): void {
    if (this.#onEnd === undefined) return;
    const size = this.#pieces.size + chunk.length;
    // defence: bound-of-a-body
    if (!this.countPiece(chunk.length) || size > this.#maxBytes) {
      this.#read(false);
      return this.#end('too-large');
    }
    // Nearly always there is nothing to wait for.
    const isWhole = this.#pieces.size === 0 && hasArrived(this.#message, chunk.length);
    if (!isWhole && !this.#room.take(this, chunk.length, size <= SMALL_BODY_BYTES)) return this.refuse();
    // defence: copying-of-pieces
    this.#pieces.add(chunk);
    if (size > SHORT_BODY_BYTES && this.reserved === 0 && !this.#message.complete) this.#reserve();
  }

  #reserve(): void {
    const { headers } = this.#message;
    const expected = headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : NaN;
    const turn = this.#room.reserve(this, Number.isSafeInteger(expected) ? expected : this.#maxBytes);
    if (turn === 'waits') this.#read(false);
    else if (turn === 'refused') this.refuse();
  }

  #read(isReading: boolean): void {
    this.#isReading = isReading;
    readConnection(this.#message, isReading);
  }

  #end(how: 'complete' | 'too-large' | 'cut' | 'no-room'): void {
    const onEnd = this.#onEnd;
    if (onEnd === undefined) return;
    // The message outlives its body, and would keep it.
    this.#onEnd = undefined;
    // Its end may have been read already when it was held up: the next request comes over the same connection.
    if (how === 'complete' && !this.#isReading) this.#read(true);
    const end = how === 'complete' ? this.#pieces.join() : how;
    this.#room.returnBlocks(this.#pieces.clear());
    this.#room.leave(this);
    onEnd(end);
  }
}

/**
 * Whether a body of which so many bytes are here has arrived as a whole. Node marks a message as complete only after it has handed over the
 * last bytes. In HTTP/2 a client can leave a stream open after the bytes it has announced.
 */
export function hasArrived({ complete, httpVersionMajor, headers }: IncomingMessage, bytes: number): boolean {
  return complete || (httpVersionMajor === 1 && bytes >= Number(headers['content-length'] ?? NaN));
}

/**
 * Reads on from the connection of a message, or not. Not `message.pause()`: Node would go on reading for a while and keep every piece by itself,
 * and a piece of one byte costs some hundred.
 */
export function readConnection(message: IncomingMessage, isReading: boolean): void {
  // Many requests share a connection in HTTP/2.
  const { _handle: handle } = (message.httpVersionMajor > 1 ? {} : message.socket) as {
    _handle?: ReadHandle;
  };
  if (typeof handle?.readStop !== 'function') {
    if (isReading) message.resume();
    else message.pause();
  } else if (isReading) handle.readStart();
  else handle.readStop();
}

/** What libuv reads from. */
interface ReadHandle {
  readStart(): void;
  readStop(): void;
}
