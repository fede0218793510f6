import { CallRefusedError } from '../errors/errors.ts';
import type { ErrorDataOptions } from '../errors/errors.ts';
import type { ErrorCode } from '../errors/codes.ts';

/** Why a request to another server came to nothing. */
export type OutboundFailure =
  /** It would have gone where it must not go. */
  | 'blocked'
  /** The other server could not be reached, or hung up. */
  | 'unreachable'
  | 'timed-out'
  | 'cancelled'
  /** The answer is larger than allowed. */
  | 'too-large'
  /** The answer is not HTTP, or is encoded in a way that nobody asked for. */
  | 'invalid-answer'
  /** The other server has failed so often that it is left alone for a while. */
  | 'resting'
  /** A limit of our own is used up: nothing was sent. */
  | 'limited'
  /** The limiter threw, or did not send: this says nothing of the other server. */
  | 'limiter-failed';

const CODES: Readonly<Partial<Record<OutboundFailure, ErrorCode>>> = {
  'timed-out': 'TIMED_OUT',
  cancelled: 'CANCELLED',
  limited: 'UPSTREAM_LIMITED',
};

/** A request to another server came to nothing. Its message reaches the client, and has no secrets. */
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

/** The refusal of a limiter as an error of the client; anything else that it throws is its own failure. */
export function toLimited(error: unknown): OutboundError {
  if (!(error instanceof CallRefusedError) || error.code !== CODES.limited)
    return new OutboundError('limiter-failed', 'The request limiter failed.', { cause: error });
  const { message, retryAfterMs } = error;
  return new OutboundError('limited', message, retryAfterMs === undefined ? {} : { retryAfterMs });
}
