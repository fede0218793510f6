import type { McpInputSchema, McpTool } from '../../model/mcp-types.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import { deepFreeze } from '../../base/json/deep-freeze.ts';
import { applySchemaProfile } from '../../schema/profiles/schema-profile.ts';
import type { SchemaProfile } from '../../schema/profiles/schema-profile.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { WireTool } from './projection.ts';

/** An individually listed entry. */
export function fromEntry({ listed, json }: CatalogEntry, profile: SchemaProfile): WireTool {
  return profile === 'full' ? { listed, json } : toWireTool(listed, profile);
}

/**
 * A listed tool with schemas in the client's profile. The server drops arguments that a schema does not list, so the listed ones may keep
 * their types. Clients validate structured content, so an output schema must not become stricter.
 */
export function toWireTool(tool: McpTool, profile: SchemaProfile): WireTool {
  if (profile === 'full') return { listed: tool, json: JSON.stringify(tool) };
  const { inputSchema, outputSchema } = tool;
  const listed = deepFreeze({
    ...tool,
    inputSchema: applySchemaProfile(inputSchema, profile, { unlistedKeys: 'dropped' }) as McpInputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema: applySchemaProfile(outputSchema, profile) }),
  });
  return { listed, json: JSON.stringify(listed) };
}

/** A tool behind another one, which advertises at most an object as output: any other result must be complete as text. */
export function unannounced(tool: CompiledTool): CompiledTool {
  if (tool.structuredText === 'full' || tool.output?.jsonSchema['type'] === 'object') return tool;
  return { ...tool, structuredText: 'full' };
}
