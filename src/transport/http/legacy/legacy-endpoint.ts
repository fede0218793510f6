import { Cancellation } from '../../../base/time/cancellation.ts';
import { MemoryHold } from '../../../base/memory/memory-hold.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { Decoded } from '../../../wire/messages/decode.ts';
import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import { BatchAnswers, MAX_OF_BATCH } from '../../../wire/sessions/batch-answers.ts';
import { describeClient } from '../../../wire/messages/envelope.ts';
import { inTurn } from '../../../wire/sessions/in-turn.ts';
import type { Exchange } from '../../../wire/served/exchange.ts';
import { encodeResult } from '../../../wire/messages/json-rpc.ts';
import type { RequestId, RpcRequest } from '../../../wire/messages/json-rpc.ts';
import { shakeHands } from '../../../wire/served/handshake.ts';
import { findRevision, MODERN, SUPPORTED_VERSIONS, UNSPOKEN } from '../../../wire/messages/revisions.ts';
import {
  INTERNAL_ERROR,
  invalidRequest,
  NO_ROOM,
  unsupportedVersion,
} from '../../../wire/messages/rpc-errors.ts';
import { HttpDetails } from '../message/http-details.ts';
import { respondError, respondLegacy } from '../message/respond.ts';
import type { SessionOptions } from '../message/http-options.ts';
import type { HttpSession } from './http-session.ts';
import { LegacyPost } from './legacy-post.ts';
import { admit } from '../gate/admit.ts';
import { KeepAlive, OpenStream } from '../gate/keep-alive.ts';
import { accepts } from '../message/media-types.ts';
import { quotaOwnerOf } from '../gate/endpoint-request.ts';
import type { EndpointParts, EndpointRequest } from '../gate/endpoint-request.ts';
import { jsonHeaders, streamHeaders } from '../message/response-headers.ts';
import { SessionTable } from './session-table.ts';

/** The part of the endpoint for revisions with a handshake. */
export class LegacyEndpoint {
  readonly #parts: EndpointParts;
  readonly #sessions: SessionTable | undefined;
  /** Running requests without a session. */
  readonly #open = new OpenList<WithoutSession>();
  readonly #keepAlive: KeepAlive;

  constructor(parts: EndpointParts, sessions: SessionOptions | false | undefined) {
    this.#parts = parts;
    this.#keepAlive = new KeepAlive(parts.served.clock, parts.keepAliveMs);
    this.#sessions = sessions === false ? undefined : new SessionTable(parts.served, sessions ?? {});
  }

  get hasSessions(): boolean {
    return this.#sessions !== undefined;
  }

  release(): void {
    this.#sessions?.release();
  }

