import { hash } from '../../base/hash.ts';
import { identityOf } from '../../middleware/parts/caller-identity.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MemoryAccount, MemoryBudget } from '../../base/memory/memory-budget.ts';

/** Key of the owner, within this process. */
export function ownerKey(caller: Caller): string {
  return isAnonymous(caller) ? ANYBODY : JSON.stringify(identityOf(caller));
}

const ANYBODY = JSON.stringify(identityOf({}));

/** Digest of the owner key and the server name, for records in stores that several servers may share. */
export function ownerOf(caller: Caller, server: string): Promise<string> {
  return hash(
    JSON.stringify([
      // defence: server-of-an-owner
      server,
      ownerKey(caller),
    ]),
  );
}

/** Whether the caller is anonymous: limits per caller do not apply. */
export function isAnonymous({ principal, accessToken }: Caller): boolean {
  return principal === undefined && accessToken === undefined;
}

/** Key of the owner; undefined for anonymous callers, who have no limit of their own. */
export function findOwner(caller: Caller): string | undefined {
  return isAnonymous(caller) ? undefined : ownerKey(caller);
}

/** Memory account of a caller. */
export function accountOf(memory: MemoryBudget, caller: Caller): MemoryAccount {
  return memory.accountOf(findOwner(caller));
}
