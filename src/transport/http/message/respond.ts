import { quotable } from '../../../auth/protected-resource.ts';
import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import { encodeError } from '../../../wire/messages/json-rpc.ts';
import type { RequestId, RpcError } from '../../../wire/messages/json-rpc.ts';
import { invalidRequest, NO_ROOM, NO_ROOM_FOR_RESULT } from '../../../wire/messages/rpc-errors.ts';
import type { HttpHeaders, HttpSink, ScopeChallenge } from './http-message.ts';
import { answerHeaders, jsonHeaders, RETRY } from './response-headers.ts';

/** An error response. */
export interface ErrorResponse {
  readonly status: number;
  readonly error: RpcError;
  readonly headers?: HttpHeaders;
}

export function respondError(sink: HttpSink, { status, error, headers }: ErrorResponse): void {
  sink.respond(status, jsonHeaders(headers), encodeError(undefined, error));
}

/** Sends the response to a request of an earlier revision; its status is 200, or 503 if the server is busy. */
export function respondLegacy(
  sink: HttpSink,
  id: RequestId | undefined,
  { answer, cors }: { readonly answer: Answer; readonly cors: HttpHeaders },
): void {
  const { text, pieces, status, requiredScopes } = answer;
  if (requiredScopes !== undefined) return respondMissingScopes(sink, requiredScopes, { text, cors });
  if (pieces === undefined && !sink.hasRoomFor(text))
    return respondLegacy(sink, id, { answer: toErrorAnswer(id, NO_ROOM_FOR_RESULT), cors });
  const shown = status === 503 ? status : 200;
  sink.respond(shown, answerHeaders(shown, cors), pieces ?? text);
}

/** The response to a call that lacks scopes. */
export function respondMissingScopes(
  sink: HttpSink,
  scopes: readonly string[],
  { text, cors }: { readonly text: string; readonly cors: HttpHeaders },
): void {
  const { status, header } = (sink.challenge ?? challengeScopes)(scopes);
  sink.respond(status, jsonHeaders({ ...cors, 'www-authenticate': header }), text);
}

/** Without the metadata of a protected resource: where `authenticate` is a function of the application. */
function challengeScopes(scopes: readonly string[]): ScopeChallenge {
  return { status: 403, header: `Bearer error="insufficient_scope", scope="${quotable(scopes.join(' '))}"` };
}

/** Sends the response to a request that was rejected for lack of memory. */
export function respondNoRoom({ sink, cors }: { sink: HttpSink; cors: HttpHeaders }): void {
  respondError(sink, { status: 503, error: NO_ROOM, headers: { ...cors, ...RETRY, connection: 'close' } });
}

export function respondNotAllowed(sink: HttpSink, allow: string, cors: HttpHeaders): void {
  const error = invalidRequest(`Method not allowed. Allowed: ${allow}.`);
  respondError(sink, { status: 405, error, headers: { ...cors, allow } });
}
