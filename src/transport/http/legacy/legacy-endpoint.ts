import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { MemoryHold } from '../../../base/memory/memory-hold.ts';
import { CallRefusedError } from '../../../errors/errors.ts';
import { toLoggedError } from '../../../errors/log-thrown.ts';
import type { Decoded } from '../../../wire/messages/decode.ts';
import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import { BatchAnswers, MAX_OF_BATCH } from '../../../wire/sessions/batch-answers.ts';
import { inTurn } from '../../../wire/sessions/in-turn.ts';
import { encodeResult } from '../../../wire/messages/json-rpc.ts';
import type { RequestId, RpcRequest } from '../../../wire/messages/json-rpc.ts';
import { shakeHands } from '../../../wire/served/handshake.ts';
import { findRevision, SUPPORTED_VERSIONS } from '../../../wire/messages/revisions.ts';
import { busy, invalidRequest, NO_ROOM, unsupportedVersion } from '../../../wire/messages/rpc-errors.ts';
import { respondError, respondLegacy } from '../message/respond.ts';
import type { SessionOptions } from '../message/http-options.ts';
import type { HttpSession } from './http-session.ts';
import { LegacyPost } from './legacy-post.ts';
import { KeepAlive, OpenStream } from '../gate/keep-alive.ts';
import { accepts } from '../message/media-types.ts';
import { quotaOwnerOf } from '../gate/endpoint-request.ts';
import type { EndpointParts, EndpointRequest } from '../gate/endpoint-request.ts';
import { jsonHeaders, RETRY, streamHeaders } from '../message/response-headers.ts';
import { STORE_FAILED } from './session-peers.ts';
import { SessionTable } from './session-table.ts';
import { SharedSessions } from './shared-sessions.ts';
import { StatelessRequests } from './stateless-requests.ts';

/** The part of the endpoint for revisions with a handshake. */
export class LegacyEndpoint {
  readonly #parts: EndpointParts;
  readonly #sessions: SessionTable | undefined;
  readonly #stateless: StatelessRequests;
  readonly #shared: SharedSessions | undefined;
  readonly #keepAlive: KeepAlive;

  constructor(parts: EndpointParts, sessions: SessionOptions | false | undefined) {
    this.#parts = parts;
    this.#keepAlive = new KeepAlive(parts.served.clock, parts.keepAliveMs);
    this.#stateless = new StatelessRequests(parts);
    const { served } = parts;
    this.#sessions = sessions === false ? undefined : new SessionTable(served, sessions ?? {});
    if (this.#sessions === undefined || sessions === false || sessions?.shared === undefined) return;
    this.#shared = new SharedSessions(served, this.#sessions, sessions);
  }

  get hasSessions(): boolean {
    return this.#sessions !== undefined;
  }

  release(): void {
    this.#sessions?.release();
  }

  close(): void {
    this.#stateless.close();
    this.#shared?.close();
    this.#sessions?.close();
    this.#keepAlive.close();
  }

  /** Handles a message or a batch of an earlier revision. */
  post(request: EndpointRequest, message: Decoded): MaybePromise<void> {
    if (refusesVersion(request, message)) return undefined;
    if (message.kind === 'request' && message.method === 'initialize')
      return this.#initialize(request, message);
    if (this.#sessions === undefined) return this.#stateless.answer(request, message);
    if (this.#shared !== undefined)
      return this.#findShared(request, this.#shared).then(
        (session) => session && this.#answer(request, session, message),
      );
    const session = this.#findSession(request);
    return session === undefined ? undefined : this.#answer(request, session, message);
  }

  /** Opens or resumes a stream. */
  get(request: EndpointRequest): MaybePromise<void> {
    const { http, sink, cors } = request;
    if (refusesVersion(request)) return undefined;
    if (!accepts(http, 'text/event-stream'))
      return respondError(sink, {
        status: 406,
        error: invalidRequest('Not acceptable: accept text/event-stream.'),
        headers: cors,
      });
    const shared = this.#shared;
    if (shared === undefined) {
      const session = this.#findSession(request);
      return session && this.#openStream(request, session);
    }
    return this.#withShared(request, shared, async (session) => {
      await shared.prepare(session, http.header('last-event-id'));
      this.#openStream(request, session);
    });
  }

  #openStream({ http, sink, cors }: EndpointRequest, session: HttpSession): void {
    const stream = sink.openStream(200, streamHeaders(cors));
    const lastEventId = http.header('last-event-id');
    const events = this.#shared?.attach(session, stream, lastEventId) ?? session.attach(stream, lastEventId);
    // A stream that is resumed during shutdown would delay it.
    // defence: end-for-who-comes-back
    if (this.#parts.closing.isClosed) session.release();
    const open = new OpenStream(() => {
      void events.ping();
      this.#shared?.check(session, events);
    });
    this.#keepAlive.add(open);
    sink.onClose(() => {
      session.detach(stream, events);
      this.#keepAlive.remove(open);
    });
  }

