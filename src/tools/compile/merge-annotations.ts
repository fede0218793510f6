import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import { toHints } from '../../model/tool-annotations.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';

/** The annotations of a definition. A hint that is `undefined` replaces nothing. */
export function mergeAnnotations({ metadata, annotations }: AnyToolDefinition<never>): McpToolAnnotations {
  const own = annotations === undefined ? {} : toHints(annotations);
  return metadata?.annotations === undefined ? own : { ...toHints(metadata.annotations), ...own };
}
