import type { MaybePromise } from '../../schema/validated.ts';
import type { Answer } from '../../wire/dispatch.ts';
import type { EventStream } from './event-stream.ts';
import type { HttpHeaders, HttpSink, StreamSink } from './http-message.ts';
import type { HttpSession } from './http-session.ts';
import { respondLegacy } from './respond.ts';
import { jsonHeaders, streamHeaders } from './response-headers.ts';

/** What the answers go back through. */
export interface LegacyPostParts {
  readonly sink: HttpSink;
  readonly session: HttpSession;
  readonly cors: HttpHeaders;
  readonly isBatch: boolean;
}

/**
 * A request of an earlier revision over HTTP, or several at once. Answered with plain JSON, unless something is told or asked before the
 * answer: then the answer becomes a stream, which the client may leave and come back to. Hanging up takes nothing back.
 */
export class LegacyPost {
  readonly #sink: HttpSink;
  readonly #session: HttpSession;
  readonly #cors: HttpHeaders;
  readonly #isBatch: boolean;
  #events: EventStream | undefined;
  #connection: StreamSink | undefined;
  #isGone = false;

  constructor({ sink, session, cors, isBatch }: LegacyPostParts) {
    this.#sink = sink;
    this.#session = session;
    this.#cors = cors;
    this.#isBatch = isBatch;
    session.active += 1;
    sink.onClose(() => {
      this.#isGone = true;
      if (this.#connection !== undefined) this.#events?.detach(this.#connection);
    });
  }

  send(message: string): MaybePromise<void> {
    // Whoever hung up before there was a stream has nothing to come back to, but may still listen.
    if (this.#isGone && this.#events === undefined) return this.#session.post(message);
    return this.#open().write(message);
  }

  /** Lets the client hang up; the answer waits for it. */
  releaseStream(): void {
    if (!this.#session.legacy.revision.hasPriming) return;
    void this.#open().release();
  }

  /** From now on a client that hangs up is noticed. Only needed where the answer is not known at once. */
  watch(): void {
    this.#sink.watch();
  }

  /** Shows that the request is still being answered. */
  ping(): void {
    if (!this.#isGone) void this.#open().ping();
  }

  /** Answers; without an answer to any request where the client took them all back. */
  finish(answers: readonly (Answer | undefined)[]): void {
    this.#session.active -= 1;
    const said = answers.filter((answer) => answer !== undefined);
    if (this.#events !== undefined) {
      for (const { text } of said) void this.#events.write(text);
      void this.#events.finish();
      return;
    }
    if (this.#isGone) return;
    // A request that was taken back has no answer, but HTTP needs one.
    const [first] = said;
    if (first === undefined) return this.#sink.openStream(200, streamHeaders(this.#cors)).end();
    if (!this.#isBatch) return respondLegacy(this.#sink, first, this.#cors);
    const texts = said.map(({ text }) => text);
    this.#sink.respond(200, jsonHeaders(this.#cors), `[${texts.join(',')}]`);
  }

  #open(): EventStream {
    if (this.#events !== undefined) return this.#events;
    this.#events = this.#session.openStream();
    this.#connection = this.#sink.openStream(200, streamHeaders(this.#cors));
    void this.#events.attach(this.#connection);
    return this.#events;
  }
}
