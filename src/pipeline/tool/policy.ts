import type { PolicySubject, Principal } from '../../middleware/context.ts';

/** The caller of a tool. */
export interface Caller {
  readonly principal?: Principal | undefined;
  readonly accessToken?: string | undefined;
  /** Address of an anonymous caller, if known. */
  readonly address?: string | undefined;
  /** Unguessable id of the connection, if it has one caller: stdio and in memory. An anonymous caller's state belongs to it. */
  readonly connection?: string | undefined;
}

/** Decides whether a caller may see and call a tool. One decision for both: a hidden tool responds like an unknown one. */
export type Policy = (subject: PolicySubject, caller: Caller) => boolean;

/** Whether the caller has all these scopes. */
export function hasScopes(scopes: readonly string[], { principal }: Caller): boolean {
  const granted: unknown = principal?.scopes;
  // A space-separated claim is one string: searching it would grant `admin` to `not-admin`.
  // defence: scopes-are-a-list
  if (!Array.isArray(granted)) return scopes.length === 0;
  // defence: all-scopes
  return scopes.every((scope) => granted.includes(scope));
}
