import type { InternalAction } from '../action/internal-action.ts';
import type { GroupedPlan } from './grouped-plan.ts';

/** One action of a grouped tool and the plan it comes from. */
export interface GroupedMember {
  /** Name of the grouped tool, with the prefix of its mount. */
  readonly tool: string;
  readonly plan: GroupedPlan;
  readonly action: InternalAction;
}
