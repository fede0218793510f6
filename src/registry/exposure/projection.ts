import type { McpTool } from '../../model/mcp-types.ts';
import type { RouteTable } from '../../pipeline/route.ts';
import type { SchemaProfile } from '../../schema/profiles/schema-profile.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { OwnToolOptions } from './own-tool.ts';
import type { SearchToolNames, SurfaceOptions } from './exposure.ts';

/** A tool as advertised, and its JSON text. */
export interface WireTool {
  readonly listed: McpTool;
  readonly json: string;
}

/** A catalog in one exposure: its routes by name, and the tools listed for the visible entries. */
export interface Projection {
  readonly table: RouteTable;
  /** The tools for a caller that may see these entries, which are in catalog order. */
  readonly list: (visible: readonly CatalogEntry[]) => readonly WireTool[];
  /** Whether the list is the same for all callers. */
  readonly isFixed: boolean;
  /** Every tool that some caller may see, under every name that can be called. */
  readonly all: () => readonly WireTool[];
}

/** Options of projections. */
export interface ProjectionOptions {
  readonly profile: SchemaProfile;
  readonly splitReadWrite: boolean;
  readonly groupBy: SurfaceOptions['groupBy'];
  readonly groupedSchemas: NonNullable<SurfaceOptions['groupedSchemas']>;
  readonly tokenBudget: number;
  readonly describeTokens: number;
  readonly searchTools: SearchToolNames;
  readonly pinned: readonly string[];
  /** Options for compiling the framework's own tools. */
  readonly own: OwnToolOptions;
}
