import { encodeError } from '../../wire/json-rpc.ts';
import type { RpcError } from '../../wire/json-rpc.ts';
import { invalidRequest } from '../../wire/rpc-errors.ts';
import type { HttpHeaders, HttpSink } from './http-message.ts';
import { jsonHeaders } from './response-headers.ts';

/** An answer that says what is wrong. */
export interface ErrorResponse {
  readonly status: number;
  readonly error: RpcError;
  readonly headers?: HttpHeaders;
}

export function respondError(sink: HttpSink, { status, error, headers }: ErrorResponse): void {
  sink.respond(status, jsonHeaders(headers), encodeError(undefined, error));
}

export function respondNotAllowed(sink: HttpSink, allow: string, cors: HttpHeaders): void {
  const error = invalidRequest(`Method not allowed. Allowed: ${allow}.`);
  respondError(sink, { status: 405, error, headers: { ...cors, allow } });
}
