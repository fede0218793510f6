import type { HttpHeaders } from './http-message.ts';

const JSON_HEADERS: HttpHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const STREAM_HEADERS: HttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

const EMPTY: HttpHeaders = {};

/** Headers of an answer in JSON. */
export function jsonHeaders(more: HttpHeaders = EMPTY): HttpHeaders {
  return isEmpty(more) ? JSON_HEADERS : { ...JSON_HEADERS, ...more };
}

/** When a client that found no room may try again, in seconds. */
// defence: retry-after
export const RETRY: HttpHeaders = { 'retry-after': '1' };

/** Headers of the answer to a request; one that found no room says when to come back. */
export function answerHeaders(status: number, more: HttpHeaders): HttpHeaders {
  return status === 503 ? { ...JSON_HEADERS, ...more, ...RETRY } : jsonHeaders(more);
}

/** Headers of an answer that comes in parts. Proxies must not wait for its end. */
export function streamHeaders(more: HttpHeaders = EMPTY): HttpHeaders {
  return isEmpty(more) ? STREAM_HEADERS : { ...STREAM_HEADERS, ...more };
}

function isEmpty(headers: HttpHeaders): boolean {
  for (const _ in headers) return false;
  return true;
}
