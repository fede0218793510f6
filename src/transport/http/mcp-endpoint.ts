import type { MaybePromise } from '../../base/maybe-promise.ts';
import { MemoryHold } from '../../base/memory/memory-hold.ts';
import { decodeMessage, decodeValue } from '../../wire/messages/decode.ts';
import type { Decoded } from '../../wire/messages/decode.ts';
import { toErrorAnswer, UNREAD } from '../../wire/messages/answer.ts';
import type { Answer } from '../../wire/messages/answer.ts';
import { isModern, readEnvelope } from '../../wire/messages/envelope.ts';
import type { RequestId, RpcError, RpcRequest } from '../../wire/messages/json-rpc.ts';
import { LISTEN, withoutRest } from '../../wire/messages/listen-request.ts';
import { MODERN } from '../../wire/messages/revisions.ts';
import { invalidRequest, NO_ROOM } from '../../wire/messages/rpc-errors.ts';
import { checkHeaders } from '../../wire/served/header-checks.ts';
import type { Body, HttpRequest } from './message/http-message.ts';
import type { SessionOptions } from './message/http-options.ts';
import { LegacyEndpoint } from './legacy/legacy-endpoint.ts';
import { acceptsBoth, isJsonBody } from './message/media-types.ts';
import { ModernPost } from './modern-post.ts';
import { admit } from './gate/admit.ts';
import { KeepAlive } from './gate/keep-alive.ts';
import { respondError, respondNoRoom, respondNotAllowed } from './message/respond.ts';
import { answerHeaders, jsonHeaders } from './message/response-headers.ts';
import type { EndpointParts, EndpointRequest } from './gate/endpoint-request.ts';

/** The one endpoint for every revision since 2025-03-26. What a message says of itself decides which one it is. */
export class McpEndpoint {
  readonly #parts: EndpointParts;
  readonly #legacy: LegacyEndpoint;
  readonly #open: KeepAlive<ModernPost>;

  constructor(parts: EndpointParts, sessions: SessionOptions | false | undefined) {
    this.#parts = parts;
    this.#open = new KeepAlive(parts.served.clock, parts.keepAliveMs);
    this.#legacy = new LegacyEndpoint(parts, sessions);
  }

  handle(request: EndpointRequest): MaybePromise<void> {
    const { http, sink, cors } = request;
    if (http.method === 'POST') return this.#post(request);
    const hasSessions = this.#legacy.hasSessions && http.header('mcp-protocol-version') !== MODERN.version;
    if (!hasSessions) return respondNotAllowed(sink, 'POST', cors);
    if (http.method !== 'GET' && http.method !== 'DELETE')
      return respondNotAllowed(sink, 'POST, GET, DELETE', cors);
    return http.method === 'GET' ? this.#legacy.get(request) : this.#legacy.delete(request);
  }

  /** Lets those go who only listen. */
  release(): void {
    this.#legacy.release();
  }

