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
    // A bit for each of the names that was found.
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
    // HTTP/2 stops the client by itself.
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
    // Nothing more would ever come of it.
    if (message.readableEnded)
      throw new DefinitionError(
        'The body was read before the request got here. Leave it in request.body, or give it as the third argument of the handler.',
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

/** The way back through `node:http`. */
export class NodeSink implements HttpSink {
  account: MemoryAccount | undefined;
  challenge: HttpSink['challenge'];
  readonly #response: ServerResponse;
  readonly #endpoint: SinkOwner;
  /** Nearly always one: whoever counts what is open. */
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
    // What is kept as bytes is sent to everybody from one place.
    this.#afterEnd(isText ? size : 0);
  }

  openStream(status: number, headers: ResponseHeaders): StreamSink {
    const response = this.#response;
    this.watch();
    if (!response.headersSent && !response.destroyed) {
      this.#begin(status, toFields(headers)).flushHeaders();
    }
    const watch = this.#watchStall();
    // One wait for all that is written while the reader is slow.
    let waiting: Promise<void> | undefined;
    return {
      write: (chunk) => {
        if (response.destroyed || response.writableEnded || response.write(chunk)) return undefined;
        if (!this.#count(response.writableLength)) this.#cut();
        watch.start();
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
    // It may be over already: whoever had to be identified first may have gone meanwhile.
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
    // A response that waits for those before it on its connection is not told that the connection is gone. There may be many of them.
    socket.setMaxListeners(0).on('close', end);
  }

  /** Ends the connection. A response that waits for those before it cannot end it by itself. */
  #cut(): void {
    const { req } = this.#response;
    if (req.httpVersionMajor > 1) this.#response.destroy();
    else req.socket.destroy();
  }

  #begin(status: number, fields: string[]): ServerResponse {
    // Whoever comes back should find another server; also whoever came before that was known.
    // defence: connection-close
    if (this.#endpoint.isDraining) this.#response.shouldKeepAlive = false;
    return this.#response.writeHead(status, fields);
  }

  /** Nearly always everything has gone by now, and whoever waits for that need not wait for Node to say so. */
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

  /** Counts what the client has not read yet; false if there is no room for it. */
  #count(bytes: number): boolean {
    if (this.account === undefined || this.#isOver) return true;
    this.#unread ??= this.#endpoint.unread.open(this.account, () => this.#cut());
    return this.#unread.set(bytes);
  }

  #watchStall(): StallWatch {
    const response = this.#response;
    const watch = new StallWatch(this.#endpoint.stallLimit, {
      waitingBytes: () => waitingBytesOf(response),
      cut: () => this.#cut(),
    });
    if (response.writableLength > 0) watch.start();
    this.onClose(() => watch.stop());
    return watch;
  }
}

/**
 * What a reader has not taken yet. What `writableLength` counts goes down only when a whole write was taken: a large answer is one write,
 * and a slow reader would seem to stand still all the while.
 */
function waitingBytesOf(response: ServerResponse): number {
  const { _handle: handle } = (response.req.socket ?? {}) as { _handle?: WriteHandle | null };
  return handle === undefined || handle === null
    ? response.writableLength
    : handle.writeQueueSize - handle.bytesWritten;
}

/** What libuv knows of a connection: bytes it was given, and those of them it still has. */
interface WriteHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** As a list, which Node writes without looking at each name twice. */
function toFields(headers: ResponseHeaders): string[] {
  const fields: string[] = [];
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    if (typeof value === 'string') fields.push(name, value);
    else for (const each of value) fields.push(name, each);
  }
  return fields;
}

/** In one go: the pieces are neither joined nor copied. Node puts the first, a text, behind the headers, which are one too. */
function sendPieces(response: ServerResponse, { head, bytes }: Pieces): void {
  response.cork();
  response.write(head);
  response.end(bytes);
}

/** What of a body that nobody wants is read all the same, so that the connection can be used again. */
const MAX_UNWANTED = 65_536;

/** Whether more of a body may follow than is worth reading. */
function isUnfinished({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_UNWANTED;
}

/** How long, and for how much, a client is listened to that has been answered already. */
const LINGER_MS = 1000;
const LINGER_BYTES = 65_536;

/**
 * Answers a client that is still sending, and hangs up. Not at once: a connection that is closed with something unread is reset, and then
 * the client may never see the answer. So it gets a moment to read it and to stop.
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
  // All that was promised: the client need not wait for the end.
  response.write(req.method === 'HEAD' ? '' : body);
}

/** Waits until a slow reader has read; one that is gone keeps nobody waiting. */
function untilWritable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
