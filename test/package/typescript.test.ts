import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST, ROOT } from '../support/dist.ts';

const CLI = join(DIST, 'bundle/cli.js');
const [MAJOR = 0] = process.versions.node.split('.').map(Number);
const NODE = `Node ${process.versions.node}`;
// Inside the repository, so that projects find their dependencies.
const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with an empty input. */
async function toolwright(cwd: string, ...args: string[]): Promise<Ran> {
  const running = promisify(execFile)(process.execPath, [CLI, ...args], { cwd });
  running.child.stdin?.end();
  return running.then(
    (printed) => ({ ...printed, code: 0 }),
    (error: unknown) => error as Ran,
  );
}

/** A folder with these files. */
function createProject(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch.path, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

function copyFixture(name: string, packageFile: string): string {
  const folder = createProject(name, { 'package.json': packageFile });
  cpSync(join(ROOT, 'test/fixtures/typescript/project'), folder, { recursive: true });
  return folder;
}

describe('a server in TypeScript with enums, parameter properties, decorators, paths and imports of both endings', () => {
  test.each(['{ "type": "module" }', '{ "type": "commonjs" }', '{}'])(
    'is loaded in a package %s, from any folder',
    async (packageFile) => {
      const folder = copyFixture(`type${packageFile.replaceAll(/\W+/g, '-')}`, packageFile);
      const server = join(folder, 'src/server.ts');
      for (const [line, printed] of [
        [['greet', 'name=Ada'], 'Hello, Ada!\n'],
        [['double', 'n=4'], '8\n'],
        [['get'], 'high low high\n'],
      ] as const)
        expect(await toolwright(tmpdir(), 'call', server, ...line)).toMatchObject({ stdout: printed });
    },
    60_000,
  );

  test('is reloaded when one of its files changes', async () => {
    const folder = copyFixture('reloaded', '{ "type": "module" }');
    const child = spawn(process.execPath, [CLI, 'dev', 'src/server.ts', '--http', '--port', '0'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const said = child.stderr.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
      let text = '';
      const hear = async (pattern: RegExp): Promise<string> => {
        while (!pattern.test(text)) text += (await said.next()).value;
        const [, found = ''] = pattern.exec(text) ?? [];
        text = '';
        return found;
      };
      const url = await hear(/ at (http:\S+)/);
      for (const [file, from, to] of [
        ['src/lib/level.ts', "'low'", "'little'"],
        ['src/greeter.ts', 'this.greeting', "'Welcome'"],
      ] as const) {
        const path = join(folder, file);
        writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
        await hear(/reloaded/);
      }
      expect((await toolwright(folder, 'call', url, 'greet', 'name=Ada')).stdout).toBe('Welcome, Ada!\n');
      expect((await toolwright(folder, 'call', url, 'get')).stdout).toBe('high little high\n');
    } finally {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    }
  }, 60_000);
});

describe('a file that cannot be parsed is named, with the line and the setting', () => {
  const DECORATED = 'export class Tools {\n  name = 1;\n  @tool({})\n  greet() {}\n}\n';
  const DECORATORS = `:3: ${NODE} cannot parse decorators: set "target": "es2022" or "experimentalDecorators": true in tsconfig.json and compile again.`;
  const esm = createProject('esm', {
    'package.json': '{ "type": "module" }',
    'tools.js': DECORATED,
    'server.js': "import { Tools } from './tools.js';\nexport default new Tools();\n",
    'toolwright.config.yaml': 'name: demo\ntools:\n  - module: ./server.js\n',
  });
  const cjs = createProject('cjs', {
    'package.json': '{ "type": "commonjs" }',
    'tools.js': DECORATED.replace('export', 'module.exports ='),
    'server.js': "module.exports = require('./tools.js');\n",
  });

  test.each(['list', 'serve', 'call', 'describe', 'dev'])(
    'by %s',
    async (command) => {
      const words = command === 'call' || command === 'describe' ? ['greet'] : [];
      for (const folder of [esm, cjs]) {
        const { code, stderr } = await toolwright(folder, command, 'server.js', ...words);
        expect(stderr).toContain(`${join(folder, 'tools.js')}${DECORATORS}\n`);
        expect(stderr).not.toContain('    at ');
        expect(code).toBe(3);
      }
    },
    60_000,
  );

  test('by doctor, and for a module of a configuration', async () => {
    const tools = join(esm, 'tools.js');
    const { code, stdout } = await toolwright(esm, 'doctor', 'server.js');
    expect(stdout).toContain(`bad  ${tools}${DECORATORS}\n`);
    expect(code).toBe(1);
    expect((await toolwright(esm, 'list')).stderr).toContain(`cannot be loaded: ${tools}${DECORATORS}\n`);
  });

  test.runIf(MAJOR < 24)('also for what a version of Node does not have yet', async () => {
    const source = 'export const close = async () => {\n  await using server = open();\n};\n';
    const folder = createProject('using', { 'package.json': '{ "type": "module" }', 'server.js': source });
    const { stderr } = await toolwright(folder, 'list', 'server.js');
    expect(stderr).toBe(
      `error ${join(folder, 'server.js')}:2: ${NODE} cannot parse "using": set "target": "es2022" in tsconfig.json and compile again, or call close() instead.\n`,
    );
  });

  test('any other mistake is shown', async () => {
    const folder = createProject('mistakes', {
      'package.json': '{ "type": "module" }',
      'server.js': 'export const one = 1;\nexport default one + ;\n',
      'server.ts': 'export const one: number = 1;\nexport default one + ;\n',
    });
    const { stderr } = await toolwright(folder, 'list', 'server.js');
    expect(stderr).toBe(
      `error ${join(folder, 'server.js')}:2: SyntaxError: Unexpected token ';'\nexport default one + ;\n                     ^\n`,
    );
    const typed = await toolwright(folder, 'list', 'server.ts');
    expect(typed.stderr).toBe(`error ${join(folder, 'server.ts')}:2:21: ParseError: Unexpected token\n`);
  });

  test('an error with the same name that a module throws is left as it is', async () => {
    const source = "console.error('ran');\nexport default JSON.parse('{');\n";
    const folder = createProject('thrown', { 'package.json': '{ "type": "module" }', 'server.js': source });
    const { stderr } = await toolwright(folder, 'list', 'server.js');
    expect(stderr.split('ran\n')).toHaveLength(2);
    expect(stderr).toContain('at JSON.parse');
  });
});
