import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DefinitionError } from '../../../errors/errors.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Pieces } from '../../../wire/messages/answer.ts';
import { SMALL_BYTES } from '../../../base/memory/memory-budget.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import { asBuffer } from '../../as-buffer.ts';
import { hasArrived, NodeBody, readConnection } from './node-body.ts';
import type { BodyEnd } from './node-body.ts';
import type {
  Body,
  BodyLimits,
  HttpRequest,
  HttpSink,
  ResponseHeaders,
  StreamSink,
} from '../message/http-message.ts';
import { StallWatch } from '../../stall-watch.ts';
import type { SinkOwner } from './sink-owner.ts';
import type { UnreadResponse } from './unread-responses.ts';

/** A request that `node:http` received. */
export class NodeRequest implements HttpRequest {
  readonly #message: IncomingMessage;
  readonly #body: unknown;
  readonly method: string;
  readonly target: string;
  readonly host: unknown;
  readonly joinsHeaders = false;
  #isPaused = false;

  constructor(message: IncomingMessage, body?: unknown, host?: unknown) {
    this.method = message.method ?? '';
    this.target = message.url ?? '/';
    this.host = host;
    this.#message = message;
    this.#body = body;
  }

  get request(): IncomingMessage {
    return this.#message;
  }

  get address(): string | undefined {
    return this.#message.socket.remoteAddress;
  }

  isRepeated(name: string): boolean {
    return this.findRepeated([name]) !== undefined;
  }

