import type { RawIssue } from './explain.ts';
import type { MaybePromise } from './validated.ts';

/** What a validator says: the value it made, or its complaints. */
export interface Checked {
  readonly value?: unknown;
  readonly issues?: readonly RawIssue[];
  /** Whether there are more issues than these, and nobody knows how many. */
  readonly isIncomplete?: boolean;
}

/** One validator, whatever library is behind it. */
export type Check = (value: unknown) => MaybePromise<Checked>;
