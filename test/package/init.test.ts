import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST, ROOT, VERSION } from '../support/dist.ts';

const CLI = join(DIST, 'bundle/cli.js');
// Inside the repository, so that projects find their dependencies.
const scratch = createScratchFolder();
const execute = promisify(execFile);

beforeAll(assertBuilt);
afterAll(scratch.remove);

const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  }
  running.clear();
});

const cli = async (cwd: string, ...args: string[]): Promise<string> =>
  (await execute(process.execPath, [CLI, ...args], { cwd })).stdout;

/** Starts a program; its output can be awaited. */
function start(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  running.add(child);
  let said = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      for (const listener of listeners) listener();
    });
  const hear = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(said);
        if (found !== null) resolve(found[1] ?? found[0]);
      };
      listeners.add(look);
      child.once('exit', () => reject(new Error(said)));
      look();
    });
  return { hear };
}

interface PackageFile {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const packageOf = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;

async function create(template: string, language: string): Promise<string> {
  const name = `${template}-${language}`;
  await cli(scratch.path, 'init', name, '--template', template, '--language', language);
  return join(scratch.path, name);
}

/** Changes while it is served, and their expected effect. */
const CHANGES = {
  tools: { file: 'src/tools', from: 'Hello', to: 'Welcome', line: ['greet', 'name=Ada'] },
  document: { file: 'openapi.yaml', from: 'The title of the todo', to: 'The next thing', line: ['addTodo'] },
} as const;

const TOOLS = ['greet', 'count_words'];
const TODOS = ['listTodos', 'addTodo'];

describe.each([
  ['minimal', 'stdio', TOOLS],
  ['http', 'http', TOOLS],
  ['openapi', 'stdio', TODOS],
  ['config', 'config', TOOLS],
] as const)('a new project of the template %s', (template, kind, tools) => {
  test.each(['ts', 'js'])(
    'in %s compiles, passes its tests, reloads, and is reached as its README says',
    async (language) => {
      const folder = await create(template, language);
      const { scripts } = packageOf(folder);
      const { stdout } = await execute('npm', ['test'], { cwd: folder });
      expect(stdout).toMatch(/^(?:#|ℹ) pass 3$/m);
      expect(stdout).toMatch(/^(?:#|ℹ) fail 0$/m);

      const [program, ...words] = scripts['dev']?.split(' ') ?? [];
      expect(program).toBe('toolwright');
      const dev = start(folder, [CLI, ...words, '--port', '0']);
      const url = await dev.hear(/ at (http:\S+)/);
      const isDocument = template === 'openapi';
      const { file, from, to, line } = isDocument ? CHANGES.document : CHANGES.tools;
      const changed = join(folder, isDocument ? file : `${file}.${language}`);
      const show = (): Promise<string> => cli(folder, isDocument ? 'describe' : 'call', url, ...line);
      expect(await show()).toContain(from);
      writeFileSync(changed, readFileSync(changed, 'utf8').replace(from, to));
      await dev.hear(/reloaded/);
      expect(await show()).toContain(to);

      const readme = readFileSync(join(folder, 'README.md'), 'utf8');
      const snippet = /```json\n([^`]+)```/.exec(readme)?.[1] ?? '';
      const { mcpServers } = JSON.parse(snippet) as {
        mcpServers: Record<string, { url?: string; command: string; args: string[] }>;
      };
      const entry = mcpServers[`${template}-${language}`];
      if (kind === 'stdio') {
        const client = new Client({ name: 'c', version: '1' });
        const { command = '', args = [] } = entry ?? {};
        await client.connect(new StdioClientTransport({ command, args, cwd: tmpdir(), stderr: 'ignore' }));
        expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
        await client.close();
        return;
      }
      expect(entry).toEqual({ url: 'http://127.0.0.1:3000/mcp' });
      const served =
        kind === 'http'
          ? start(folder, [scripts['start']?.split(' ')[1] ?? ''], { PORT: '0' })
          : start(folder, [CLI, 'serve', '--port', '0']);
      const listed = await cli(folder, 'list', await served.hear(/ at (http:\S+)/), '--tools');
      for (const name of tools) expect(listed).toContain(name);
    },
    60_000,
  );
});

test('from a clone it depends on the clone, and npm can install it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-init-'));
  try {
    await cli(folder, 'init', 'app', '--language', 'js');
    const app = join(folder, 'app');
    expect(packageOf(app).dependencies['toolwright']).toBe(`file:${ROOT}`);
    await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: app });
    const { stdout } = await execute('npm', ['test'], { cwd: app });
    expect(stdout).toMatch(/^(?:#|ℹ) pass 3$/m);
    expect((await execute('npx', ['toolwright', '--version'], { cwd: app })).stdout).toBe(`${VERSION}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);
