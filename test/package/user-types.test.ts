import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, ROOT } from '../support/dist.ts';

const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

/** The errors of the compiler with only `strict`, as in most projects, for a program that uses the built package. */
async function errorsOf(
  name: string,
  source: string,
  options = '--target ES2023 --types node --skipLibCheck',
): Promise<string> {
  writeFileSync(join(scratch.path, name), source);
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const strict = '--noEmit --ignoreConfig --strict --module NodeNext';
  const args = [compiler, ...strict.split(' '), ...options.split(' '), name];
  return promisify(execFile)(process.execPath, args, { cwd: scratch.path }).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

const HEAD = `import { createServer, createTool, defineToolFor, ToolRegistry } from 'toolwright';
import * as z from 'zod';
const needsDb = defineToolFor<{ db: string[] }>()({
  name: 'a', description: 'A', inputSchema: { n: z.number() }, handler: ({ context }) => context.db.length,
});
`;

test('the type tests of arrays hold without exactOptionalPropertyTypes', async () => {
  const source = readFileSync(join(ROOT, 'test/types/inference.test-d.ts'), 'utf8');
  const ofPackage = source
    .replaceAll('../../src/index.ts', 'toolwright')
    .replaceAll('../../src/config.ts', 'toolwright/config')
    .replaceAll('../../src/openapi.ts', 'toolwright/openapi');
  const errors = await errorsOf('inference.mts', ofPackage);
  expect(errors).toBe('');
}, 60_000);

test('without the types of Node, the entries that need no Node have no errors in their declarations', async () => {
  const source = `import { ToolRegistry } from 'toolwright';
import { toFetchHandler } from 'toolwright/fetch';
import { connectTestClient } from 'toolwright/testing';
export const handle = toFetchHandler(new ToolRegistry());
export async function list() {
  await using client = connectTestClient(new ToolRegistry());
  return client.listTools();
}
`;
  expect(await errorsOf('no-node.mts', source, '--target ES2022')).toBe('');
}, 60_000);

test('a tool that needs what a server or a registry does not have: the error names it', async () => {
  for (const use of [
    "createServer({ name: 's', version: '1', tools: [needsDb] });",
    "createServer({ name: 's', version: '1', extraTools: [needsDb] });",
    'new ToolRegistry().register(needsDb);',
    'new ToolRegistry().registerAll([needsDb]);',
  ]) {
    expect(await errorsOf('needs.mts', `${HEAD}${use}\n`)).toContain("Property 'db' is missing");
  }
}, 60_000);

test('a registry, manager or builder that needs what nothing gives: the last line of the error names it', async () => {
  const mistakes = [
    "createServer({ name: 's', version: '1', tools });",
    "createServer({ name: 's', version: '1', tools: tools.surface() });",
    "createServer({ name: 's', version: '1', tools: [builder] });",
    "createServer({ name: 's', version: '1', prompts: new PromptsManager<{ db: string }>() });",
    "createServer({ name: 's', version: '1', resources: new ResourcesManager<{ db: string }>() });",
    'serveStdio(tools);',
    'void serveHttp(tools);',
    'tools.attachToServer({});',
    "new ToolRegistry().mount('a', tools);",
    'new ToolRegistry().register(builder);',
    "createServer({ name: 's', version: '1' }).registerTool(builder);",
  ];
  const head = `import { createServer, createTool, PromptsManager, ResourcesManager, ToolRegistry } from 'toolwright';
import { serveStdio } from 'toolwright/stdio';
import { serveHttp } from 'toolwright/http';
const tools = new ToolRegistry<{ db: string }>();
const builder = createTool<{ db: string }>('b').action({ name: 'a', handler: () => 1 });
`;
  const errors = await errorsOf('registries.mts', `${head}${mistakes.join('\n')}\n`);
  const lastLines = errors
    .trim()
    .split(/\n(?=registries\.mts)/)
    .map((error) => error.split('\n').at(-1)?.trim());
  expect(lastLines).toEqual(
    mistakes.map(() => "Property 'db' is missing in type '{}' but required in type '{ db: string; }'."),
  );
  // Private members appear where the compiler compares a registry with an array.
  expect(errors).not.toContain('#');
}, 60_000);

test('a member with the name of a standard one: the error names it', async () => {
  const source = "createServer({ name: 's', version: '1', createContext: () => ({ signal: 1 }) });";
  expect(await errorsOf('reserved.mts', `${HEAD}${source}\n`)).toContain(
    "Type 'number' is not assignable to type 'ReservedName<\"signal\">'",
  );
}, 60_000);

test('the input of an action is shown flat', async () => {
  const source = `createTool('g').commonSchema({ space: z.string() }).action({
  name: 'a', schema: z.object({ id: z.string() }),
  handler: (call) => { const shown: null = call.input; const whole: null = call; return [shown, whole]; },
});`;
  const errors = await errorsOf('hover.mts', `${HEAD}${source}\n`);
  expect(errors).toContain("Type '{ space: string; id: string; }' is not assignable to type 'null'.");
  expect(errors).toContain("Type 'HandlerCall<{ space: string; id: string; }, object>'");
}, 60_000);

test('the call of a tool in an array is shown flat, also behind a spread', async () => {
  const source = `const common = [needsDb];
createServer({ name: 's', version: '1', createContext: () => ({ db: ['a'] }), tools: [
  { name: 'a', description: 'A', inputSchema: { n: z.number() }, handler: (call) => { const shown: null = call; return shown; } },
  ...common,
  { name: 'b', description: 'B', inputSchema: z.object({ s: z.string() }), handler: (call) => { const shown: null = call; return shown; } },
] });`;
  const errors = await errorsOf('shown.mts', `${HEAD}${source}\n`);
  expect(errors).toContain(
    "Type 'HandlerCall<{ n: number; }, { db: string[]; }>' is not assignable to type 'null'.",
  );
  expect(errors).toContain(
    "Type 'HandlerCall<{ s: string; }, { db: string[]; }>' is not assignable to type 'null'.",
  );
}, 60_000);
