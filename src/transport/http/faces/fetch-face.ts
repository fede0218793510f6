import { DefinitionError } from '../../../errors/errors.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Pieces } from '../../../wire/messages/answer.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import { PieceBuffer } from '../../piece-buffer.ts';
import { OpenBody, SHORT_BODY_BYTES } from '../message/reading-room.ts';
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

/** A web-standard request. */
export class FetchRequest implements HttpRequest {
  /** Web-standard requests have no address. */
  readonly address = undefined;
  readonly joinsHeaders = true;
  readonly target: string;
  readonly #request: Request;
  readonly urlHost: string;
  readonly host: unknown;

  constructor(request: Request, host?: unknown) {
    this.host = host;
    const url = new URL(request.url);
    this.#request = request;
    this.target = `${url.pathname}${url.search}`;
    this.urlHost = url.host;
  }

  get request(): Request {
    return this.#request;
  }

  get method(): string {
    return this.#request.method;
  }

  /** Headers of one name are joined with commas. In headers other than these, a comma may be part of the value. */
  isRepeated(name: string): boolean {
    const several = SEVERAL[name];
    return several !== undefined && several.test(withoutQuoted(this.header(name) ?? ''));
  }

  findRepeated(names: readonly string[]): string | undefined {
    return names.find((name) => this.isRepeated(name));
  }

