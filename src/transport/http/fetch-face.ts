import { DefinitionError } from '../../errors/errors.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { Pieces } from '../../wire/dispatch.ts';
import type { MemoryAccount } from '../../stores/memory-budget.ts';
import { OpenBody, SHORT_BODY_BYTES } from './reading-room.ts';
import type { Body, BodyLimits, HttpHeaders, HttpRequest, HttpSink, StreamSink } from './http-message.ts';
import { StallWatch } from './stall-watch.ts';
import type { SinkOwner } from './sink-owner.ts';

/** A web-standard request. */
export class FetchRequest implements HttpRequest {
  readonly hasSeveralHosts: boolean;
  readonly target: string;
  readonly #request: Request;
  readonly #host: string;

  constructor(request: Request) {
    const url = new URL(request.url);
    this.#request = request;
    this.target = `${url.pathname}${url.search}`;
    this.#host = url.host;
    // Several headers of one name arrive as one, with commas.
    this.hasSeveralHosts = (request.headers.get('host') ?? '').includes(',');
  }

  get method(): string {
    return this.#request.method;
  }

  /** Several headers of one name arrive as one. */
  isRepeated(): boolean {
    return false;
  }

  header(name: string): string | undefined {
    // The URL is what the platform understood; not every platform shows the header.
    const value = this.#request.headers.get(name) ?? undefined;
    return name === 'host' ? (value ?? this.#host) : value;
  }

  async readBody(limits: BodyLimits, account: MemoryAccount): Promise<Body> {
    if (this.#request.bodyUsed)
      throw new DefinitionError(
        'The body was read before the request got here. Read a clone of the request.',
      );
    const length = this.header('content-length');
    if (Number(length ?? 0) > limits.maxBytes) return { kind: 'too-large' };
    const expected = length === undefined ? limits.maxBytes : Number(length);
    const body = new FetchBody(this.#request.body?.getReader(), account, limits);
    try {
      return await body.read(expected);
    } catch {
      return { kind: 'unreadable' };
    } finally {
      limits.room.leave(body);
    }
  }
}

/** The body of a web-standard request while it is read. */
class FetchBody extends OpenBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #limits: BodyLimits;
  #isRefused = false;
  #wake: () => void = () => {};

  constructor(
    reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
    account: MemoryAccount,
    limits: BodyLimits,
  ) {
    super(account);
    this.#reader = reader;
    this.#limits = limits;
  }

  async read(expected: number): Promise<Body> {
    const { maxBytes, room } = this.#limits;
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    let text = '';
    let size = 0;
    for (;;) {
      const chunk = await this.#reader?.read();
      if (this.#isRefused) return { kind: 'no-room' };
      if (chunk === undefined || chunk.done) return { kind: 'text', text: text + decoder.decode() };
      size += chunk.value.byteLength;
      if (size > maxBytes) return this.#giveUp('too-large');
      if (!room.take(this, chunk.value.byteLength, size <= SHORT_BODY_BYTES)) return this.#giveUp('no-room');
      text += decoder.decode(chunk.value, { stream: true });
      if (size > SHORT_BODY_BYTES && this.reserved === 0 && !(await this.#reserve(expected)))
        return this.#giveUp('no-room');
    }
  }

  resume(): void {
    this.#wake();
  }

  refuse(): void {
    this.#isRefused = true;
    this.#wake();
    // It may be waiting for the next chunk.
    this.#reader?.cancel().catch(() => {});
  }

  async #reserve(bytes: number): Promise<boolean> {
    const turn = this.#limits.room.reserve(this, bytes);
    if (turn === 'waits')
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return turn !== 'refused' && !this.#isRefused;
  }

  #giveUp(kind: 'too-large' | 'no-room'): Body {
    // Nobody waits for the rest.
    this.#reader?.cancel().catch(() => {});
    return { kind };
  }
}

/** What a sink needs to know of its endpoint. */
export type FetchSinkOwner = Pick<SinkOwner, 'stallLimit' | 'unread'>;

/** The way back through a web-standard response. */
export class FetchSink implements HttpSink {
  account: MemoryAccount | undefined;
  readonly response: Promise<Response>;
  readonly #request: Request;
  readonly #owner: FetchSinkOwner;
  readonly #listeners = new Set<(isComplete: boolean) => void>();
  #resolve: (response: Response) => void = () => {};
  #isAnswered = false;
  #isOver = false;
  #isComplete = false;

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

  respond(status: number, headers: HttpHeaders, body?: string | Pieces): void {
    if (this.#isAnswered) return;
    const text = this.#request.method === 'HEAD' || body === undefined ? null : toBody(body);
    // Made before anything else: a header that cannot be sent must not leave the request without an answer.
    const response = new Response(text, { status, headers: withoutConnection(headers) });
    this.#isAnswered = true;
    this.#close(true);
    this.#resolve(response);
  }

  openStream(status: number, headers: HttpHeaders): StreamSink {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const waiting = new Set<() => void>();
    const cut = (): void => {
      if (this.#isOver) return;
      this.#close(false);
      controller?.error(new DOMException('The connection was cut.', 'AbortError'));
    };
    const waitingBytes = (): number => MAX_WAITING_BYTES - (controller?.desiredSize ?? 0);
    const watch = new StallWatch(this.#owner.stallLimit, { waitingBytes, cut });
    const unread = this.account && this.#owner.unread.open(this.account, cut);
    const wakeAll = (): void => {
      watch.stop();
      unread?.set(0);
      for (const wake of waiting) wake();
      waiting.clear();
    };
    const body = new ReadableStream<Uint8Array>(
      {
        start: (opened) => {
          controller = opened;
        },
        pull: wakeAll,
        cancel: () => this.#close(false),
      },
      { highWaterMark: MAX_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    if (!this.#isAnswered) {
      const response = new Response(body, { status, headers: withoutConnection(headers) });
      this.#isAnswered = true;
      this.#resolve(response);
    }
    if (this.#isOver) controller?.close();
    else this.#listeners.add(wakeAll);
    const encoder = new TextEncoder();
    return {
      write: (chunk): MaybePromise<void> => {
        if (this.#isOver || controller === undefined) return undefined;
        controller.enqueue(encoder.encode(chunk));
        if ((controller.desiredSize ?? 1) > 0) return undefined;
        if (unread?.set(waitingBytes()) === false) return cut();
        watch.start();
        return new Promise((resolve) => waiting.add(resolve));
      },
      end: () => {
        if (this.#isOver) return;
        this.#close(true);
        controller?.close();
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

  #close(isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isComplete = isComplete;
    for (const listener of Array.from(this.#listeners)) listener(isComplete);
    this.#listeners.clear();
  }
}

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
function withoutConnection({ connection: _connection, ...headers }: HttpHeaders): Record<string, string> {
  return headers;
}
