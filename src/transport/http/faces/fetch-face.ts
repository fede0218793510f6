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
  /** Web-standard requests do not have one. */
  readonly address = undefined;
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

  /** Several headers of one name arrive as one, with commas. Of others than these, a comma may be a part of the value. */
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
    // The URL is what the platform understood; not every platform shows the header.
    const value = this.#request.headers.get(name) ?? undefined;
    return name === 'host' ? (value ?? this.urlHost) : value;
  }

  /** A web stream is read when somebody asks for more. */
  pauseBody(): number {
    return 0;
  }

  resumeBody(): void {}

  async readBody(limits: BodyLimits, account: MemoryAccount): Promise<Body> {
    if (this.#request.bodyUsed)
      throw new DefinitionError(
        'The body was read before the request got here. Read a clone of the request.',
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

/** The parts outside of quotes; everything where a quote does not end. */
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

/** Tokens have no commas. Schemes with parameters do, but a second scheme is followed by a space and no "=". */
const SEVERAL: Readonly<Record<string, RegExp | undefined>> = {
  host: /,/,
  authorization: /^(?:bearer|basic) [^,]*,|,\s*[\w-]+ +[^\s,=]/i,
  'content-type': /,/,
};

/** What `Content-Length` says; undefined where it says nothing that can be trusted. */
function announcedBytes(length: string | undefined): number | undefined {
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** The limits of one body; `announced` are its bytes, where they are known before. */
interface FetchBodyLimits extends BodyLimits {
  readonly announced: number | undefined;
}

/** The body of a web-standard request while it is read. */
class FetchBody extends OpenBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #limits: FetchBodyLimits;
  readonly #pieces: PieceBuffer;
  /** Why it is not read any further. */
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

  /** Its client has gone. */
  cut(): void {
    this.#fail('unreadable');
  }

  leave(): void {
    const { room } = this.#limits;
    room.returnBlocks(this.#pieces.clear());
    room.leave(this);
  }

  /** Adds a piece; a long body may have to wait for its turn then. */
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

  /** Nobody waits for the rest; it may be waiting for the next piece, or for its turn. */
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

/** What a sink needs to know of its endpoint. */
export type FetchSinkOwner = Pick<SinkOwner, 'stallLimit' | 'unread'>;

/** The way back through a web-standard response. */
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

  /** What becomes of a whole response is the platform's business. */
  hasRoomFor(): boolean {
    return true;
  }

  respond(status: number, headers: ResponseHeaders, body?: string | Pieces): void {
    if (this.#isAnswered) return;
    const text = this.#request.method === 'HEAD' || body === undefined ? null : toBody(body);
    // Made before anything else: a header that cannot be sent must not leave the request without an answer.
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
    // A stream that is closed does not tell when it is read: it is closed when nothing waits any more.
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
      // An error drops what waits. Where nothing does, it would only be noise: clients that listen always end by hanging up.
      const isRead = isComplete || (waitingBytes() === 0 && !this.#isHalf);
      wakeAll();
      if (isRead) controller?.close();
      else controller?.error(new DOMException('The connection was cut.', 'AbortError'));
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

  /** The platform says so by itself. */
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
    // Platforms wait for their handlers, even after the client has gone.
    if (!this.#isAnswered) this.#answer(new Response(null, { status: CLIENT_GONE }));
    for (const listener of Array.from(this.#listeners)) listener(isComplete);
    this.#listeners.clear();
  }
}

/** What proxies log for a client that hung up before there was a response. Nobody receives it. */
const CLIENT_GONE = 499;

/** What may wait for a slow reader before writers wait as well. */
const MAX_WAITING_BYTES = 65_536;

/** The platform makes bytes of it; what is kept as bytes is not made anew. */
function toBody(body: string | Pieces): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  const head = new TextEncoder().encode(body.head);
  const joined = new Uint8Array(head.length + body.bytes.length);
  joined.set(head);
  joined.set(body.bytes, head.length);
  return joined;
}

/** Connections are the platform's business; some refuse a response that speaks of them. */
function withoutConnection({ connection: _connection, ...others }: ResponseHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(others))
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each);
  return headers;
}
