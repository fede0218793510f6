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
}

/**
 * A request of an earlier revision over HTTP, or several at once. Answered with plain JSON, unless something is told or asked before the
 * answer: then the answer becomes a stream, which the client may leave and come back to. Hanging up takes nothing back.
 */
export class LegacyPost {
  readonly #sink: HttpSink;
  readonly #session: HttpSession;
  readonly #cors: HttpHeaders;
  #events: EventStream | undefined;
  #connection: StreamSink | undefined;
  #isGone = false;

  constructor({ sink, session, cors }: LegacyPostParts) {
    this.#sink = sink;
    this.#session = session;
    this.#cors = cors;
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

  /** Answers a request, or a batch of them; without an answer to any where the client took them all back. */
  finish(answers: Answer | undefined | readonly (Answer | undefined)[]): void {
    this.#session.active -= 1;
    if (this.#events !== undefined) return this.#finishStream(this.#events, sayable(answers));
    if (this.#isGone) return;
    if (isOne(answers)) return respondLegacy(this.#sink, answers, this.#cors);
    const texts = sayable(answers).map(({ text }) => text);
    // A request that was taken back has no answer, but HTTP needs one.
    if (texts.length === 0) return this.#sink.openStream(200, streamHeaders(this.#cors)).end();
    this.#sink.respond(200, jsonHeaders(this.#cors), `[${texts.join(',')}]`);
  }

  #finishStream(events: EventStream, answers: readonly Answer[]): void {
    for (const { text } of answers) void events.write(text);
    void events.finish();
  }

  #open(): EventStream {
    if (this.#events !== undefined) return this.#events;
    this.#events = this.#session.openStream();
    this.#connection = this.#sink.openStream(200, streamHeaders(this.#cors));
    void this.#events.attach(this.#connection);
    return this.#events;
  }
}

function isOne(answers: Answer | undefined | readonly unknown[]): answers is Answer {
  return answers !== undefined && !Array.isArray(answers);
}

/** Those that the client has not taken back. */
function sayable(answers: Answer | undefined | readonly (Answer | undefined)[]): readonly Answer[] {
  const list = answers === undefined || isOne(answers) ? [answers] : answers;
  return list.filter((answer) => answer !== undefined);
}