  headerNames(prefix: string): readonly string[] {
    return Array.from(this.#request.headers.keys()).filter((name) => name.startsWith(prefix));
  }

  header(name: string): string | undefined {
    // Not every platform provides the header; the URL has the host as well.
    const value = this.#request.headers.get(name) ?? undefined;
    return name === 'host' ? (value ?? this.urlHost) : value;
  }

  /** Web streams are read on demand. */
  pauseBody(): number {
    return 0;
  }

  resumeBody(): void {}

  async readBody(limits: BodyLimits, account: MemoryAccount): Promise<Body> {
    if (this.#request.bodyUsed)
      throw new DefinitionError(
        'The request body was already consumed. Pass a clone of the request to the handler.',
      );
    const { body: stream, signal } = this.#request;
    const announced = announcedBytes(this.header('content-length'));
    if (announced !== undefined && announced > limits.maxBytes) return { kind: 'too-large' };
    const body = new FetchBody(stream?.getReader(), account, { ...limits, announced });
    const cut = (): void => body.cut();
    signal.addEventListener('abort', cut);
    if (signal.aborted) cut();
    try {
      return await body.read();
    } catch {
      return { kind: 'unreadable' };
    } finally {
      signal.removeEventListener('abort', cut);
      body.leave();
    }
  }
}

/** The value without quoted strings; all of it if a quote is not closed. */
function withoutQuoted(value: string): string {
  let outside = '';
  let isQuoted = false;
  for (let index = 0; index < value.length; index += 1) {
    const sign = value[index] as string;
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted) outside += sign;
    else if (sign === '\\') index += 1;
  }
  return isQuoted ? value : outside;
}

/** Patterns of repeated headers. Tokens have no commas. Schemes with parameters do, but a second scheme is followed by a space and not by "=". */
const SEVERAL: Readonly<Record<string, RegExp | undefined>> = {
  host: /,/,
  authorization: /^(?:bearer|basic) [^,]*,|,\s*[\w-]+ +[^\s,=]/i,
  'content-type': /,/,
};

/** Parsed `Content-Length`; undefined if it is missing or invalid. */
function announcedBytes(length: string | undefined): number | undefined {
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** Limits of one body; `announced` is its `Content-Length`, if known. */
interface FetchBodyLimits extends BodyLimits {
  readonly announced: number | undefined;
}

/** The body of a web-standard request while it is read. */
class FetchBody extends OpenBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #limits: FetchBodyLimits;
  readonly #pieces: PieceBuffer;
  /** Reason why reading has stopped. */
  #failure: 'too-large' | 'no-room' | 'unreadable' | undefined;
  #wake: () => void = () => {};

  constructor(
    reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
    account: MemoryAccount,
    limits: FetchBodyLimits,
  ) {
    super(account);
    this.#reader = reader;
    this.#limits = limits;
    this.#pieces = new PieceBuffer(() => limits.room.takeBlock());
  }

  async read(): Promise<Body> {
    for (;;) {
      const chunk = await this.#reader?.read();
      const isWhole = chunk === undefined || chunk.done;
      if (!isWhole && this.#failure === undefined) await this.#add(chunk.value);
      if (this.#failure !== undefined) return { kind: this.#failure };
      if (isWhole) return toText(this.#pieces.join());
    }
  }

  resume(): void {
    this.#wake();
  }

  refuse(): void {
    this.#fail('no-room');
  }

  /** Aborts reading: the client has disconnected. */
  cut(): void {
    this.#fail('unreadable');
  }

  leave(): void {
    const { room } = this.#limits;
    room.returnBlocks(this.#pieces.clear());
    room.leave(this);
  }

  /** Adds a chunk; a long body may then have to wait in the queue. */
  #add(piece: Uint8Array): Promise<void> | undefined {
    const { maxBytes, announced, room } = this.#limits;
    const size = this.#pieces.size + piece.byteLength;
    if (announced !== undefined && size > announced) return this.#fail('unreadable');
    if (!this.countPiece(piece.byteLength) || size > maxBytes) return this.#fail('too-large');
    if (!room.take(this, piece.byteLength, size <= SHORT_BODY_BYTES)) return this.#fail('no-room');
    this.#pieces.add(piece);
    if (size <= SHORT_BODY_BYTES || this.reserved !== 0) return undefined;
    const turn = room.reserve(this, announced ?? maxBytes);
    if (turn === 'refused') return this.#fail('no-room');
    if (turn === 'reads') return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Stops reading, also while it waits for the next chunk or in the queue. */
  #fail(failure: 'too-large' | 'no-room' | 'unreadable'): undefined {
    this.#failure ??= failure;
    this.#wake();
    this.#reader?.cancel().catch(() => {});
  }
}

function toText(bytes: Uint8Array): Body {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'unreadable', bytes };
  }
}

/** The part of an endpoint that a sink uses. */
export type FetchSinkOwner = Pick<SinkOwner, 'stallLimit' | 'unread'>;

/** Response channel of a web-standard request. */
export class FetchSink implements HttpSink {
  account: MemoryAccount | undefined;
  challenge: HttpSink['challenge'];
  readonly response: Promise<Response>;
  readonly #request: Request;
  readonly #owner: FetchSinkOwner;
  readonly #listeners = new Set<(isComplete: boolean) => void>();
  #resolve: (response: Response) => void = () => {};
  #isAnswered = false;
  #isOver = false;
  #isComplete = false;
  #isHalf = false;

  constructor(request: Request, owner: FetchSinkOwner) {
    this.#request = request;
    this.#owner = owner;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    request.signal.addEventListener('abort', () => this.#close(false), { once: true });
    if (request.signal.aborted) this.#close(false);
  }

  /** Always true: the platform holds complete responses. */
  hasRoomFor(): boolean {
    return true;
  }

  respond(status: number, headers: ResponseHeaders, body?: string | Pieces): void {
    if (this.#isAnswered) return;
    const text = this.#request.method === 'HEAD' || body === undefined ? null : toBody(body);
    // Created first: an invalid header throws, and the request must still get a response.
    const response = new Response(text, { status, headers: withoutConnection(headers) });
    this.#answer(response);
    this.#close(true);
  }

  openStream(status: number, headers: ResponseHeaders): StreamSink {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isEnding = false;
    const waiting = new Set<() => void>();
    const cut = (isHalf = false): void => this.#close(false, isHalf);
    const waitingBytes = (): number => MAX_WAITING_BYTES - (controller?.desiredSize ?? MAX_WAITING_BYTES);
    const watch = new StallWatch(this.#owner.stallLimit, { waitingBytes, cut });
    const unread = this.account && this.#owner.unread.open(this.account, cut);
    const watchUnread = (): void => {
      if (unread?.set(waitingBytes()) === false) cut();
      else watch.start();
    };
    const wakeAll = (): void => {
      watch.stop();
      unread?.set(0);
      for (const wake of waiting) wake();
      waiting.clear();
    };
    // A closed stream does not report when it is read, so it is closed only when nothing is unread.
    const goOnEnding = (): void => {
      if (waitingBytes() === 0) this.#close(true);
      else watchUnread();
    };
    const body = new ReadableStream<Uint8Array>(
      {
        start: (opened) => {
          controller = opened;
        },
        pull: () => (isEnding ? goOnEnding() : wakeAll()),
        cancel: () => {
          controller = undefined;
          cut();
        },
      },
      { highWaterMark: MAX_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    if (!this.#isAnswered) this.#answer(new Response(body, { status, headers: withoutConnection(headers) }));
    this.onClose((isComplete) => {
      // An error discards unread data. Without unread data it would only be logged as noise: subscriptions always end by a disconnect.
      const isRead = isComplete || (waitingBytes() === 0 && !this.#isHalf);
      wakeAll();
      if (isRead) controller?.close();
      else controller?.error(new DOMException('The connection was closed.', 'AbortError'));
    });
    return {
      write: (chunk): MaybePromise<void> => {
        if (this.#isOver || isEnding || controller === undefined) return undefined;
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
        if ((controller.desiredSize ?? 1) > 0) return undefined;
        watchUnread();
        return this.#isOver ? undefined : new Promise((resolve) => waiting.add(resolve));
      },
      end: () => {
        if (this.#isOver || isEnding) return;
        isEnding = true;
        goOnEnding();
      },
      cut,
    };
  }

  get isClosed(): boolean {
    return this.#isOver;
  }

  onClose(listener: (isComplete: boolean) => void): void {
    if (this.#isOver) listener(this.#isComplete);
    else this.#listeners.add(listener);
  }

  /** The platform reports disconnects itself. */
  watch(): void {}

  #answer(response: Response): void {
    this.#isAnswered = true;
    this.#resolve(response);
  }

  #close(isComplete: boolean, isHalf = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isHalf = isHalf;
    this.#isComplete = isComplete;
    // Platforms wait for their handlers, even after the client has disconnected.
    if (!this.#isAnswered) this.#answer(new Response(null, { status: CLIENT_GONE }));
    for (const listener of Array.from(this.#listeners)) listener(isComplete);
    this.#listeners.clear();
  }
}

/** Status that proxies log for a client that disconnected before the response. It is never received. */
const CLIENT_GONE = 499;

/** Bytes that may be unread before writers wait. */
const MAX_WAITING_BYTES = 65_536;

/** Body of a response; cached bytes are not encoded again. */
function toBody(body: string | Pieces): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  const head = new TextEncoder().encode(body.head);
  const joined = new Uint8Array(head.length + body.bytes.length);
  joined.set(head);
  joined.set(body.bytes, head.length);
  return joined;
}

/** Drops `Connection`: the platform manages connections, and some platforms reject a response with this header. */
function withoutConnection({ connection: _connection, ...others }: ResponseHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(others))
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each);
  return headers;
}
