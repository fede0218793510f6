import type { RawIssue } from './explain.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** Result of a validator: the validated value, or issues. */
export interface Checked {
  readonly value?: unknown;
  readonly issues?: readonly RawIssue[];
  /** Whether there are further issues, of unknown number. */
  readonly isIncomplete?: boolean;
}

/** A validator of any library. With `stopsEarly`, it stops at the first issue if the library supports that. */
export type Check = (value: unknown, stopsEarly?: boolean) => MaybePromise<Checked>;
