import { guard } from './guard.ts';
import type { Caller } from '../tool/policy.ts';
import type { Guarded, VisibilityPlan } from './visibility.ts';

/** Says at each call whether the list of a caller has become another one since the call before. */
export type ListWatch = (caller: Caller) => boolean;

interface Difference {
  readonly after: VisibilityPlan<Guarded>;
  readonly entries: readonly Guarded[];
}

/**
 * Which callers a change of the entries concerns. Only what came or went is asked about, with the policy as it is now: the cost for each
 * caller does not depend on how many entries there are.
 */
export class VisibilityChange {
  /** By the plan before. One for all callers who are asked about. */
  readonly #differences = new WeakMap<VisibilityPlan<Guarded>, Difference>();

  /** Watches a plan that is replaced by another one when something changes. */
  watch(plan: () => VisibilityPlan<Guarded>): ListWatch {
    let before = plan();
    return (caller) => {
      const [was, is] = [before, plan()];
      before = is;
      return this.#concerns(was, is, caller);
    };
  }

  /** Whether something that only one of two plans has exists, or existed, for the caller. */
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

/** An entry is known by its subject, which stays the same when middleware is put around it. */
function missingIn(plan: VisibilityPlan<Guarded>, { entries }: VisibilityPlan<Guarded>): Guarded[] {
  const known = new Set(plan.entries.map(({ tool }) => tool.subject));
  return entries.filter(({ tool }) => !known.has(tool.subject));
}
