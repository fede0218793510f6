import type { McpTool } from '../../model/mcp-types.ts';
import type { RouteTable } from '../../pipeline/route.ts';
import type { SchemaProfile } from '../../schema/profiles/schema-profile.ts';
import type { CatalogEntry } from '../../tools/compile/catalog-entry.ts';
import type { OwnToolOptions } from './own-tool.ts';
import type { SearchToolNames, SurfaceOptions } from './exposure.ts';

/** A tool as clients get it, and the same as JSON text. */
export interface WireTool {
  readonly listed: McpTool;
  readonly json: string;
}

/** One way to show a catalog: which names lead where, and what is listed of what is visible. */
export interface Projection {
  readonly table: RouteTable;
  /** The tools for a caller who may see these entries, which are given in the order of the catalog. */
  readonly list: (visible: readonly CatalogEntry[]) => readonly WireTool[];
  /** Whether the list is the same whatever is visible. */
  readonly isFixed: boolean;
  /** Every tool that some caller may be shown, under every name that leads somewhere. */
  readonly all: () => readonly WireTool[];
}

/** What projections need beside the entries. */
export interface ProjectionOptions {
  readonly profile: SchemaProfile;
  readonly splitReadWrite: boolean;
  readonly groupBy: SurfaceOptions['groupBy'];
  readonly groupedSchemas: NonNullable<SurfaceOptions['groupedSchemas']>;
  readonly tokenBudget: number;
  readonly describeTokens: number;
  readonly searchTools: SearchToolNames;
  readonly pinned: readonly string[];
  /** What the framework's own tools are compiled with. */
  readonly own: OwnToolOptions;
}
