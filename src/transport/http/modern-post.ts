import type { Closing } from '../../wire/served/closing.ts';
import type { HttpContext } from '../../middleware/context.ts';
import type { ClientDescription, McpLogLevel } from '../../middleware/dialogue.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Cancellation } from '../../base/time/cancellation.ts';
import type { MemoryHold } from '../../base/memory/memory-hold.ts';
import { toErrorAnswer } from '../../wire/messages/answer.ts';
import type { Answer } from '../../wire/messages/answer.ts';
import type { Envelope } from '../../wire/messages/envelope.ts';
import type { Exchange, Extensions, RequestHeaders } from '../../wire/served/exchange.ts';
import { encodeError } from '../../wire/messages/json-rpc.ts';
import type { RequestId } from '../../wire/messages/json-rpc.ts';
import { MODERN } from '../../wire/messages/revisions.ts';
import { INTERNAL_ERROR, NO_ROOM_FOR_RESULT } from '../../wire/messages/rpc-errors.ts';
import { KeptAlive } from './gate/keep-alive.ts';
import { ALIVE, toEvent } from './legacy/event-stream.ts';
import { HttpDetails } from './message/http-details.ts';
import type { HttpHeaders, HttpRequest, HttpSink, StreamSink } from './message/http-message.ts';
import { respondMissingScopes } from './message/respond.ts';
import { answerHeaders, streamHeaders } from './message/response-headers.ts';

/** Parts that a response needs. */
export interface ModernParts {
  readonly id: RequestId;
  readonly sink: HttpSink;
  readonly caller: Caller;
  readonly envelope: Envelope;
  readonly closing: Closing;
  readonly cors: HttpHeaders;
  readonly hold: MemoryHold;
  readonly http: HttpRequest;
  readonly extensions: Extensions | undefined;
}

/**
 * A request of 2026-07-28 over HTTP. The response is plain JSON, or a stream if a message precedes it. If the client disconnects, the
 * request is cancelled.
 */
export class ModernPost extends KeptAlive implements Exchange {
  readonly revision: typeof MODERN = MODERN;
  readonly caller: Caller;
  readonly client: ClientDescription;
  readonly logLevel: McpLogLevel | undefined;
  readonly closing: Closing;
  readonly cancellation: Cancellation = new Cancellation();
  readonly hold: MemoryHold;
  readonly ask = undefined;
  readonly session = undefined;
  readonly headers: RequestHeaders;
  readonly http: HttpContext;
  readonly extensions: Extensions | undefined;
  readonly #id: RequestId;
  readonly #sink: HttpSink;
  readonly #cors: HttpHeaders;
  #stream: StreamSink | undefined;

  constructor({ id, sink, caller, envelope, closing, cors, hold, http, extensions }: ModernParts) {
    super();
    this.#id = id;
    this.caller = caller;
    this.client = envelope.client;
    this.logLevel = envelope.logLevel;
    this.closing = closing;
    this.hold = hold;
    this.headers = http;
    this.http = new HttpDetails(http);
    this.extensions = extensions;
    this.#sink = sink;
    this.#cors = cors;
  }

  /** Whether the client has already disconnected, for example during authentication or in the queue. */
  get isGone(): boolean {
    return this.#sink.isClosed;
  }

  /** Cancels the request if the client disconnects. Only needed if the response is not available immediately. */
  watch(): void {
    // defence: end-with-the-connection
    this.#sink.onClose((isComplete) => {
      if (!isComplete) this.#abort('The client disconnected.');
    });
    this.#sink.watch();
  }

  /** Cancels the request and sends its client an error with the reason. */
  cutOff(reason: string): void {
    if (this.cancellation.isCancelled) return;
    const text = encodeError(this.#id, { ...INTERNAL_ERROR, message: reason });
    this.finish({ text, status: 503 });
    this.#abort(reason);
  }

  #abort(reason: string): void {
    this.cancellation.cancel(new DOMException(reason, 'AbortError'));
  }

  send(message: string): MaybePromise<void> {
    return this.cancellation.isCancelled ? undefined : this.#open().write(toEvent(message));
  }

  /** This revision has no resumability. */
  releaseStream(): void {}

  /** Sends a keep-alive comment. */
  ping(): void {
    if (!this.cancellation.isCancelled) void this.#open().write(ALIVE);
  }

  finish({ text, status, pieces, requiredScopes }: Answer): void {
    if (this.cancellation.isCancelled) {
      this.#stream?.end();
      return;
    }
    if (this.#stream === undefined) {
      if (requiredScopes !== undefined)
        return respondMissingScopes(this.#sink, requiredScopes, { text, cors: this.#cors });
      // A shared response needs no additional memory.
      if (pieces === undefined && !this.#sink.hasRoomFor(text)) return this.finish(this.#noRoom());
      return this.#sink.respond(status, answerHeaders(status, this.#cors), pieces ?? text);
    }
    void this.#stream.write(toEvent(text));
    this.#stream.end();
  }

  #noRoom(): Answer {
    return toErrorAnswer(this.#id, NO_ROOM_FOR_RESULT);
  }

  #open(): StreamSink {
    this.#stream ??= this.#sink.openStream(200, streamHeaders(this.#cors));
    return this.#stream;
  }
}
