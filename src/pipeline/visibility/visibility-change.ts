import { guard } from './guard.ts';
import type { Caller } from '../tool/policy.ts';
import type { Guarded, VisibilityPlan } from './visibility.ts';

/** Returns whether the list of a caller has changed since the previous call. */
export type ListWatch = (caller: Caller) => boolean;

interface Difference {
  readonly after: VisibilityPlan<Guarded>;
  readonly entries: readonly Guarded[];
}

/**
 * Determines the callers that a change of the entries affects. Only added and removed entries are checked, with the current policy, so the
 * cost per caller does not depend on the number of entries.
 */
export class VisibilityChange {
  /** By previous plan; shared by all callers. */
  readonly #differences = new WeakMap<VisibilityPlan<Guarded>, Difference>();

  /** Watches a plan that is replaced when something changes. */
  watch(plan: () => VisibilityPlan<Guarded>): ListWatch {
    let before = plan();
    return (caller) => {
      const [was, is] = [before, plan()];
      before = is;
      return this.#concerns(was, is, caller);
    };
  }

  /** Whether an entry that only one of the two plans has is or was visible to the caller. */
  #concerns(before: VisibilityPlan<Guarded>, after: VisibilityPlan<Guarded>, caller: Caller): boolean {
    if (before === after) return false;
    let difference = this.#differences.get(before);
    if (difference?.after !== after) {
      difference = { after, entries: [...missingIn(after, before), ...missingIn(before, after)] };
      this.#differences.set(before, difference);
    }
    return difference.entries.some(({ tool }) => guard(tool, caller));
  }
}

/** Entries are compared by their subject, which stays the same when middleware is added. */
function missingIn(plan: VisibilityPlan<Guarded>, { entries }: VisibilityPlan<Guarded>): Guarded[] {
  const known = new Set(plan.entries.map(({ tool }) => tool.subject));
  return entries.filter(({ tool }) => !known.has(tool.subject));
}
