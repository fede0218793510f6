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

/** Headers of a JSON response. */
export function jsonHeaders(more: HttpHeaders = EMPTY): HttpHeaders {
  return isEmpty(more) ? JSON_HEADERS : { ...JSON_HEADERS, ...more };
}

/** `Retry-After` of rejected requests, in seconds. */
// defence: retry-after
export const RETRY: HttpHeaders = { 'retry-after': '1' };

/** Headers of a response; 503 has `Retry-After`. */
export function answerHeaders(status: number, more: HttpHeaders): HttpHeaders {
  return status === 503 ? { ...JSON_HEADERS, ...more, ...RETRY } : jsonHeaders(more);
}

/** Headers of a streamed response. Proxies must not buffer it. */
export function streamHeaders(more: HttpHeaders = EMPTY): HttpHeaders {
  return isEmpty(more) ? STREAM_HEADERS : { ...STREAM_HEADERS, ...more };
}

function isEmpty(headers: HttpHeaders): boolean {
  for (const _ in headers) return false;
  return true;
}
