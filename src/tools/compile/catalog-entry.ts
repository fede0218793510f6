import type { Chain } from '../../middleware/compile-chain.ts';
import type { McpTool } from '../../model/mcp-types.ts';
import type { Tool } from '../../model/tool.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import type { GroupedMember } from '../grouped/plan/grouped-member.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';

/**
 * One tool, or one action of a grouped tool, as the registry keeps it: its definition, its advertised form and its
 * compiled form.
 */
export interface CatalogEntry {
  readonly definition: AnyToolDefinition<never>;
  /** Set for an action of a grouped tool. */
  readonly grouped: GroupedMember | undefined;
  /** Set for a single tool with a category: its group when tools are grouped by category. */
  readonly byCategory?: GroupedMember | undefined;
  readonly model: Tool;
  /** Its own entry of `tools/list`; frozen. An action has its flat name here. */
  readonly listed: McpTool;
  /** `listed` as JSON text, serialized once. */
  readonly json: string;
  readonly tool: CompiledTool;
  /** Handler and preview without middleware, as they were when the tool was compiled. */
  readonly bare: { readonly handler: Chain; readonly preview: Chain | undefined };
}