  findRepeated(names: readonly string[]): string | undefined {
    const { rawHeaders } = this.#message;
    // Bit set of the names that were found.
    let found = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const at = names.indexOf(rawHeaders[index]?.toLowerCase() ?? '');
      if (at === -1) continue;
      if ((found & (1 << at)) !== 0) return names[at];
      found |= 1 << at;
    }
    return undefined;
  }

  headerNames(prefix: string): readonly string[] {
    return Object.keys(this.#message.headers).filter((name) => name.startsWith(prefix));
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  pauseBody(): number {
    const message = this.#message;
    const { readableLength, httpVersionMajor } = message;
    // HTTP/2 has its own flow control.
    this.#isPaused = httpVersionMajor === 1 && !hasArrived(message, readableLength);
    if (this.#isPaused) readConnection(message, false);
    return readableLength;
  }

  resumeBody(): void {
    if (this.#isPaused) readConnection(this.#message, true);
    this.#isPaused = false;
  }

  readBody(limits: BodyLimits, account: MemoryAccount): MaybePromise<Body> {
    const { maxBytes } = limits;
    const message = this.#message as IncomingMessage & { body?: unknown };
    if (this.#body !== undefined && this.#body !== null) return toParsed(this.#body, maxBytes);
    // Express may have read it already.
    if (message.body !== undefined && (message.readableEnded || message.complete))
      return toParsed(message.body, maxBytes);
    // A consumed body emits nothing more.
    if (message.readableEnded)
      throw new DefinitionError(
        'The request body was already consumed. Leave it in request.body, or pass it as the third argument of the handler.',
      );
    if (message.destroyed) return UNREADABLE;
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) return TOO_LARGE;
    return new Promise((resolve) => {
      new NodeBody(message, account, limits).read((end) =>
        resolve(typeof end === 'string' ? NO_BODY[end] : toText(end)),
      );
    });
  }
}

const TOO_LARGE: Body = { kind: 'too-large' };
const UNREADABLE: Body = { kind: 'unreadable' };
const NO_BODY: Readonly<Record<Exclude<BodyEnd, Uint8Array>, Body>> = {
  'too-large': TOO_LARGE,
  cut: UNREADABLE,
  'no-room': { kind: 'no-room' },
};

function toText(bytes: Uint8Array): Body {
  // defence: utf8-of-a-body
  if (!isUtf8(bytes)) return { kind: 'unreadable', bytes };
  return { kind: 'text', text: asBuffer(bytes).toString('utf8'), bytes };
}

function toParsed(body: unknown, maxBytes: number): Body {
  if (typeof body === 'string')
    return Buffer.byteLength(body) > maxBytes ? TOO_LARGE : { kind: 'text', text: body };
  if (Buffer.isBuffer(body)) return body.length > maxBytes ? TOO_LARGE : toText(body);
  return { kind: 'parsed', value: body };
}

/** Response channel of `node:http`. */
export class NodeSink implements HttpSink {
  account: MemoryAccount | undefined;
  challenge: HttpSink['challenge'];
  readonly #response: ServerResponse;
  readonly #endpoint: SinkOwner;
  /** The first listener; there is rarely more than one. */
  #listener: ((isComplete: boolean) => void) | undefined;
  #others: ((isComplete: boolean) => void)[] | undefined;
  #unread: UnreadResponse | undefined;
  #isWatching = false;
  #isOver = false;

  constructor(response: ServerResponse, endpoint: SinkOwner) {
    this.#response = response;
    this.#endpoint = endpoint;
  }

  hasRoomFor(body: string): boolean {
    return body.length <= SMALL_BYTES || this.#count(Buffer.byteLength(body));
  }

  respond(status: number, headers: ResponseHeaders, body?: string | Pieces): void {
    const response = this.#response;
    if (response.destroyed) return this.#end(false);
    if (response.headersSent) return;
    const fields = toFields(headers);
    if (body === undefined) {
      this.#begin(status, fields).end();
      return this.#afterEnd(0);
    }
    const isText = typeof body === 'string';
    const size = isText ? Buffer.byteLength(body) : Buffer.byteLength(body.head) + body.bytes.byteLength;
    fields.push('content-length', String(size));
    // defence: hang-up-on-who-is-refused
    if (isText && isUnfinished(response.req)) {
      if (headers['connection'] === undefined) fields.push('connection', 'close');
      this.#begin(status, fields);
      this.watch();
      return hangUp(response, body);
    }
    this.#begin(status, fields);
    if (response.req.method === 'HEAD') response.end();
    else if (isText) response.end(body);
    else sendPieces(response, body);
    // Cached bytes are shared by all responses and do not count.
    this.#afterEnd(isText ? size : 0);
  }

  openStream(status: number, headers: ResponseHeaders): StreamSink {
    const response = this.#response;
    this.watch();
    if (!response.headersSent && !response.destroyed) {
      this.#begin(status, toFields(headers)).flushHeaders();
    }
    const watch = this.#watchStall();
    // One promise for all writes while the reader is slow.
    let waiting: Promise<void> | undefined;
    return {
      write: (chunk) => {
        if (response.destroyed || response.writableEnded) return undefined;
        const isTaken = response.write(chunk);
        // Also below the high-water mark (16 KiB, since Node 22 64 KiB), where no `drain` event follows.
        if (response.writableLength > 0) watch.start();
        if (isTaken) return undefined;
        if (!this.#count(response.writableLength)) this.#cut();
        waiting ??= untilWritable(response).then(() => {
          waiting = undefined;
          watch.stop();
          this.#count(0);
        });
        return waiting;
      },
      end: () => {
        if (response.writableEnded) return;
        response.end();
        if (response.writableLength === 0) return;
        if (!this.#count(response.writableLength)) this.#cut();
        watch.start();
      },
      cut: () => this.#cut(),
    };
  }

  get isClosed(): boolean {
    const { closed, destroyed, req } = this.#response;
    return closed || destroyed || req.socket?.destroyed === true;
  }

  onClose(listener: (isComplete: boolean) => void): void {
    // The client may have disconnected during authentication.
    if (this.#isOver || this.isClosed) listener(this.#response.writableFinished);
    else if (this.#listener === undefined) this.#listener = listener;
    else (this.#others ??= []).push(listener);
  }

  watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const response = this.#response;
    if (this.isClosed) return this.#end(response.writableFinished);
    const { socket } = response.req;
    const end = (): void => {
      response.off('close', end);
      socket.off('close', end);
      this.#end(response.writableFinished);
    };
    response.on('close', end);
    if (response.req.httpVersionMajor > 1) return;
    // A pipelined response does not get the `close` event of its connection. Many of them may share one.
    socket.setMaxListeners(0).on('close', end);
  }

  /** Ends the connection. A pipelined response cannot end it itself. */
  #cut(): void {
    const { req } = this.#response;
    if (req.httpVersionMajor > 1) this.#response.destroy();
    else req.socket.destroy();
  }

  #begin(status: number, fields: string[]): ServerResponse {
    // During shutdown, connections close after their response, so that clients reconnect to another server.
    // defence: connection-close
    if (this.#endpoint.isDraining) this.#response.shouldKeepAlive = false;
    return this.#response.writeHead(status, fields);
  }

  /** Nearly always everything has been sent by now; listeners need not wait for the event of Node.js. */
  #afterEnd(size: number): void {
    const response = this.#response;
    if (response.writableLength === 0) return this.#end(true);
    if (!this.#count(size)) this.#cut();
    this.watch();
    this.#watchStall();
  }

  #end(isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unread?.set(0);
    this.#listener?.(isComplete);
    if (this.#others !== undefined) for (const listener of this.#others) listener(isComplete);
  }

  /** Counts unread bytes; false if the memory budget is used up. */
  #count(bytes: number): boolean {
    if (this.account === undefined || this.#isOver) return true;
    this.#unread ??= this.#endpoint.unread.open(this.account, () => this.#cut());
    return this.#unread.set(bytes);
  }

  #watchStall(): StallWatch {
    const response = this.#response;
    const watch = new StallWatch(this.#endpoint.stallLimit, {
      waitingBytes: () => waitingBytesOf(response),
      isRead: () => response.writableLength === 0,
      cut: () => this.#cut(),
    });
    if (response.writableLength > 0) watch.start();
    this.onClose(() => watch.stop());
    return watch;
  }
}

/**
 * Bytes that the reader has not read yet. `writableLength` shrinks only after a whole write: a large response is one write, so a slow
 * reader would seem stalled.
 */
function waitingBytesOf(response: ServerResponse): number {
  const { _handle: handle } = (response.req.socket ?? {}) as { _handle?: WriteHandle | null };
  return handle === undefined || handle === null
    ? response.writableLength
    : handle.writeQueueSize - handle.bytesWritten;
}

/** Counters of libuv: bytes written to a connection, and bytes still queued. */
type WriteHandle = Readonly<Record<'bytesWritten' | 'writeQueueSize', number>>;

/** As an array, which Node.js writes without checking each name twice. */
function toFields(headers: ResponseHeaders): string[] {
  const fields: string[] = [];
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    if (typeof value === 'string') fields.push(name, value);
    else for (const each of value) fields.push(name, each);
  }
  return fields;
}

/** Writes in one go, without joining or copying. Node.js appends the first part, a string, to the headers. */
function sendPieces(response: ServerResponse, { head, bytes }: Pieces): void {
  response.cork();
  response.write(head);
  response.end(bytes);
}

/** Bytes of an unwanted body that are read, so that the connection can be reused. */
const MAX_UNWANTED = 65_536;

/** Whether the rest of a body may be longer than is worth reading. */
function isUnfinished({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_UNWANTED;
}

/** Limits for reading from a client that has already got its response. */
const LINGER_MS = 1000;
const LINGER_BYTES = 65_536;

/**
 * Responds to a client that is still sending, then closes the connection. Not immediately: closing with unread data resets the connection,
 * and the client may never see the response.
 */
function hangUp(response: ServerResponse, body: string): void {
  const { req } = response;
  let left = LINGER_BYTES;
  const discard = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left <= 0) readConnection(req, false);
  };
  const done = (): void => {
    clearTimeout(timer);
    req.off('data', discard).off('end', done).off('close', done).off('error', done);
    response.end();
  };
  const timer = setTimeout(done, LINGER_MS);
  req.on('data', discard).on('end', done).on('close', done).on('error', done);
  // The complete body: the client need not wait for the end.
  response.write(req.method === 'HEAD' ? '' : body);
}

/** Waits until a slow reader has read, or has disconnected. */
function untilWritable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
