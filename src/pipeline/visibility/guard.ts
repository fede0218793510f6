import { toLoggedError } from '../../errors/log-thrown.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';
import { hasScopes } from '../tool/policy.ts';
import type { Caller } from '../tool/policy.ts';

/** Whether the tool exists for this caller: it was granted the tool's scopes, and the policy agrees. A policy that fails, or answers with anything but `true`, hides the tool. */
export function guard(tool: CompiledTool, caller: Caller): boolean {
  const { scopes } = tool.subject;
  // defence: scopes
  if (scopes.length > 0 && !tool.isListedWithoutScopes && !hasScopes(scopes, caller)) return false;
  const { policy, logger } = tool.collaborators;
  const kind = tool.subject.kind ?? 'tool';
  if (policy === undefined) return true;
  try {
    const answer: unknown = policy(tool.subject, caller);
    if (isPromiseLike(answer)) {
      logger.error(`the policy must answer at once, not with a promise; the ${kind} is hidden`, {
        [kind]: tool.name,
      });
      // Nobody waits for this answer; if it is a rejection, it must not end the process.
      answer.then(undefined, () => {});
      return false;
    }
    return answer === true;
  } catch (error) {
    logger.error(`the policy failed; the ${kind} is hidden`, {
      [kind]: tool.name,
      error: toLoggedError(error),
    });
    return false;
  }
}
