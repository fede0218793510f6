import { DefinitionError } from '../../errors/errors.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { Pieces } from '../../wire/dispatch.ts';
import { SHORT_BODY_BYTES } from './reading-room.ts';
import type { Body, BodyLimits, HttpHeaders, HttpRequest, HttpSink, StreamSink } from './http-message.ts';
import { StallWatch } from './stall-watch.ts';
import type { StallLimit } from './stall-watch.ts';

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

  async readBody({ maxBytes, room }: BodyLimits): Promise<Body> {
    if (this.#request.bodyUsed)
      throw new DefinitionError(
        'The body was read before the request got here. Read a clone of the request.',
      );
    if (Number(this.header('content-length') ?? 0) > maxBytes) return { kind: 'too-large' };
    const reader = this.#request.body?.getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    let text = '';
    let size = 0;
    let taken = 0;
    let goOn: () => void = () => {};
    try {
      for (;;) {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) return { kind: 'text', text: text + decoder.decode() };
        size += chunk.value.byteLength;
        if (size > maxBytes) {
          // Nobody waits for the rest.
          reader?.cancel().catch(() => {});
          return { kind: 'too-large' };
        }
        text += decoder.decode(chunk.value, { stream: true });
        if (size <= SHORT_BODY_BYTES) continue;
        if (taken === 0) room.start();
        room.take(size - taken);
        taken = size;
        await new Promise<void>((resolve) => {
          goOn = resolve;
          if (!room.mustWait(goOn)) resolve();
        });
      }
    } catch {
      return { kind: 'unreadable' };
    } finally {
      if (taken > 0) room.leave(taken, goOn);
    }
  }
}

/** The way back through a web-standard response. */
export class FetchSink implements HttpSink {
  readonly response: Promise<Response>;
  readonly #request: Request;
  readonly #stallLimit: StallLimit;
  readonly #listeners = new Set<(isComplete: boolean) => void>();
  #resolve: (response: Response) => void = () => {};
  #isAnswered = false;
  #isOver = false;
  #isComplete = false;

  constructor(request: Request, stallLimit: StallLimit) {
    this.#request = request;
    this.#stallLimit = stallLimit;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    request.signal.addEventListener('abort', () => this.#close(false), { once: true });
    if (request.signal.aborted) this.#close(false);
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
    const watch = new StallWatch(this.#stallLimit, { waitingBytes, cut });
    const wakeAll = (): void => {
      watch.stop();
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
