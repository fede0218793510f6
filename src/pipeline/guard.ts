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

/** Whether the tool exists for this caller. A policy that fails hides the tool. */
export function guard(tool: CompiledTool, caller: Caller): boolean {
  const { policy, logger } = tool.collaborators;
  if (policy === undefined) return true;
  try {
    return policy(tool.subject, caller) === true;
  } catch (error) {
    logger.error('the policy failed; the tool is hidden', { tool: tool.name, error: String(error) });
    return false;
  }
}
