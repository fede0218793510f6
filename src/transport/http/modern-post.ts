import type { Closing } from '../../wire/closing.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/policy.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { Answer } from '../../wire/dispatch.ts';
import type { Envelope } from '../../wire/envelope.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { encodeError } from '../../wire/json-rpc.ts';
import type { RequestId } from '../../wire/json-rpc.ts';
import { MODERN } from '../../wire/revisions.ts';
import { INTERNAL_ERROR } from '../../wire/rpc-errors.ts';
import { ALIVE, toEvent } from './event-stream.ts';
import type { HttpHeaders, HttpSink, StreamSink } from './http-message.ts';
import { jsonHeaders, streamHeaders } from './response-headers.ts';

/** What the answer to a request goes back through. */
export interface ModernParts {
  readonly id: RequestId;
  readonly sink: HttpSink;
  readonly caller: Caller;
  readonly envelope: Envelope;
  readonly closing: Closing;
  readonly cors: HttpHeaders;
}

/**
 * A request of 2026-07-28 over HTTP. It is answered with plain JSON, unless something is told before the answer: then the answer becomes
 * a stream. A client that hangs up takes its request back.
 */
export class ModernPost implements Exchange {
  readonly revision: typeof MODERN = MODERN;
  readonly caller: Caller;
  readonly client: ClientDescription;
  readonly logLevel: McpLogLevel | undefined;
  readonly closing: Closing;
  readonly ask = undefined;
  readonly session = undefined;
  readonly #id: RequestId;
  readonly #sink: HttpSink;
  readonly #cors: HttpHeaders;
  readonly #controller = new AbortController();
  #stream: StreamSink | undefined;

  constructor({ id, sink, caller, envelope, closing, cors }: ModernParts) {
    this.#id = id;
    this.caller = caller;
    this.client = envelope.client;
    this.logLevel = envelope.logLevel;
    this.closing = closing;
    this.#sink = sink;
    this.#cors = cors;
    sink.onClose((isComplete) => {
      if (!isComplete) this.#abort('The client hung up.');
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Cuts the request off: its handler is told to stop, and its client that it was. */
  cutOff(reason: string): void {
    if (this.signal.aborted) return;
    const text = encodeError(this.#id, { ...INTERNAL_ERROR, message: reason });
    this.finish({ text, status: 503 });
    this.#abort(reason);
  }

  #abort(reason: string): void {
    this.#controller.abort(new DOMException(reason, 'AbortError'));
  }

  send(message: string): MaybePromise<void> {
    return this.signal.aborted ? undefined : this.#open().write(toEvent(message));
  }

  /** Nothing to come back to in this revision. */
  releaseStream(): void {}

  /** Shows that the request is still being answered. */
  ping(): void {
    if (!this.signal.aborted) void this.#open().write(ALIVE);
  }

  finish({ text, status }: Answer): void {
    if (this.signal.aborted) {
      this.#stream?.end();
      return;
    }
    if (this.#stream === undefined) return this.#sink.respond(status, jsonHeaders(this.#cors), text);
    void this.#stream.write(toEvent(text));
    this.#stream.end();
  }

  #open(): StreamSink {
    this.#stream ??= this.#sink.openStream(200, streamHeaders(this.#cors));
    return this.#stream;
  }
}
