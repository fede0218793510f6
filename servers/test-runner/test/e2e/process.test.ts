import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, test } from 'vitest';
import { callTool, connectHttp, connectStdio, MAIN, startHttp, VERSIONS } from '../support/clients.ts';
import { createFolder } from '../support/folder.ts';
import { SAMPLE } from '../support/project.ts';

const run = promisify(execFile);
const folder = createFolder({ 'test_a.py': 'def test_a(): assert 0\n', 'keys/.keep': '' });
const keys = join(folder, 'keys', 'keys.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the server until it exits. */
const start = (...args: string[]) => run(process.execPath, [MAIN, ...args]);

describe('callers with keys over HTTP', () => {
  test('a caller has a key, sees only its own runs, and requests without a key are rejected', async () => {
    const ada = await createKey('ada');
    const bob = await createKey('bob');
    expect(statSync(keys).mode & 0o777).toBe(0o600);
    expect(readFileSync(keys, 'utf8')).not.toContain(ada);
    const http = await startHttp([folder, '--keys', keys]);
    try {
      expect((await fetch(http.url, { method: 'POST' })).status).toBe(401);
      const { data } = await withClient('v1', [http.url, ada], (client) => callTool(client, 'execute_tests'));
      const run_id = String(data['run_id']);
      for (const version of VERSIONS) {
        const calls = ['get_run', 'cancel_run', 'rerun_failed'] as const;
        await withClient(version, [http.url, bob], async (client) => {
          for (const name of calls)
            expect((await callTool(client, name, { run_id })).text).toContain(`There is no run "${run_id}"`);
          expect((await callTool(client, 'list_runs')).data).toMatchObject({ total_count: 0 });
          await expect(client.readResource({ uri: `tests://runs/${run_id}` })).rejects.toThrow('not found');
        });
        await withClient(version, [http.url, ada], async (client) =>
          expect((await callTool(client, 'get_run', { run_id })).data).toMatchObject({
            summary: { failed: 1 },
          }),
        );
      }
    } finally {
      await http.stop();
    }
  });
});

async function createKey(id: string): Promise<string> {
  const { stdout } = await start('--keys', keys, '--add-key', id);
  return /^ {2}(\S+)$/m.exec(stdout)?.[1] ?? '';
}

async function withClient<TResult>(
  version: (typeof VERSIONS)[number],
  [url, key]: readonly [string, string],
  use: (client: Awaited<ReturnType<typeof connectHttp>>) => Promise<TResult>,
): Promise<TResult> {
  const client = await connectHttp(version, url, key);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

test('without a folder, the server runs the sample: passing, failing, slow and broken tests', async () => {
  const { client } = await connectStdio('v2', []);
  try {
    const found = await callTool(client, 'discover_tests');
    expect(found.data).toMatchObject({
      count: 15,
      collection_errors: [{ file: 'tests/test_broken.py', line: 3 }],
    });
    const args = { node_ids: ['tests/test_cart.py', 'tests/test_kinds.py'], keywords: 'not parametrised' };
    const { data } = await callTool(client, 'execute_tests', args);
    expect(data['summary']).toMatchObject({
      total: 10,
      passed: 5,
      failed: 1,
      errors: 1,
      skipped: 1,
      xfailed: 1,
      xpassed: 1,
    });
    const slow = (data['tests'] as { node_id: string; duration: number }[]).find(({ node_id }) =>
      node_id.endsWith('test_slow'),
    );
    expect(slow?.duration).toBeGreaterThan(0.9);
  } finally {
    await client.close();
  }
});

test('with --watch, a changed file is a notification', async () => {
  const { client } = await connectStdio('v1', [folder, '--watch']);
  if (!(client instanceof ClientV1)) throw new Error('Expected a client of SDK v1.');
  try {
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
    });
    await client.subscribeResource({ uri: 'tests://tree' });
    writeFileSync(join(folder, 'test_b.py'), 'def test_b(): pass\n');
    expect(await updated).toBe('tests://tree');
  } finally {
    await client.close();
  }
});

test('SIGTERM ends the server over HTTP with exit code 0', async () => {
  const http = await startHttp([folder]);
  const exited = once(http.child, 'exit');
  await http.stop();
  expect((await exited)[0]).toBe(0);
});

test.each([
  ['claude-code', `claude mcp add test-runner -- ${process.execPath} ${MAIN} ${folder} --timeout=9`],
  [
    'cursor',
    JSON.stringify(
      { mcpServers: { 'test-runner': { command: process.execPath, args: [MAIN, folder, '--timeout=9'] } } },
      undefined,
      2,
    ),
  ],
])('--print-client-config %s prints the command', async (client, text) => {
  const args = [folder, '--print-client-config', client, '--timeout', '9'];
  const { stdout } = await run(process.execPath, [MAIN, ...args], { env: {} });
  expect(stdout).toBe(`${text}\n`);
});

test('--print-client-config lists variables, and prints the URL of --http', async () => {
  const env = { PYTEST_PYTHON: '/opt/python', SECRET: 's' };
  const args = ['--pass-env', 'SECRET', '--print-client-config=vscode'];
  const { stdout } = await run(process.execPath, [MAIN, ...args], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    servers: {
      'test-runner': {
        args: [MAIN, SAMPLE.replace(/\/$/, ''), '--pass-env=SECRET'],
        env: { PYTEST_PYTHON: '/opt/python', SECRET: '<SECRET>' },
      },
    },
  });
  const http = await start('--http', '--print-client-config', 'cursor');
  expect(JSON.parse(http.stdout)).toEqual({
    mcpServers: { 'test-runner': { url: 'http://127.0.0.1:3002/mcp' } },
  });
  expect(http.stderr).not.toContain('Authorization');
  const keyed = await start('--http', '--keys', keys, '--print-client-config', 'cursor');
  expect(keyed.stderr).toContain('Add the header "Authorization: Bearer <key>"');
});

test.each([
  [['--add-key', 'ada'], '--add-key needs --keys <file>.'],
  [['--keys', '/missing/k.json', '--http'], 'Cannot read the keys of /missing/k.json: ENOENT: no such file'],
  [['--print-client-config', 'emacs'], 'Unknown client "emacs". Clients: claude-code, claude-desktop, codex'],
  [['--http', '--port', '0', '--print-client-config', 'cursor'], '--print-client-config needs a fixed port'],
])('%j is rejected', async (args, message) => {
  await expect(start(...args)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(message) as unknown,
  });
});
