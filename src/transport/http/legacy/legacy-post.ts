import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { MemoryHold } from '../../../base/memory/memory-hold.ts';
import type { HttpContext } from '../../../middleware/context.ts';
import type { Caller } from '../../../pipeline/tool/policy.ts';
import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import type { RequestId } from '../../../wire/messages/json-rpc.ts';
import { NO_ROOM_FOR_RESULT } from '../../../wire/messages/rpc-errors.ts';
import type { Closing } from '../../../wire/served/closing.ts';
import type { WayBack } from '../../../wire/sessions/legacy-exchange.ts';
import type { Admission } from '../gate/admission.ts';
import { admit } from '../gate/admit.ts';
import type { EndpointParts, EndpointRequest } from '../gate/endpoint-request.ts';
import { KeptAlive } from '../gate/keep-alive.ts';
import type { EventStream } from './event-stream.ts';
import type { HttpHeaders, HttpSink, StreamSink } from '../message/http-message.ts';
import type { HttpSession } from './http-session.ts';
import { HttpDetails } from '../message/http-details.ts';
import { respondLegacy } from '../message/respond.ts';
import { streamHeaders } from '../message/response-headers.ts';

/** Parts of a POST request. */
export interface LegacyPostParts {
  readonly parts: EndpointParts;
  readonly request: EndpointRequest;
  readonly session: HttpSession;
  readonly hold: MemoryHold;
  /** Id of a single request; undefined for a batch. */
  readonly id?: RequestId;
}

/**
 * A POST of an earlier revision: one request or a batch. The response is plain JSON, or a stream if a message precedes it; the client can
 * leave the stream and resume it. A closed connection cancels nothing.
 */
export class LegacyPost extends KeptAlive implements WayBack {
  readonly caller: Caller;
  readonly closing: Closing;
  readonly http: HttpContext;
  readonly #admission: Admission;
  /** Key of the caller; undefined for anonymous callers. */
  readonly #owner: string | undefined;
  readonly #sink: HttpSink;
  readonly #session: HttpSession;
  readonly #cors: HttpHeaders;
  readonly #id: RequestId | undefined;
  readonly hold: MemoryHold;
  #events: EventStream | undefined;
  #connection: StreamSink | undefined;
  #isGone = false;

  constructor({ parts, request, session, hold, id }: LegacyPostParts) {
    super();
    const { http, sink, identified, cors, account } = request;
    this.caller = identified.caller;
    this.closing = parts.closing;
    this.http = new HttpDetails(http);
    this.hold = hold;
    this.#admission = parts.admission;
    this.#owner = account.owner;
    this.#id = id;
    this.#sink = sink;
    this.#session = session;
    this.#cors = cors;
    session.active += 1;
    // defence: requests-outlive-connections
    sink.onClose(() => {
      this.#isGone = true;
      if (this.#connection !== undefined) this.#events?.detach(this.#connection);
    });
  }

  send(message: string, key?: unknown): MaybePromise<void> {
    // A client that disconnected before there was a stream cannot resume it, but may have the standalone stream open.
    const stream = this.#isGone && this.#events === undefined ? this.#session.standalone : this.#open();
    return key === undefined ? stream.write(message) : stream.report(message, key);
  }

  /** Lets the client disconnect; the response is kept. */
  releaseStream(): void {
    if (!this.#session.legacy.revision.hasPriming) return;
    void this.#open().release();
  }

  admit(id: RequestId, answer: () => Promise<Answer>): Promise<Answer> {
    return admit(this.#admission, { id, owner: this.#owner, answer });
  }

  /** A call that waits for the user does not count as running. */
  onAsk(isWaiting: boolean): void {
    if (isWaiting) this.#admission.leave(this.#owner);
    else this.#admission.resume(this.#owner);
  }

  /** Detects a disconnected client. Only needed if the response is not available immediately. */
  watch(): void {
    this.#sink.watch();
  }

  /** Sends a keep-alive comment. */
  ping(): void {
    if (!this.#isGone) void this.#open().ping();
  }

  /** Sends the response to a request, or the responses to a batch; undefined if the client cancelled all of them. */
  finish(answer: Answer | readonly string[] | undefined): void {
    this.#session.active -= 1;
    this.hold.release();
    const texts = answer === undefined ? [] : 'text' in answer ? [answer.text] : answer;
    if (this.#events !== undefined) {
      const instead = toErrorAnswer(this.#id, NO_ROOM_FOR_RESULT).text;
      for (const text of texts) void this.#events.write(text, instead);
      return void this.#events.finish();
    }
    if (this.#isGone) return;
    // A cancelled request has no JSON-RPC response, but HTTP needs one.
    if (answer === undefined || texts.length === 0)
      return this.#sink.openStream(200, streamHeaders(this.#cors)).end();
    const shown = 'text' in answer ? answer : { text: `[${texts.join(',')}]`, status: 200 };
    respondLegacy(this.#sink, this.#id, { answer: shown, cors: this.#cors });
  }

  #open(): EventStream {
    if (this.#events !== undefined) return this.#events;
    this.#events = this.#session.openStream(this.#id);
    this.#connection = this.#sink.openStream(200, streamHeaders(this.#cors));
    void this.#events.attach(this.#connection);
    return this.#events;
  }
}
