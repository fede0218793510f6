import type { Issue } from '../../errors/issue.ts';

/** What validation found: the value, or every complaint. */
export type Validated<TValue> =
  | { readonly ok: true; readonly value: TValue }
  | { readonly ok: false; readonly issues: readonly Issue[] };
