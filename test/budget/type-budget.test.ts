import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, ROOT } from '../support/dist.ts';

const TOOLS = 200;

/**
 * Budget of type instantiations for a program with 200 tools: per tool, beyond the cost of the same schemas and functions without
 * Toolwright, and in all.
 */
const BUDGET = 650;
const TOTAL = 280_000;

const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

test(`${TOOLS} tools type-check within ${BUDGET} instantiations each`, { timeout: 120_000 }, async () => {
  const bare = await instantiations('bare.mts', program(plainTool));
  const forms = {
    registered: program(registeredTool),
    all: registerAllProgram(),
    inline: inlineProgram(definition),
    defined: inlineProgram((index) => `defineTool(${definition(index)})`),
    actions: actionsProgram(),
  };
  for (const [form, source] of Object.entries(forms)) {
    const ours = await instantiations(`${form}.mts`, source);
    const perTool = Math.round((ours - bare) / TOOLS);
    console.log(
      `type budget: ${ours} instantiations for ${TOOLS} tools (${form}), ${bare} without Toolwright, ${perTool} more per tool`,
    );
    // The comparison must be valid: a program that failed to resolve its imports would be very cheap.
    expect(perTool).toBeGreaterThan(50);
    expect(perTool).toBeLessThanOrEqual(BUDGET);
    expect(ours).toBeLessThanOrEqual(TOTAL);
  }
});

function program(tool: (index: number) => string): string {
  const head =
    "import { ToolRegistry } from 'toolwright';\nimport * as z from 'zod';\nexport const registry = new ToolRegistry();\n";
  return head + Array.from({ length: TOOLS }, (_, index) => tool(index)).join('\n');
}

const input = (index: number): string =>
  `z.object({ id: z.string(), count${index}: z.number().default(1), mode: z.enum(['a', 'b']), nested: z.object({ x: z.number() }).optional(), tags: z.array(z.string()).optional() })`;
const output = (index: number): string => `z.object({ total${index}: z.number(), mode: z.string() })`;

function registeredTool(index: number): string {
  return `registry.register(${definition(index)});`;
}

/** All tools in the array of one server. */
function inlineProgram(tool: (index: number) => string): string {
  const head = "import { createServer, defineTool } from 'toolwright';\nimport * as z from 'zod';\n";
  return `${head}export const server = createServer({ name: 's', version: '1', tools: [${list(tool)}] });`;
}

/** All tools registered at once. */
function registerAllProgram(): string {
  const head = "import { ToolRegistry } from 'toolwright';\nimport * as z from 'zod';\n";
  return `${head}export const registry = new ToolRegistry().registerAll([${list(definition)}]);`;
}

function list(tool: (index: number) => string): string {
  return Array.from({ length: TOOLS }, (_, index) => tool(index)).join(',\n');
}

/** All tools as actions of a grouped tool. */
function actionsProgram(): string {
  const head = "import { createTool } from 'toolwright';\nimport * as z from 'zod';\n";
  const actions = Array.from({ length: TOOLS }, (_, index) => `.action(${definition(index, 'schema')})`);
  return `${head}export const tool = createTool('all').commonSchema(z.object({ space: z.string() }))${actions.join('\n')};`;
}

function definition(index: number, schema = 'inputSchema'): string {
  return `{ name: 'tool_${index}', description: 'Tool ${index}', ${schema}: ${input(index)}, outputSchema: ${output(index)}, handler: async ({ input }) => ({ total${index}: input.count${index} + (input.nested?.x ?? 0), mode: input.mode }) }`;
}

function plainTool(index: number): string {
  return `export const in${index} = ${input(index)};\nexport const out${index} = ${output(index)};\nexport const handler${index} = async (input: z.infer<typeof in${index}>): Promise<z.input<typeof out${index}>> => ({ total${index}: input.count${index} + (input.nested?.x ?? 0), mode: input.mode });`;
}

async function instantiations(name: string, source: string): Promise<number> {
  writeFileSync(join(scratch.path, name), source);
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--module',
    'NodeNext',
    '--target',
    'ES2023',
    '--types',
    'node',
  ];
  const args = [compiler, ...options, '--skipLibCheck', '--extendedDiagnostics', name];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: scratch.path });
  const count = /^Instantiations:\s+(\d+)$/m.exec(stdout)?.[1];
  if (count === undefined) throw new Error(`the compiler printed no number of instantiations:\n${stdout}`);
  return Number(count);
}
