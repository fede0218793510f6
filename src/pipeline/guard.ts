import { toLoggedError } from '../errors/log-thrown.ts';
import { isPromiseLike } from '../schema/validated.ts';
import type { Principal } from './call.ts';
import type { CompiledTool } from './compiled-tool.ts';

/** What a policy knows of a tool. */
export interface PolicySubject {
  readonly name: string;
  readonly tags: readonly string[];
  readonly category: string | undefined;
  readonly namespace: string;
  readonly operation: string;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}

/** Who asks. */
export interface Caller {
  readonly principal?: Principal | undefined;
  readonly accessToken?: string | undefined;
}

/** Decides whether a caller may see and call a tool. One answer for both: what is hidden answers like an unknown tool. */
export type Policy = (tool: PolicySubject, caller: Caller) => boolean;

/** Whether the tool exists for this caller. A policy that fails, or answers with anything but `true`, hides the tool. */
export function guard(tool: CompiledTool, caller: Caller): boolean {
  const { policy, logger } = tool.collaborators;
  if (policy === undefined) return true;
  try {
    const answer: unknown = policy(tool.subject, caller);
    if (isPromiseLike(answer)) {
      logger.error('the policy must answer at once, not with a promise; the tool is hidden', {
        tool: tool.name,
      });
      // Nobody waits for this answer; if it is a rejection, it must not end the process.
      answer.then(undefined, () => {});
      return false;
    }
    return answer === true;
  } catch (error) {
    logger.error('the policy failed; the tool is hidden', { tool: tool.name, error: toLoggedError(error) });
    return false;
  }
}
