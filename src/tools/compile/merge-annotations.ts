import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';

/** The annotations of a definition; a hint that is `undefined` says nothing and replaces nothing. */
export function mergeAnnotations(definition: AnyToolDefinition<never>): McpToolAnnotations {
  const general = definition.metadata?.annotations;
  if (general === undefined && definition.annotations === undefined) return {};
  const said = (annotations: McpToolAnnotations | undefined): [string, unknown][] =>
    Object.entries(annotations ?? {}).filter(([, hint]) => hint !== undefined);
  return Object.fromEntries([...said(general), ...said(definition.annotations)]);
}
