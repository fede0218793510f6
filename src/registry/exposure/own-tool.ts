import { compileChain } from '../../middleware/compile-chain.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import { compileTool } from '../../tools/compile/compile-tool.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { ToolSettings } from '../../tools/compile/tool-settings.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';

/** What the framework's own tools are compiled with. */
export interface OwnToolOptions {
  readonly settings: ToolSettings;
  readonly middleware: readonly AnyMiddleware[];
}

/**
 * A tool of the framework itself. It goes through everything a tool goes through, but no policy is asked about it: policies are
 * about what the author registered, and this tool asks them for each thing it shows.
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
