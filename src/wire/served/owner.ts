import { hash } from '../../base/hash.ts';
import { identityOf } from '../../middleware/parts/caller-identity.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { MemoryAccount, MemoryBudget } from '../../base/memory/memory-budget.ts';

/** Whom something belongs to, as a key within this process. */
export function ownerKey(caller: Caller): string {
  return isAnonymous(caller) ? ANYBODY : JSON.stringify(identityOf(caller));
}

const ANYBODY = JSON.stringify(identityOf({}));

/** A caller of a server, by its name, as a key that gives nothing away: for records in stores, which several servers may share. */
export function ownerOf(caller: Caller, server: string): Promise<string> {
  return hash(
    JSON.stringify([
      // defence: server-of-an-owner
      server,
      ownerKey(caller),
    ]),
  );
}

/** Nobody in particular, who is many: limits for one caller do not hold for them. */
export function isAnonymous({ principal, accessToken }: Caller): boolean {
  return principal === undefined && accessToken === undefined;
}

/** The same key, but undefined for anonymous callers, who share no limit. */
export function findOwner(caller: Caller): string | undefined {
  return isAnonymous(caller) ? undefined : ownerKey(caller);
}

/** The account that memory used on behalf of a caller counts in. */
export function accountOf(memory: MemoryBudget, caller: Caller): MemoryAccount {
  return memory.accountOf(findOwner(caller));
}