  close(): void {
    for (const post of this.#open.all()) post.cutOff('The server closes.');
    this.#open.close();
    this.#legacy.close();
  }

  async #post(request: EndpointRequest): Promise<void> {
    const { http, sink, cors } = request;
    const refused = refuseKind(http);
    if (refused !== undefined)
      return respondError(sink, {
        status: refused.status,
        error: invalidRequest(refused.message),
        headers: cors,
      });
    const body = await http.readBody(this.#parts.bodyLimits, request.account);
    if (body.kind === 'no-room') return respondNoRoom(request);
    if (body.kind !== 'too-large') return this.#take(request, this.#decode(body));
    const message = `The body is larger than ${this.#parts.served.limits.maxMessageBytes} bytes.`;
    const headers = { ...cors, connection: 'close' };
    respondError(sink, { status: 413, error: invalidRequest(message), headers });
  }

  #decode(body: Exclude<Body, { kind: 'too-large' | 'no-room' }>): Decoded {
    if (body.kind === 'parsed') return decodeValue(body.value, this.#parts.served.limits);
    // Text that is not UTF-8 is not valid JSON either.
    if (body.kind === 'unreadable') return decodeMessage('', this.#parts.served.limits);
    return decodeMessage(body.text, this.#parts.served.limits, body.bytes);
  }

  #take(request: EndpointRequest, message: Decoded): MaybePromise<void> {
    const { http, sink, cors } = request;
    if (message.kind === 'invalid') {
      const { text, status } = toErrorAnswer(message.id, message.error);
      return sink.respond(status, jsonHeaders(cors), text);
    }
    const isNew = http.header('mcp-protocol-version') === MODERN.version;
    if (message.kind === 'request' && (isNew || isModern(message.method, message.params)))
      return this.#takeModern(request, message);
    if (!isNew) return this.#legacy.post(request, message);
    // There is nothing a client of 2026-07-28 could tell outside of a request; it hangs up instead.
    if (message.kind === 'notification') return sink.respond(202, cors);
    const error = invalidRequest(
      'Invalid request: this revision knows one request or notification at a time.',
    );
    return respondError(sink, { status: 400, error, headers: cors });
  }

  /** Waits for nothing itself: what a function that waits was given is kept as long as it does. */
  #takeModern(
    { http, sink, identified, cors, account }: EndpointRequest,
    message: RpcRequest,
  ): MaybePromise<void> {
    const { served, closing, extensions } = this.#parts;
    const { caller } = identified;
    const { id } = message;
    const envelope = readEnvelope(message, http.header('mcp-protocol-version') ?? '');
    if ('code' in envelope) return refuseModern(id, envelope, { sink, cors });
    const mismatch = checkHeaders(message, http);
    if (mismatch !== undefined) return refuseModern(id, mismatch, { sink, cors });
    // The message itself is not kept: a client that listens for hours may have sent one of megabytes.
    const request = withoutRest(message);
    const hold = MemoryHold.take(account, request.weight, served.clock);
    if (hold === undefined) return refuseModern(id, NO_ROOM, { sink, cors });
    const post = new ModernPost({ id, sink, caller, envelope, closing, cors, hold, http, extensions });
    return this.#finish(post, this.#answer(request, post, { client: sink, owner: account.owner }));
  }

  async #finish(post: ModernPost, answering: Promise<Answer>): Promise<void> {
    this.#open.add(post);
    post.watch();
    const answer = await answering;
    this.#open.remove(post);
    post.hold.release();
    post.finish(answer);
  }

  #answer(
    request: RpcRequest,
    post: ModernPost,
    { client, owner }: { client: EndpointRequest['sink']; owner: string | undefined },
  ): Promise<Answer> {
    const { served, admission } = this.#parts;
    // Whoever had to wait may have gone meanwhile.
    const answer = async (): Promise<Answer> => (post.isGone ? UNREAD : served.answer(request, post));
    // Those that listen have places of their own, and do nothing most of the time.
    // defence: places-of-listeners
    if (request.method === LISTEN) return answer();
    return admit(admission, { id: request.id, owner, answer }, client);
  }
}

/** Answers a request that is not served. */
function refuseModern(
  id: RequestId,
  error: RpcError,
  { sink, cors }: Pick<EndpointRequest, 'sink' | 'cors'>,
): void {
  const { text, status } = toErrorAnswer(id, error);
  sink.respond(status, answerHeaders(status, cors), text);
}

/** Why a body of this kind is not even read. */
function refuseKind(http: HttpRequest): { readonly status: number; readonly message: string } | undefined {
  if (!isJsonBody(http))
    return { status: 415, message: 'Unsupported media type: the body must be application/json.' };
  const encoding = http.header('content-encoding');
  // defence: no-compressed-bodies
  if (encoding !== undefined && encoding !== 'identity')
    return { status: 415, message: 'Unsupported media type: the body must not be compressed.' };
  return acceptsBoth(http)
    ? undefined
    : { status: 406, message: 'Not acceptable: accept both application/json and text/event-stream.' };
}
