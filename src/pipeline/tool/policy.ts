import type { PolicySubject, Principal } from '../../middleware/context.ts';

/** Who asks. */
export interface Caller {
  readonly principal?: Principal | undefined;
  readonly accessToken?: string | undefined;
  /** Where an anonymous caller's request came from, if that is known. */
  readonly address?: string | undefined;
}

/** Decides whether a caller may see and call a tool. One answer for both: what is hidden answers like an unknown tool. */
export type Policy = (tool: PolicySubject, caller: Caller) => boolean;

/** Whether the caller was granted all of these. */
export function hasScopes(scopes: readonly string[], { principal }: Caller): boolean {
  const granted: unknown = principal?.scopes;
  // A claim as it stands in a token is one text: looking into it would grant `admin` to whoever has `not-admin`.
  // defence: scopes-are-a-list
  if (!Array.isArray(granted)) return scopes.length === 0;
  // defence: all-scopes
  return scopes.every((scope) => granted.includes(scope));
}
