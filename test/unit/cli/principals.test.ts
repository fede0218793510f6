import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-principals-'));
  writeFileSync(
    join(folder, 'toolwright.config.json'),
    JSON.stringify({
      name: 'demo',
      tools: [{ module: './tools.mjs' }],
      prompts: [{ name: 'audit', template: 'Audit', scopes: ['admin'] }],
      resources: [
        { uri: 'demo://open', name: 'open', text: 'Open' },
        { uri: 'demo://secret', name: 'secret', text: 'Secret', scopes: ['admin'] },
      ],
    }),
  );
  writeFileSync(
    join(folder, 'tools.mjs'),
    `import * as z from ${JSON.stringify(import.meta.resolve('zod'))};
const tool = (name, scopes) => ({ name, scopes, description: 'Says who calls it', inputSchema: z.object({}),
  handler: ({ context }) => JSON.stringify(context.principal ?? 'anonymous') });
export default [tool('whoami'), tool('wipe', ['admin']), tool('purge', ['admin', 'write'])];
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...line: string[]): Promise<Ran> => runCli(line, { cwd: folder });

const toolsOf = async (...flags: string[]): Promise<string[]> => {
  const { out } = await run('list', '--tools', '--json', ...flags);
  return (JSON.parse(out) as { tools: { name: string }[] }).tools.map(({ name }) => name);
};

describe('the server of a file', () => {
  test('is listed as the principal sees it', async () => {
    expect(await toolsOf()).toEqual(['whoami']);
    expect(await toolsOf('--scopes', 'admin')).toEqual(['whoami', 'wipe']);
    expect(await toolsOf('--scopes', 'admin,write')).toEqual(['whoami', 'wipe', 'purge']);
    expect(await toolsOf('--scopes', 'admin', '--scopes', 'write')).toEqual(['whoami', 'wipe', 'purge']);
    expect(await toolsOf('--as', 'ada')).toEqual(['whoami']);
  });

  test('is called by the principal', async () => {
    expect((await run('call', 'whoami')).out).toBe('"anonymous"');
    expect((await run('call', 'whoami', '--as', 'ada')).out).toBe('{"id":"ada","scopes":[]}');
    expect((await run('call', 'wipe', '--as', 'ada', '--scopes', 'admin')).out).toBe(
      '{"id":"ada","scopes":["admin"]}',
    );
    expect((await run('call', 'wipe', '--scopes', 'admin')).out).toBe('{"id":"cli","scopes":["admin"]}');
    expect(await run('read', 'demo://secret', '--scopes', 'admin')).toMatchObject({ code: 0, out: 'Secret' });
    expect((await run('read', 'demo://secret', '--as', 'ada')).code).toBe(1);
  });
});

test.each([
  [
    ['list', 'http://127.0.0.1:1/mcp', '--as', 'ada'],
    'error --as and --scopes apply only to a file, whose server runs in this process. The server at a URL authenticates its callers: use --header "Authorization: Bearer …".',
  ],
  [
    ['list', '--scopes', 'admin', '--', 'node', 'server.js'],
    'error --as and --scopes apply only to a file, whose server runs in this process. Callers on standard input and output are anonymous.',
  ],
  [['list', '--as', ''], 'error --as must be the id of a principal; received "".'],
])('%j', async (line, err) => {
  expect(await run(...line)).toEqual({ code: 2, out: '', err });
});

test('the doctor says what no caller of a configuration can reach', async () => {
  const { code, out } = await run('doctor');
  expect(code).toBe(0);
  expect(out.split('\n').slice(-2)).toEqual([
    'note Scopes are required for 2 tools ("wipe", "purge"), 1 prompt, 1 resource. Every caller of "toolwright serve" is anonymous, so these are unreachable there',
    '     Remove their scopes, or set auth (HTTP) or principal (stdio) in the configuration. Try them with --scopes.',
  ]);
});
