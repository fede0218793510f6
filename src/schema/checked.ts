import type { RawIssue } from './explain.ts';
import type { MaybePromise } from './validated.ts';

/** What a validator says: the value it made, or its complaints. */
export interface Checked {
  readonly value?: unknown;
  readonly issues?: readonly RawIssue[];
}

/** One validator, whatever library is behind it. */
export type Check = (value: unknown) => MaybePromise<Checked>;
