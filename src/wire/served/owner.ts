import { hash } from '../../base/hash.ts';
import { identityOf, ownerKey } from '../../middleware/parts/caller-identity.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MemoryAccount, MemoryBudget } from '../../base/memory/memory-budget.ts';

/** Digest of {@link ownerKey}, for records in stores that several servers may share. */
export function ownerOf(caller: Caller, server: string): Promise<string> {
  return hash(ownerKey(caller, server));
}

/** Whether the caller is anonymous: limits per caller do not apply. */
export function isAnonymous({ principal, accessToken }: Caller): boolean {
  return principal === undefined && accessToken === undefined;
}

/** Key of the caller, for limits of this process; undefined for anonymous callers, who have no limit of their own. */
export function findOwner(caller: Caller): string | undefined {
  return isAnonymous(caller) ? undefined : JSON.stringify(identityOf(caller));
}

/** Memory account of a caller. */
export function accountOf(memory: MemoryBudget, caller: Caller): MemoryAccount {
  return memory.accountOf(findOwner(caller));
}
