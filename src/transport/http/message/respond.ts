import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import type { Answer } from '../../../wire/messages/answer.ts';
import { encodeError } from '../../../wire/messages/json-rpc.ts';
import type { RequestId, RpcError } from '../../../wire/messages/json-rpc.ts';
import { invalidRequest, NO_ROOM, NO_ROOM_FOR_RESULT } from '../../../wire/messages/rpc-errors.ts';
import type { HttpHeaders, HttpSink } from './http-message.ts';
import { answerHeaders, challengeHeaders, jsonHeaders, RETRY } from './response-headers.ts';

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
  if (requiredScopes !== undefined)
    return sink.respond(status, challengeHeaders(sink, requiredScopes, cors), text);
  if (pieces === undefined && !sink.hasRoomFor(text))
    return respondLegacy(sink, id, { answer: toErrorAnswer(id, NO_ROOM_FOR_RESULT), cors });
  const shown = status === 503 ? status : 200;
  sink.respond(shown, answerHeaders(shown, cors), pieces ?? text);
}

/** Sends the response to a request that was rejected for lack of memory. */
export function respondNoRoom({ sink, cors }: { sink: HttpSink; cors: HttpHeaders }): void {
  respondError(sink, { status: 503, error: NO_ROOM, headers: { ...cors, ...RETRY, connection: 'close' } });
}

export function respondNotAllowed(sink: HttpSink, allow: string, cors: HttpHeaders): void {
  const error = invalidRequest(`Method not allowed. Allowed: ${allow}.`);
  respondError(sink, { status: 405, error, headers: { ...cors, allow } });
}
