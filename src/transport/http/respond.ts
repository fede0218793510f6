import type { Answer } from '../../wire/dispatch.ts';
import { encodeError } from '../../wire/json-rpc.ts';
import type { RpcError } from '../../wire/json-rpc.ts';
import { invalidRequest } from '../../wire/rpc-errors.ts';
import type { HttpHeaders, HttpSink } from './http-message.ts';
import { answerHeaders, jsonHeaders } from './response-headers.ts';

/** An answer that says what is wrong. */
export interface ErrorResponse {
  readonly status: number;
  readonly error: RpcError;
  readonly headers?: HttpHeaders;
}

export function respondError(sink: HttpSink, { status, error, headers }: ErrorResponse): void {
  sink.respond(status, jsonHeaders(headers), encodeError(undefined, error));
}

/** The answer to a request of an earlier revision, which knows no status but for one: that there is no room. */
export function respondLegacy(sink: HttpSink, { text, pieces, status }: Answer, cors: HttpHeaders): void {
  const shown = status === 503 ? status : 200;
  sink.respond(shown, answerHeaders(shown, cors), pieces ?? text);
}

export function respondNotAllowed(sink: HttpSink, allow: string, cors: HttpHeaders): void {
  const error = invalidRequest(`Method not allowed. Allowed: ${allow}.`);
  respondError(sink, { status: 405, error, headers: { ...cors, allow } });
}
