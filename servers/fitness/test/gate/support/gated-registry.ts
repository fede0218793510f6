import { createServer, defineTool, ToolRegistry } from 'toolwright';
import type { ToolwrightServer } from 'toolwright';
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

const SILENT = { debug() {}, info() {}, warning() {}, error() {} };
