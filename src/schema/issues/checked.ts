import type { RawIssue } from './explain.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** What a validator says: the value it made, or its complaints. */
export interface Checked {
  readonly value?: unknown;
  readonly issues?: readonly RawIssue[];
  /** Whether there are more issues than these, and nobody knows how many. */
  readonly isIncomplete?: boolean;
}

/** One validator, whatever library is behind it. With `stopsEarly`, it ends at the first issue if the library can do that. */
export type Check = (value: unknown, stopsEarly?: boolean) => MaybePromise<Checked>;
