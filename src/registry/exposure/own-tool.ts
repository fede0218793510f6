import { compileChain } from '../../middleware/compile-chain.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import { compileTool } from '../../tools/compile/compile-tool.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { ToolSettings } from '../../tools/compile/tool-settings.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';

/** Options for compiling the framework's own tools. */
export interface OwnToolOptions {
  readonly settings: ToolSettings;
  readonly middleware: readonly AnyMiddleware[];
}

/**
 * Compiles a tool of the framework itself. It passes all stations except the policy: policies apply to registered tools, and this tool
 * applies them to everything it shows.
 */
export function compileOwnTool(
  definition: AnyToolDefinition,
  { settings, middleware }: OwnToolOptions,
): CatalogEntry {
  return compileTool(definition, {
    settings: {
      ...settings,
      collaborators: { ...settings.collaborators, policy: undefined },
    },
    chainOf: (handler, subject) => compileChain(handler, middleware, { ...subject, isOwn: true }),
  });
}
