import type { Issue } from '../../errors/issue.ts';

/** What happened to a call. Expected failures are values; one switch in `format-outcome.ts` turns them into replies. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid-input'; readonly issues: readonly Issue[] }
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
