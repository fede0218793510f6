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

/** The endpoint of all revisions since 2025-03-26. Each message determines its revision. */
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

  /** Ends subscriptions. */
  release(): void {
    this.#legacy.release();
  }

  close(): void {
    for (const post of this.#open.all()) post.cutOff('The server is closing.');
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
    // Bytes that are not UTF-8 are not valid JSON either.
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
    // Clients of 2026-07-28 send no notifications; they cancel by closing the connection.
    if (message.kind === 'notification') return sink.respond(202, cors);
    const error = invalidRequest('Invalid request: send one request or notification per POST.');
    return respondError(sink, { status: 400, error, headers: cors });
  }

  /** Not an async function: its arguments would be kept in memory while it waits. */
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
    // Drops the rest of the message: a subscription stays open for hours, and its message may have megabytes.
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
    // The client may have disconnected while the request was queued.
    const answer = async (): Promise<Answer> => (post.isGone ? UNREAD : served.answer(request, post));
    // Subscriptions have their own quota and are idle most of the time.
    // defence: places-of-listeners
    if (request.method === LISTEN) return answer();
    return admit(admission, { id: request.id, owner, answer }, client);
  }
}

/** Sends the response to a rejected request. */
function refuseModern(
  id: RequestId,
  error: RpcError,
  { sink, cors }: Pick<EndpointRequest, 'sink' | 'cors'>,
): void {
  const { text, status } = toErrorAnswer(id, error);
  sink.respond(status, answerHeaders(status, cors), text);
}

/** Error for a media type or encoding that is not supported; undefined if it is. */
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
