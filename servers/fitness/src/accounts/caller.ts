import { ToolError } from 'toolwright';
import type { Principal } from 'toolwright';
import type { ToolGate } from '../gate/tool-gate.ts';
import type { Standing } from '../gate/standing.ts';

/** The caller that data belong to. */
export interface FitnessCaller {
  /** The id of the user. Ids of users have no space, so no user has the id of anonymous callers. */
  readonly id: string;
  readonly isAnonymous: boolean;
  readonly standing: Standing;
}

const ANONYMOUS_ID = 'anonymous caller';

/** Throws if the user does not exist any more. */
export function toCaller(gate: ToolGate, principal: Principal | undefined): FitnessCaller {
  const standing = gate.findStanding(principal);
  if (standing === undefined) throw new ToolError('The user of this call does not exist.');
  return { id: principal?.id ?? ANONYMOUS_ID, isAnonymous: principal === undefined, standing };
}
