import type { Issue } from '../../errors/issue.ts';

/** Arguments that are not valid. */
export interface InvalidInput {
  readonly kind: 'invalid-input';
  readonly issues: readonly Issue[];
  /** Whether the issues were thrown: they are not bounded yet, and may have keys of secret arguments in their paths. */
  readonly isThrown?: boolean;
  /** The error of a handler that has these issues, for the log. */
  readonly error?: unknown;
}

/** What happened to a call. Expected failures are values; one switch in `format-outcome.ts` turns them into replies. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | InvalidInput
  | { readonly kind: 'defaults-failed'; readonly error: unknown }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  /** The dialogue of the call knows what is asked. */
  | { readonly kind: 'input-required' }
  | { readonly kind: 'invalid-output'; readonly reason: string; readonly issues?: readonly Issue[] }
  /** Without its size where writing it was given up. */
  | { readonly kind: 'too-large'; readonly bytes?: number; readonly limit: number };
