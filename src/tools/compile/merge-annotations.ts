import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';

/** The annotations of a definition; a hint that is `undefined` says nothing and replaces nothing. */
export function mergeAnnotations(definition: AnyToolDefinition<never>): McpToolAnnotations {
  const general = definition.metadata?.annotations;
  const own = definition.annotations;
  if (general === undefined) return own === undefined ? {} : withoutUndefined(own);
  return { ...withoutUndefined(general), ...(own === undefined ? {} : withoutUndefined(own)) };
}

function withoutUndefined(annotations: McpToolAnnotations): McpToolAnnotations {
  const isWhole = Object.values(annotations).every((hint) => hint !== undefined);
  if (isWhole) return annotations;
  return Object.fromEntries(Object.entries(annotations).filter(([, hint]) => hint !== undefined));
}
