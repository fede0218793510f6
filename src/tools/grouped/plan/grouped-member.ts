import type { InternalAction } from '../action/internal-action.ts';
import type { GroupedPlan } from './grouped-plan.ts';

/** One action of a grouped tool and the plan it comes from. */
export interface GroupedMember {
  /** The name of the grouped tool, with its prefix where it is mounted. */
  readonly tool: string;
  readonly plan: GroupedPlan;
  readonly action: InternalAction;
}
