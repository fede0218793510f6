import type { McpToolAnnotations } from '../../../model/mcp-types.ts';
import type { InternalAction } from '../action/internal-action.ts';

/**
 * The hints of a tool with several actions, on the careful side: one action that destroys makes the tool destructive, and one
 * that changes something keeps it from being read-only. What is stated explicitly stays.
 */
export function aggregateAnnotations(
  actions: readonly InternalAction[],
  explicit: McpToolAnnotations = {},
): McpToolAnnotations {
  const stated = Object.fromEntries(Object.entries(explicit).filter(([, hint]) => hint !== undefined));
  if (actions.length === 0) return stated;
  return {
    readOnlyHint: actions.every(({ readOnly }) => readOnly === true),
    destructiveHint: actions.some(({ destructive }) => destructive === true),
    idempotentHint: actions.every(({ idempotent }) => idempotent === true),
    ...stated,
  };
}
