import { toLoggedError } from '../../errors/log-thrown.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';
import { tokenHider } from '../tool/hide-secrets.ts';
import { hasScopes } from '../tool/policy.ts';
import type { Caller } from '../tool/policy.ts';

/**
 * Whether the tool is visible to this caller: the caller has the tool's scopes, and the policy returns `true`. A policy that throws or
 * returns anything else hides the tool.
 */
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
      logger.error(`the policy must return a boolean, not a promise; the ${kind} is hidden`, {
        [kind]: tool.name,
      });
      // The promise is not awaited; a rejection must not end the process.
      answer.then(undefined, () => {});
      return false;
    }
    return answer === true;
  } catch (error) {
    logger.error(`the policy failed; the ${kind} is hidden`, {
      [kind]: tool.name,
      error: toLoggedError(error, tokenHider(caller.accessToken)),
    });
    return false;
  }
}
