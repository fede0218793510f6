import { createServer, defineTool, ToolRegistry } from 'toolwright';
import type { Caller, ToolSurface, ToolwrightServer } from 'toolwright';
import * as z from 'zod';
import { CATALOG } from '../../../src/gate/catalog.ts';
import type { ToolGate } from '../../../src/gate/tool-gate.ts';

/** The names of the catalog with handlers that return their name, behind a gate. */
export function createGatedRegistry(gate: ToolGate): ToolRegistry {
  return new ToolRegistry({ policy: gate.policy, rateLimit: false, logger: SILENT }).registerAll(
    [...CATALOG.values()].map(({ name, category }) =>
      defineTool({
        name,
        category,
        description: `Stands for ${name}`,
        annotations: { readOnlyHint: true },
        inputSchema: z.object({}),
        handler: () => `ran ${name}`,
      }),
    ),
  );
}

export function createGatedServer(gate: ToolGate): ToolwrightServer {
  const server = createServer({
    name: 'gated',
    version: '1.0.0',
    tools: createGatedRegistry(gate),
    exposure: 'flat',
    rateLimit: false,
    logger: SILENT,
  });
  gate.onChange(() => server.announceChange('tools'));
  return server;
}

/** The names of the catalog that a caller can find in a surface, in any exposure. */
export async function listNames(surface: ToolSurface, caller: Caller): Promise<string[]> {
  const listed = surface.listTools(caller);
  if (!listed.some(({ name }) => name === 'call_tool')) return listed.flatMap(toNames);
  const found: string[] = [];
  for (const name of CATALOG.keys()) {
    const described = await surface.executeTool({
      name: 'describe_tool',
      arguments: { names: [name] },
      ...caller,
    });
    if (JSON.stringify(described).includes(`Stands for ${name}`)) found.push(name);
  }
  return found;
}

/** The names of the catalog whose handlers run when the caller calls them, in any exposure. */
export async function callNames(surface: ToolSurface, caller: Caller): Promise<string[]> {
  const isSearch = surface.listTools(caller).some(({ name }) => name === 'call_tool');
  const isGrouped = surface.options.groupBy === 'category';
  const ran: string[] = [];
  for (const { name, category } of CATALOG.values()) {
    const call = isSearch
      ? { name: 'call_tool', arguments: { name } }
      : isGrouped
        ? { name: category, arguments: { action: name } }
        : { name, arguments: {} };
    const reply = await surface.handleCall({ ...call, ...caller });
    if (reply.kind === 'result' && JSON.stringify(reply.result.content).includes(`ran ${name}"`))
      ran.push(name);
  }
  return ran;
}

/** A tool, or the actions of a category. */
function toNames({ name, inputSchema }: ReturnType<ToolSurface['listTools']>[number]): string[] {
  const { action } = (inputSchema['properties'] ?? {}) as {
    readonly action?: { readonly enum?: string[]; readonly const?: string };
  };
  if (action === undefined) return [name];
  return action.enum ?? (action.const === undefined ? [] : [action.const]);
}

const SILENT = { debug() {}, info() {}, warning() {}, error() {} };