  close(): void {
    for (const { cutOff } of this.#open.all()) cutOff();
    this.#sessions?.close();
    this.#keepAlive.close();
  }

  /** Handles a message or a batch of an earlier revision. */
  post(request: EndpointRequest, message: Decoded): MaybePromise<void> {
    if (refusesVersion(request, message)) return undefined;
    if (message.kind === 'request' && message.method === 'initialize')
      return this.#initialize(request, message);
    if (this.#sessions === undefined) return this.#answerWithoutSession(request, message);
    const session = this.#findSession(request);
    return session === undefined ? undefined : this.#answer(request, session, message);
  }

  /** Opens or resumes a stream. */
  get(request: EndpointRequest): void {
    const { http, sink, cors } = request;
    if (refusesVersion(request)) return;
    if (!accepts(http, 'text/event-stream'))
      return respondError(sink, {
        status: 406,
        error: invalidRequest('Not acceptable: accept text/event-stream.'),
        headers: cors,
      });
    const session = this.#findSession(request);
    if (session === undefined) return;
    const stream = sink.openStream(200, streamHeaders(cors));
    const events = session.attach(stream, http.header('last-event-id'));
    // A stream that is resumed during shutdown would delay it.
    // defence: end-for-who-comes-back
    if (this.#parts.closing.isClosed) session.release();
    const open = new OpenStream(() => void events.ping());
    this.#keepAlive.add(open);
    sink.onClose(() => {
      events.detach(stream);
      this.#keepAlive.remove(open);
    });
  }

  /** Ends a session. */
  delete(request: EndpointRequest): void {
    if (refusesVersion(request)) return;
    const session = this.#findSession(request);
    if (session === undefined) return;
    this.#sessions?.remove(session, 'The client ended the session.');
    request.sink.respond(204, request.cors);
  }

  #findSession({ http, sink, identified, cors }: EndpointRequest): HttpSession | undefined {
    const id = http.header('mcp-session-id');
    if (id === undefined) {
      const message =
        'Bad request: the header Mcp-Session-Id is missing. Send initialize first, or use protocol version 2026-07-28.';
      respondError(sink, { status: 400, error: invalidRequest(message), headers: cors });
      return undefined;
    }
    const session = this.#sessions?.find(id, quotaOwnerOf(identified.caller, this.#parts.served).owner);
    if (session === undefined) {
      const message =
        'Session not found: it has ended or does not exist. Send initialize to start a new one.';
      respondError(sink, { status: 404, error: { code: -32001, message }, headers: cors });
    }
    session?.legacy.see(identified.caller);
    return session;
  }

  #initialize({ sink, identified, cors, account }: EndpointRequest, request: RpcRequest): void {
    const handshake = shakeHands(this.#parts.served, request.params, this.hasSessions);
    if ('error' in handshake)
      return sink.respond(200, jsonHeaders(cors), toErrorAnswer(request.id, handshake.error).text);
    const text = encodeResult(request.id, handshake.json);
    if (this.#sessions === undefined) return sink.respond(200, jsonHeaders(cors), text);
    const { caller } = identified;
    const session = this.#sessions.open(handshake, quotaOwnerOf(caller, this.#parts.served), account);
    if (session === undefined) {
      const headers = { ...cors, 'retry-after': '60' };
      const error = invalidRequest('Too many sessions are open. Try again later.');
      return respondError(sink, { status: 503, error, headers });
    }
    session.legacy.beginAs(caller);
    sink.respond(200, jsonHeaders({ ...cors, 'mcp-session-id': session.id }), text);
  }

  #answer(request: EndpointRequest, session: HttpSession, message: Decoded): MaybePromise<void> {
    const { sink, cors } = request;
    switch (message.kind) {
      case 'request': {
        const hold = this.#hold(request, message);
        if (hold === undefined) return undefined;
        const post = new LegacyPost({ parts: this.#parts, request, session, hold, id: message.id });
        return this.#finish(post, session.legacy.answer(message, post, hold));
      }
      case 'batch':
        if (session.legacy.revision.hasBatches) return this.#answerBatch(request, session, message);
        return respondError(sink, {
          status: 400,
          error: invalidRequest('Invalid request: batches are not supported in this revision.'),
          headers: cors,
        });
      case 'invalid':
        return sink.respond(200, jsonHeaders(cors), toErrorAnswer(message.id, message.error).text);
      case 'notification':
      case 'response':
        take(session, message);
        return sink.respond(202, cors);
      default:
        return message satisfies never;
    }
  }

  #answerBatch(
    request: EndpointRequest,
    session: HttpSession,
    { messages, weight }: Extract<Decoded, { kind: 'batch' }>,
  ): MaybePromise<void> {
    const { sink, cors } = request;
    const hold = this.#hold(request, { weight });
    if (hold === undefined) return undefined;
    for (const each of messages) take(session, each);
    const asked = messages.filter((each) => each.kind === 'request' || each.kind === 'invalid');
    if (asked.length === 0) {
      hold.release();
      return sink.respond(202, cors);
    }
    const post = new LegacyPost({ parts: this.#parts, request, session, hold });
    const batch = new BatchAnswers(request.account);
    const answers = inTurn(asked, MAX_OF_BATCH, async (each) => {
      if (each.kind === 'request' && batch.isFull) return batch.refuse(each.id);
      const answer =
        each.kind === 'request'
          ? // `initialize` must not be in a batch, so it is an unknown method here.
            await session.legacy.answer(each, post, hold)
          : toErrorAnswer(each.id, each.error);
      return answer && batch.keep(each.id, answer.text);
    });
    const all = answers.then((texts) => {
      batch.release();
      return texts.filter((text) => text !== undefined);
    });
    return this.#finish(post, all);
  }

  /** Counts the memory of a request; undefined if it was rejected for lack of memory. */
  #hold(
    { sink, cors, account }: EndpointRequest,
    { id, weight }: { readonly id?: RequestId; readonly weight: number },
  ): MemoryHold | undefined {
    const hold = MemoryHold.take(account, weight, this.#parts.served.clock);
    if (hold === undefined) respondLegacy(sink, id, { answer: toErrorAnswer(id, NO_ROOM), cors });
    return hold;
  }

  async #finish(post: LegacyPost, answering: Promise<Answer | readonly string[] | undefined>): Promise<void> {
    this.#keepAlive.add(post);
    post.watch();
    const answer = await answering;
    this.#keepAlive.remove(post);
    post.finish(answer);
  }

  /** Handles a stateless request: the client's capabilities are unknown, and it cannot be asked. */
  async #answerWithoutSession(request: EndpointRequest, message: Decoded): Promise<void> {
    const { http, sink, identified, cors } = request;
    if (message.kind === 'notification' || message.kind === 'response') return sink.respond(202, cors);
    if (message.kind !== 'request')
      return respondError(sink, {
        status: 400,
        error: invalidRequest('Invalid request: send one message per POST.'),
        headers: cors,
      });
    const hold = this.#hold(request, message);
    if (hold === undefined) return undefined;
    const revision = findRevision(http.header('mcp-protocol-version')) ?? UNSPOKEN;
    // In earlier revisions a closed connection cancels nothing; only a shutdown does.
    const cancellation = new Cancellation();
    const { caller } = identified;
    const exchange: Exchange = {
      revision: revision === MODERN ? UNSPOKEN : revision,
      caller,
      client: describeClient(undefined, {}, revision.version),
      cancellation,
      closing: this.#parts.closing,
      send: () => {},
      logLevel: undefined,
      ask: undefined,
      releaseStream: () => {},
      hold,
      headers: undefined,
      http: new HttpDetails(http),
      session: undefined,
    };
    const open = new WithoutSession(() => {
      const error = { ...INTERNAL_ERROR, message: 'The server is closing.' };
      sink.respond(503, jsonHeaders(cors), toErrorAnswer(message.id, error).text);
      cancellation.cancel(new DOMException('The server is closing.', 'AbortError'));
    });
    this.#open.add(open);
    const answer = await admit(this.#parts.admission, {
      id: message.id,
      owner: request.account.owner,
      answer: () => this.#parts.served.answer(message, exchange),
    });
    this.#open.remove(open);
    hold.release();
    respondLegacy(sink, message.id, { answer, cors });
  }
}

/** A running request without a session. */
class WithoutSession extends OpenItem {
  readonly cutOff: () => void;

  constructor(cutOff: () => void) {
    super();
    this.cutOff = cutOff;
  }
}

/** Handles a message that has no response. */
function take({ legacy }: HttpSession, message: Decoded): void {
  if (message.kind === 'notification') legacy.hear(message);
  if (message.kind === 'response') legacy.settle(message);
}

/** Whether the requested revision is not supported; the error has then been sent. */
function refusesVersion({ http, sink, cors }: EndpointRequest, message?: Decoded): boolean {
  const version = http.header('mcp-protocol-version');
  if (version === undefined || findRevision(version)?.era === 'legacy') return false;
  const id = message?.kind === 'request' ? message.id : undefined;
  const { text } = toErrorAnswer(id, unsupportedVersion(version, SUPPORTED_VERSIONS));
  sink.respond(400, jsonHeaders(cors), text);
  return true;
}
