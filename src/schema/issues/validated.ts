import type { Issue } from '../../errors/issue.ts';

/** Result of a validation: the value, or all issues. */
export type Validated<TValue> =
  | { readonly ok: true; readonly value: TValue }
  | { readonly ok: false; readonly issues: readonly Issue[] };
