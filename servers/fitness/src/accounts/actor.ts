import type { Standing } from '../gate/standing.ts';
import { AccountError } from './account-error.ts';

/** The person behind an administrative operation. */
export interface Actor {
  /** Recorded with each change. */
  readonly id: string;
  /** Set for owners: they see and change this tenant alone. */
  readonly tenant?: string;
}

/** A person with access to the machine and its database. The id of a user has no space, so nobody else has this id. */
export const COMMAND_LINE: Actor = { id: 'command line' };

/** The actor for the caller of an `admin_…` tool. Checked again here, so that no mistake of the gate makes an administrator. */
export function toActor(user: string, standing: Standing | undefined): Actor {
  if (standing?.role === 'admin') return { id: user };
  if (standing?.role === 'owner') return { id: user, tenant: standing.tenant };
  throw new AccountError('forbidden', 'Only administrators and owners may do this.');
}
