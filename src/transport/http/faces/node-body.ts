import type { IncomingMessage } from 'node:http';
import { PieceBuffer } from '../../piece-buffer.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import type { BodyLimits } from '../message/http-message.ts';
import { OpenBody, SHORT_BODY_BYTES } from '../message/reading-room.ts';
import type { ReadingRoom } from '../message/reading-room.ts';

/** A body, or the reason why there is none: too large, truncated, or no memory. */
export type BodyEnd = Uint8Array | 'too-large' | 'cut' | 'no-room';

/** Bodies up to this size may use the memory that is reserved for small requests. */
const SMALL_BODY_BYTES = 16_384;

/** Reads a body from `node:http`, up to its limit. Listeners are not removed: the message is not used afterwards. */
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
      // Also if it was truncated. `error` is only emitted if there is a listener.
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
    // Fast path: nearly all bodies arrive in one chunk.
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
    // The message outlives its body and would keep it in memory.
    this.#onEnd = undefined;
    // The end may already have been read when reading was paused: the next request uses the same connection.
    if (how === 'complete' && !this.#isReading) this.#read(true);
    const end = how === 'complete' ? this.#pieces.join() : how;
    this.#room.returnBlocks(this.#pieces.clear());
    this.#room.leave(this);
    onEnd(end);
  }
}

/**
 * Whether a body has arrived completely. Node.js sets `complete` only after it has delivered the last bytes. In HTTP/2 a client can leave a
 * stream open after the announced bytes.
 */
export function hasArrived({ complete, httpVersionMajor, headers }: IncomingMessage, bytes: number): boolean {
  return complete || (httpVersionMajor === 1 && bytes >= Number(headers['content-length'] ?? NaN));
}

/**
 * Starts or stops reading from the connection of a message. Not `message.pause()`: Node.js would read on for a while and keep every chunk,
 * and a chunk of one byte costs some hundred bytes.
 */
export function readConnection(message: IncomingMessage, isReading: boolean): void {
  // In HTTP/2 many requests share a connection.
  const { _handle: handle } = (message.httpVersionMajor > 1 ? {} : message.socket) as {
    _handle?: ReadHandle;
  };
  if (typeof handle?.readStop !== 'function') {
    if (isReading) message.resume();
    else message.pause();
  } else if (isReading) handle.readStart();
  else handle.readStop();
}

/** Read handle of libuv. */
interface ReadHandle {
  readStart(): void;
  readStop(): void;
}