  /** Ends a session. */
  delete(request: EndpointRequest): MaybePromise<void> {
    if (refusesVersion(request)) return undefined;
    const shared = this.#shared;
    if (shared !== undefined)
      return this.#withShared(request, shared, async (session) => {
        await shared.end(session);
        request.sink.respond(204, request.cors);
      });
    const session = this.#findSession(request);
    if (session === undefined) return undefined;
    this.#sessions?.remove(session, 'The client ended the session.');
    return request.sink.respond(204, request.cors);
  }

  /** Runs with the shared session of a request. */
  async #withShared(
    request: EndpointRequest,
    shared: SharedSessions,
    run: (session: HttpSession) => Promise<void>,
  ): Promise<void> {
    const session = await this.#findShared(request, shared);
    if (session !== undefined) await run(session).catch((error: unknown) => this.#refuse(request, error));
  }

  async #findShared(request: EndpointRequest, shared: SharedSessions): Promise<HttpSession | undefined> {
    const id = findId(request);
    if (id === undefined) return undefined;
    try {
      return this.#see(request, await shared.find(id, request));
    } catch (error) {
      this.#refuse(request, error);
      return undefined;
    }
  }

  /** Rejects a request: too many sessions are in use, or the store of shared sessions has failed. */
  #refuse({ sink, cors }: EndpointRequest, error: unknown): void {
    const isFull = error instanceof CallRefusedError;
    if (!isFull) this.#logFailure(error);
    const refused = isFull ? busy(error.message) : STORE_FAILED;
    respondError(sink, { status: 503, error: refused, headers: { ...cors, ...RETRY } });
  }

  readonly #logFailure = (error: unknown): void => {
    this.#parts.served.logger.error('the session store failed', { error: toLoggedError(error) });
  };

  #findSession(request: EndpointRequest): HttpSession | undefined {
    const id = findId(request);
    if (id === undefined) return undefined;
    const { owner } = quotaOwnerOf(request.identified.caller, this.#parts.served);
    return this.#see(request, this.#sessions?.find(id, owner));
  }

  #see(
    { sink, identified, cors }: EndpointRequest,
    session: HttpSession | undefined,
  ): HttpSession | undefined {
    if (session === undefined) {
      const message =
        'Session not found: it has ended or does not exist. Send initialize to start a new one.';
      respondError(sink, { status: 404, error: { code: -32001, message }, headers: cors });
    }
    session?.legacy.see(identified.caller);
    return session;
  }

  #initialize(asking: EndpointRequest, request: RpcRequest): MaybePromise<void> {
    const { sink, identified, cors, account } = asking;
    const handshake = shakeHands(this.#parts.served, request.params, this.hasSessions);
    if ('error' in handshake)
      return sink.respond(200, jsonHeaders(cors), toErrorAnswer(request.id, handshake.error).text);
    const text = encodeResult(request.id, handshake.json);
    if (this.#sessions === undefined) return sink.respond(200, jsonHeaders(cors), text);
    const begin = (id: string): void =>
      sink.respond(200, jsonHeaders({ ...cors, 'mcp-session-id': id }), text);
    if (this.#shared !== undefined) return this.#shared.begin(handshake, asking).then(begin);
    const { caller } = identified;
    const session = this.#sessions.open(handshake, quotaOwnerOf(caller, this.#parts.served), { account });
    if (session === undefined) {
      const headers = { ...cors, 'retry-after': '60' };
      const error = invalidRequest('Too many sessions are open. Try again later.');
      return respondError(sink, { status: 503, error, headers });
    }
    session.legacy.beginAs(caller);
    return begin(session.id);
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
        return this.#take(request, session, [message]);
      default:
        return message satisfies never;
    }
  }

  #answerBatch(
    request: EndpointRequest,
    session: HttpSession,
    { messages, weight }: Extract<Decoded, { kind: 'batch' }>,
  ): MaybePromise<void> {
    const hold = this.#hold(request, { weight });
    if (hold === undefined) return undefined;
    const asked = messages.filter((each) => each.kind === 'request' || each.kind === 'invalid');
    const others = messages.filter((each) => each.kind === 'notification' || each.kind === 'response');
    if (asked.length === 0) {
      hold.release();
      return this.#take(request, session, others);
    }
    // Their requests do not wait for these.
    for (const each of others) this.#takeOne(session, each)?.catch(this.#logFailure);
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

  /** Handles messages that have no response. */
  #take(request: EndpointRequest, session: HttpSession, messages: readonly Decoded[]): MaybePromise<void> {
    const { sink, cors } = request;
    const work = messages
      .map((message) => this.#takeOne(session, message))
      .filter((taken) => taken !== undefined);
    if (work.length === 0) return sink.respond(202, cors);
    return Promise.all(work).then(
      () => sink.respond(202, cors),
      (error: unknown) => this.#refuse(request, error),
    );
  }

  #takeOne(session: HttpSession, message: Decoded): Promise<void> | undefined {
    if (message.kind === 'response') return session.legacy.settle(message);
    if (message.kind !== 'notification') return undefined;
    session.legacy.hear(message);
    return message.method === 'notifications/initialized' ? this.#shared?.ready(session) : undefined;
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
}

/** The session id of a request; without one, the error has been sent. */
function findId({ http, sink, cors }: EndpointRequest): string | undefined {
  const id = http.header('mcp-session-id');
  if (id !== undefined) return id;
  const message =
    'Bad request: the header Mcp-Session-Id is missing. Send initialize first, or use protocol version 2026-07-28.';
  respondError(sink, { status: 400, error: invalidRequest(message), headers: cors });
  return undefined;
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
