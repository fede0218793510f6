import type { McpToolAnnotations } from '../../../model/mcp-types.ts';
import type { InternalAction } from '../action/internal-action.ts';

/**
 * Derives the annotations of a grouped tool: destructive if one action is; read-only and idempotent only if all
 * are. Explicit hints win.
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
