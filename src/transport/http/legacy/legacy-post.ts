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

/** What was posted, and where to. */
export interface LegacyPostParts {
  readonly parts: EndpointParts;
  readonly request: EndpointRequest;
  readonly session: HttpSession;
  readonly hold: MemoryHold;
  /** Of a single request. */
  readonly id?: RequestId;
}

/**
 * A request of an earlier revision over HTTP, or several at once. Answered with plain JSON, unless something is told or asked before the
 * answer: then the answer becomes a stream, which the client may leave and come back to. Hanging up takes nothing back.
 */
export class LegacyPost extends KeptAlive implements WayBack {
  readonly caller: Caller;
  readonly closing: Closing;
  readonly http: HttpContext;
  readonly #admission: Admission;
  /** The key of the caller; undefined for anonymous ones. */
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
    // Whoever hung up before there was a stream has nothing to come back to, but may still listen.
    const stream = this.#isGone && this.#events === undefined ? this.#session.standalone : this.#open();
    return key === undefined ? stream.write(message) : stream.report(message, key);
  }

  /** Lets the client hang up; the answer waits for it. */
  releaseStream(): void {
    if (!this.#session.legacy.revision.hasPriming) return;
    void this.#open().release();
  }

  admit(id: RequestId, answer: () => Promise<Answer>): Promise<Answer> {
    return admit(this.#admission, { id, owner: this.#owner, answer });
  }

  /** A call that waits for the user gives its turn to others. */
  onAsk(isWaiting: boolean): void {
    if (isWaiting) this.#admission.leave(this.#owner);
    else this.#admission.resume(this.#owner);
  }

  /** From now on a client that hangs up is noticed. Only needed where the answer is not known at once. */
  watch(): void {
    this.#sink.watch();
  }

  /** Shows that the request is still being answered. */
  ping(): void {
    if (!this.#isGone) void this.#open().ping();
  }

  /** Answers a request, or a batch of them with as many texts; without an answer where the client took all of them back. */
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
    // A request that was taken back has no answer, but HTTP needs one.
    if (answer === undefined || texts.length === 0)
      return this.#sink.openStream(200, streamHeaders(this.#cors)).end();
    const shown = 'text' in answer ? answer : { text: `[${texts.join(',')}]`, status: 200 };
    respondLegacy(this.#sink, this.#id, { answer: shown, cors: this.#cors });
  }

  #open(): EventStream {
    if (this.#events !== undefined) return this.#events;
    this.#events = this.#session.openStream();
    this.#connection = this.#sink.openStream(200, streamHeaders(this.#cors));
    void this.#events.attach(this.#connection);
    return this.#events;
  }
}
