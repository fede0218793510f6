import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTool, connectStdio, watchTool } from '../support/clients.ts';
import type { OfficialClient } from '../support/clients.ts';
import { createFolder } from '../support/folder.ts';

const FILE = 'src/cart.test.ts';
const project = createFolder({
  'package.json': '{ "devDependencies": { "vitest": "*" } }',
  [FILE]: [
    "import { describe, expect, test } from 'vitest';",
    "describe('Cart', () => {",
    "  test('adds', () => expect(1 + 1).toBe(2));",
    "  test('has > totals', () => {",
    '    expect({ total: 2 }).toEqual({ total: 6 });',
    '  });',
    '});',
  ].join('\n'),
});

let client: OfficialClient;
beforeAll(async () => {
  // The vitest of this repository; it is not in the dependencies of a temporary folder.
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    join(project, 'node_modules', 'vitest'),
  );
  ({ client } = await connectStdio('v2', [project]));
});
afterAll(async () => {
  await client.close();
  rmSync(project, { recursive: true, force: true });
});

test('vitest is detected, and only its parameters are advertised', async () => {
  const { tools } = await client.listTools();
  const [run] = tools;
  expect(run?.description).toContain('with vitest');
  expect(Object.keys(run?.inputSchema.properties ?? {})).toEqual([
    'node_ids',
    'keywords',
    'maxfail',
    'timeout',
    'background',
  ]);
  const { text } = await callTool(client, 'execute_tests', { markers: 'slow' });
  expect(text).toContain('- markers: is not a known argument.');
});

test('a conversation: discover, run, explain, edit, rerun', async () => {
  const found = await callTool(client, 'discover_tests', { pattern: '*.test.ts' });
  const [adds, totals] = (found.data['tests'] as { node_id: string }[]).map(({ node_id }) => node_id);
  expect(adds).toBe(`${FILE} > Cart > adds`);
  const messages: string[] = [];
  const run = await watchTool(client, {
    name: 'execute_tests',
    args: {},
    onMessage: (message) => messages.push(message),
  });
  expect(run.data).toMatchObject({
    exit_code: 1,
    summary: { total: 2, passed: 1, failed: 1 },
    tests: [{ node_id: totals, location: `${FILE}:5` }, { node_id: adds }],
    runner: { runner: 'vitest', interpreter: process.execPath },
  });
  expect(messages[0]).toBe(`Run ${String(run.data['run_id'])}: 2 tests collected`);
  const explained = await callTool(client, 'explain_failure', { node_id: totals });
  expect(explained.data).toMatchObject({
    error_type: 'AssertionError',
    frames: [{ file: FILE, line: 5, code: 'expect({ total: 2 }).toEqual({ total: 6 });' }],
  });
  expect((explained.data['diff'] as string[]).join('\n')).toContain('6');
  writeFileSync(
    join(project, FILE),
    "import { describe, test } from 'vitest';\ndescribe('Cart', () => test('has > totals', () => undefined));\n",
  );
  const again = await callTool(client, 'rerun_failed');
  expect(again.data).toMatchObject({ exit_code: 0, summary: { total: 1, passed: 1 } });
});

test('flags and paths out of the project are rejected', async () => {
  for (const id of ['--config=/etc/x', '../x.test.ts', '/etc/passwd'])
    expect((await callTool(client, 'execute_tests', { node_ids: [id] })).text).toContain('- node_ids[0]: ');
});
