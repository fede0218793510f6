import type { Issue } from '../../errors/issue.ts';

/** Invalid arguments. */
export interface InvalidInput {
  readonly kind: 'invalid-input';
  readonly issues: readonly Issue[];
  /** Whether the issues were thrown: they are not bounded yet, and their paths may contain keys of secret arguments. */
  readonly isThrown?: boolean;
  /** The error of the handler with these issues, for the log. */
  readonly error?: unknown;
}

/** The outcome of a call. Expected failures are values; one switch in `format-outcome.ts` converts them to replies. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | InvalidInput
  | { readonly kind: 'defaults-failed'; readonly error: unknown }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number }
  /** The caller lacks some of the scopes that a call with these arguments needs. */
  | { readonly kind: 'missing-scopes'; readonly scopes: readonly string[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  /** The dialogue of the call has the request. */
  | { readonly kind: 'input-required' }
  | { readonly kind: 'invalid-output'; readonly reason: string; readonly issues?: readonly Issue[] }
  /** Without its size if serialization was stopped. */
  | { readonly kind: 'too-large'; readonly bytes?: number; readonly limit: number };
