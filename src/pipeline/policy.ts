import type { PolicySubject, Principal } from '../middleware/context.ts';

/** Who asks. */
export interface Caller {
  readonly principal?: Principal | undefined;
  readonly accessToken?: string | undefined;
}

/** Decides whether a caller may see and call a tool. One answer for both: what is hidden answers like an unknown tool. */
export type Policy = (tool: PolicySubject, caller: Caller) => boolean;

/** Whether the caller was granted all of these. */
export function hasScopes(scopes: readonly string[], { principal }: Caller): boolean {
  const granted = principal?.scopes ?? [];
  return scopes.every((scope) => granted.includes(scope));
}
