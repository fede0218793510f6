import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-doctor-'));
  writeFileSync(
    join(folder, 'server.mjs'),
    `import * as z from ${JSON.stringify(import.meta.resolve('zod'))};
import { createServer, createTool } from ${JSON.stringify(new URL('../../../src/index.ts', import.meta.url).href)};
const schema = z.object({ budget: z.string(), limit: z.number().optional() });
const defaultArgumentResolver = () => ({ budget: 'home' });
const logger = { debug() {}, info() {}, warning() {}, error() {} };
const shared = { description: 'Lists what is there', defaultArgumentResolver, handler: () => 1 };
export default createServer({ name: 'demo', version: '1', logger, tools: [
  { name: 'list', inputSchema: schema, ...shared },
  { name: 'find', inputSchema: schema, resolvedArguments: ['budget'], ...shared },
  createTool('accounts').description('Accounts of a budget').action({ name: 'show', schema, ...shared }),
] });
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the doctor says which arguments are advertised as required beside a resolver', async () => {
  const { code, out } = await runCli(['doctor', 'server.mjs'], { cwd: folder });
  expect(code).toBe(0);
  expect(out.split('\n').slice(-4)).toEqual([
    'note Tool "list" has a defaultArgumentResolver, but its input schema requires budget',
    '     List the arguments that the resolver supplies in resolvedArguments.',
    'note Tool "accounts_show" has a defaultArgumentResolver, but its input schema requires budget',
    '     List the arguments that the resolver supplies in resolvedArguments.',
  ]);
});
