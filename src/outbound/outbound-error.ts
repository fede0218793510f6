import { CallRefusedError } from '../errors/errors.ts';
import type { ErrorDataOptions } from '../errors/errors.ts';
import type { ErrorCode } from '../errors/codes.ts';

/** Reason for the failure of an outbound request. */
export type OutboundFailure =
  /** The destination, or something in the request, is not allowed. */
  | 'blocked'
  /** The server could not be reached, or closed the connection. */
  | 'unreachable'
  | 'timed-out'
  | 'cancelled'
  /** The response is larger than the limit. */
  | 'too-large'
  /** The response is not valid HTTP, or has a content encoding that was not requested. */
  | 'invalid-answer'
  /** The circuit breaker of the server is open. */
  | 'resting'
  /** A limiter of this client rejected the request; it was not sent. */
  | 'limited'
  /** The limiter threw, or did not send the request; the server is not at fault. */
  | 'limiter-failed';

const CODES: Readonly<Partial<Record<OutboundFailure, ErrorCode>>> = {
  'timed-out': 'TIMED_OUT',
  cancelled: 'CANCELLED',
  limited: 'UPSTREAM_LIMITED',
};

/** Failure of an outbound request. Its message is sent to the client and contains no secrets. */
export class OutboundError extends CallRefusedError {
  readonly failure: OutboundFailure;

  constructor(
    failure: OutboundFailure,
    message: string,
    options: ErrorDataOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(CODES[failure] ?? 'UPSTREAM_FAILED', message, options);
    this.failure = failure;
  }
}

/** Converts the rejection of a limiter to an `OutboundError`; any other error of a limiter is `limiter-failed`. */
export function toLimited(error: unknown): OutboundError {
  if (!(error instanceof CallRefusedError) || error.code !== CODES.limited)
    return new OutboundError('limiter-failed', 'The request limiter failed.', { cause: error });
  const { message, retryAfterMs } = error;
  return new OutboundError('limited', message, retryAfterMs === undefined ? {} : { retryAfterMs });
}
