import type { ToolCall } from './call.ts';
import type { CompiledTool } from './compiled-tool.ts';

/** Where tools are looked up by the name on the wire. A Map: `__proto__` and `constructor` are names like any other. */
export type RouteTable = ReadonlyMap<string, CompiledTool>;

/** The tool a call is for. */
export function route(table: RouteTable, call: ToolCall): CompiledTool | undefined {
  return table.get(call.name);
}
