import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, ROOT, runModule, VERSION } from '../support/dist.ts';

const execute = promisify(execFile);
// Outside the repository: a dependency that is missing in the manifest must not be found in a parent folder.
const folder = mkdtempSync(join(tmpdir(), 'toolwright-install-'));
const modules = join(folder, 'app', 'node_modules');

beforeAll(async () => {
  assertBuilt();
  await install();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package, installed with one schema library', () => {
  test('is at most 15 packages', () => {
    const packages = listPackages(modules);
    expect(packages).toContain('toolwright');
    expect(packages).toContain('zod');
    expect(packages.length, packages.join(', ')).toBeLessThanOrEqual(15);
  });

  test('is at most 15 MB', () => {
    const bytes = totalBytes(modules);
    expect(totalBytes(join(modules, 'toolwright')), 'the files of toolwright').toBeGreaterThan(500_000);
    expect(bytes, 'bytes in node_modules').toBeLessThanOrEqual(15_000_000);
  });

  test('has these packages, and no others', () => {
    // Listed explicitly, so that an addition is deliberate.
    expect(listPackages(modules).toSorted()).toEqual([
      '@standard-schema/spec',
      '@toon-format/toon',
      'ajv',
      'ajv-formats',
      'argparse',
      'fast-deep-equal',
      'fast-uri',
      'js-yaml',
      'json-schema-traverse',
      'require-from-string',
      'stemmer',
      'toolwright',
      'zod',
    ]);
  });

  test('loads, with nothing but what was installed', async () => {
    const source = `import { createServer } from 'toolwright'; console.log(typeof createServer);`;
    expect(await runModule(join(folder, 'app'), 'load.mjs', source)).toBe('function\n');
  });

  test('names the package that a feature needs and that is not installed', async () => {
    const source = `import { sqliteStores } from 'toolwright/sqlite';
      try { sqliteStores(':memory:'); } catch ({ code, message }) { console.log(code, message); }`;
    expect(await runModule(join(folder, 'app'), 'missing.mjs', source)).toBe(
      'MISSING_PEER sqliteStores needs "libsql". Install with: npm install libsql\n',
    );
    const queue = `import { BullMqTaskQueue } from 'toolwright/tasks';
      const client = { call() {}, duplicate() {}, disconnect() {} };
      try { new BullMqTaskQueue(client); } catch ({ code, message }) { console.log(code + '\\n' + message); }`;
    expect(await runModule(join(folder, 'app'), 'queue.mjs', queue)).toBe(
      'MISSING_PEER\nBullMqTaskQueue needs "bullmq". Install with: npm install bullmq\n',
    );
    const configured = (stores: object): string => `import { writeFileSync } from 'node:fs';
      import { loadConfig } from 'toolwright/config';
      process.chdir(import.meta.dirname);
      writeFileSync('stores.json', ${JSON.stringify(JSON.stringify({ name: 'a', stores }))});
      try { await loadConfig('stores.json'); } catch ({ message }) { console.log(message.split('\\n')[1].trim()); }`;
    const app = join(folder, 'app');
    expect(
      await runModule(app, 'redis.mjs', configured({ redis: { url: 'redis://127.0.0.1:6379' } })),
    ).toMatch(
      /^stores\.json:1:\d+ stores\.redis is invalid: stores\.redis needs "ioredis"\. Install with: npm install ioredis\n$/,
    );
    expect(await runModule(app, 'sqlite.mjs', configured({ sqlite: { path: 'a.db' } }))).toMatch(
      /stores\.sqlite is invalid: sqliteStores needs "libsql"\. Install with: npm install libsql\n$/,
    );
  });

  test('has a source map for every bundle, without the sources', () => {
    const bundle = join(modules, 'toolwright', 'dist', 'bundle');
    const names = readdirSync(bundle).filter((name) => name.endsWith('.js'));
    // These only re-export names of core.js.
    const lists = new Set(['collaborators.js', 'index.js', 'stores.js', 'strategies.js']);
    const withCode = names.filter((name) => !lists.has(name));
    expect(withCode.length).toBeGreaterThan(10);
    for (const name of withCode) {
      expect(readFileSync(join(bundle, name), 'utf8')).toMatch(/\n\/\/# sourceMappingURL=\S+\.js\.map\n$/);
      const map = JSON.parse(readFileSync(join(bundle, `${name}.map`), 'utf8')) as Record<string, unknown>;
      expect(map['sourcesContent'], name).toBeUndefined();
    }
  });

  test('shows the names of our sources in stack traces, with --enable-source-maps', async () => {
    const file = join(folder, 'app', 'trace.mjs');
    writeFileSync(
      file,
      `import { ToolRegistry } from 'toolwright';
       try { new ToolRegistry().register({ name: 'a b' }); } catch (error) { console.log(error.stack); }`,
    );
    const { stdout } = await execute(process.execPath, ['--enable-source-maps', file]);
    expect(stdout).toMatch(/toolwright\/src\/registry\/tool-registry\.ts:\d+:\d+\)?$/m);
    expect(stdout).not.toContain('dist/bundle');
  });
});

describe('the documentation in the package', () => {
  const root = join(modules, 'toolwright');
  const pages = (): string[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

  test('is complete: the README, all pages, the examples', () => {
    expect(pages()).toEqual(
      expect.arrayContaining([
        'README.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'SECURITY.md',
        'examples/README.md',
      ]),
    );
    const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    const expected = docs.filter((name) => name.endsWith('.md')).map((name) => join('docs', name));
    expect(expected.length).toBeGreaterThan(20);
    expect(pages()).toEqual(expect.arrayContaining(expected));
  });

  test('has no link that leads out of the package, or to a heading that is not there', () => {
    const links = pages().flatMap((page) => linksOf(join(root, page)).map((link) => ({ page, link })));
    expect(links.length).toBeGreaterThan(200);
    const broken = links.filter(({ page, link }) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(root, page) : join(root, page, '..', path);
      if (!target.startsWith(root) || !existsSync(target)) return true;
      return anchor !== undefined && !headingsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('a new project', () => {
  const app = join(folder, 'app');
  const toolwright = (cwd: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    execute(join(modules, '.bin', 'toolwright'), args, { cwd });

  test('passes its own tests, and serves', async () => {
    const { stderr } = await toolwright(app, 'init', 'greeter', '--template', 'config', '--language', 'js');
    expect(stderr).toContain('created toolwright.config.yaml');
    const project = join(app, 'greeter');
    // npm could not find the version of a tarball anywhere else.
    expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).toMatchObject({
      dependencies: { toolwright: `file:${join(realpathSync(folder), `toolwright-${VERSION}.tgz`)}` },
    });
    // It finds the packages of the parent folder.
    const { stdout } = await execute(process.execPath, ['--test', 'src/tools.test.js'], { cwd: project });
    expect(stdout).toMatch(/^(?:#|ℹ) pass 3$/m);
    expect(stdout).toMatch(/^(?:#|ℹ) fail 0$/m);
    expect((await toolwright(project, 'call', 'greet', 'name=Ada')).stdout).toBe('Hello, Ada!\n');
    expect((await toolwright(project, 'read', 'docs://greeter/welcome.md')).stdout).toContain('# greeter');
    expect((await toolwright(project, 'prompt', 'introduce', 'first=Ada', 'second=Bob')).stdout).toContain(
      'Introduce Ada to Bob.',
    );
    expect((await toolwright(project, 'doctor')).stdout).not.toContain('bad ');
  });

  test('replaces nothing', async () => {
    const project = join(app, 'taken');
    mkdirSync(project);
    writeFileSync(join(project, 'README.md'), 'Mine');
    await expect(toolwright(app, 'init', 'taken')).rejects.toMatchObject({ code: 2 });
    expect(readdirSync(project)).toEqual(['README.md']);
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toBe('Mine');
  });
});

describe('unused modules are not loaded', () => {
  test('by the entry of stdio: no package but what every server needs, no HTTP', async () => {
    const loaded = await recordModules('stdio', `import 'toolwright/stdio';`);
    expect(loaded.own.length).toBeGreaterThan(1);
    expect(loaded.packages).toEqual(['@toon-format/toon', 'toolwright']);
    expect(loaded.transports).toEqual(['stdio']);
    expect(loaded.network).toEqual([]);
  });

  test('by the entry of HTTP: no package but what every server needs, no stdio', async () => {
    const loaded = await recordModules('http', `import 'toolwright/http';`);
    expect(loaded.packages).toEqual(['@toon-format/toon', 'toolwright']);
    expect(loaded.transports).toEqual(['http']);
    expect(loaded.network).toContain('node:http');
  });

  test('by a server on stdio that answers tools/list: no search, no validator, no HTTP', async () => {
    const loaded = await recordModules('list', SERVER, LIST);
    expect(loaded.stdout).toMatch(/^\{"jsonrpc":"2.0","id":1,"result":\{.*"name":"add"/);
    // Listed explicitly, so that an addition is deliberate.
    expect(loaded.packages).toEqual(['@toon-format/toon', 'toolwright', 'zod']);
    expect(loaded.transports).toEqual(['memory', 'stdio']);
    expect(loaded.network).toEqual([]);
  });
});

describe('Ajv and the YAML parser are dependencies: nothing has to be installed for them', () => {
  const app = join(folder, 'app');
  const toolwright = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    execute(join(modules, '.bin', 'toolwright'), args, { cwd: app });

  test('by a raw JSON Schema, which loads Ajv', async () => {
    const source = `
      import { ToolRegistry } from 'toolwright';
      const inputSchema = { type: 'object', properties: { mail: { type: 'string', format: 'email' } } };
      const registry = new ToolRegistry().register({ name: 'invite', description: 'I', inputSchema, handler: () => 'done' });
      const call = async (mail) => (await registry.executeTool({ name: 'invite', arguments: { mail } })).isError === true;
      console.log(await call('ada@example.com'), await call('ada'));
    `;
    const { stdout, packages } = await recordModules('raw', source);
    expect(stdout).toBe('false true\n');
    expect(packages).toEqual([
      '@toon-format/toon',
      'ajv',
      'ajv-formats',
      'fast-deep-equal',
      'fast-uri',
      'json-schema-traverse',
      'toolwright',
    ]);
  });

  test('by an OpenAPI document in YAML', async () => {
    const { stdout } = await toolwright('openapi', OPENAPI, '--dry-run');
    expect(stdout).toMatch(/GET \/pet\/findByStatus +tool +findPetsByStatus/);
    const called = toolwright('call', 'getPetById', 'petId=x', '--', 'npx', 'toolwright', 'openapi', OPENAPI);
    await expect(called).rejects.toMatchObject({
      stderr: expect.stringContaining('must be of type integer'),
    });
  });

  test('by a configuration in YAML, whose mistakes have places', async () => {
    writeFileSync(join(app, 'wrong.yaml'), '# Mine\nname: demo\ntoolz: []\n');
    await expect(toolwright('serve', 'wrong.yaml')).rejects.toMatchObject({
      stderr: expect.stringContaining('wrong.yaml:3:1 toolz is unknown. Did you mean "tools"?'),
    });
  });
});

/** The relative links of a page, outside of its code. */
function linksOf(page: string): string[] {
  return Array.from(withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link ?? '').filter(
    (link) => !/^[a-z]+:/.test(link),
  );
}

/** The anchors of the headings of a page, as GitHub and npm write them. */
function headingsOf(page: string): string[] {
  return Array.from(withoutCode(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
}

const OPENAPI = join(ROOT, 'test/fixtures/openapi/petstore-3.0.yaml');

const SERVER = `
  import { createServer, defineTool } from 'toolwright';
  import { serveStdio } from 'toolwright/stdio';
  import * as z from 'zod';
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  const add = defineTool({ name: 'add', description: 'Adds', inputSchema, handler: ({ input }) => input.a + input.b });
  await serveStdio(createServer({ name: 'sums', version: '1.0.0', tools: [add] })).closed;
`;
const LIST = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** Packs what is built and installs it as a user would, in an empty folder. */
async function install(): Promise<void> {
  const packed = await npm(ROOT, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const zod = readVersion(join(ROOT, 'node_modules', 'zod'));
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
  await npm(app, [
    'install',
    join(folder, filename),
    `zod@${zod}`,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
  ]);
}

async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const options = { cwd, encoding: 'utf8', shell: process.platform === 'win32', timeout: 100_000 } as const;
  const { stdout } = await execute('npm', [...args, '--loglevel=error'], options);
  return stdout;
}

function readVersion(path: string): string {
  return (JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Every package below a folder `node_modules`, nested ones included. */
function listPackages(path: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const names = entry.name.startsWith('@')
      ? readdirSync(join(path, entry.name)).map((name) => `${entry.name}/${name}`)
      : [entry.name];
    for (const name of names) {
      found.push(name);
      const inner = join(path, name, 'node_modules');
      if (statSync(inner, { throwIfNoEntry: false })) found.push(...listPackages(inner));
    }
  }
  return found;
}

function totalBytes(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

interface Loaded {
  readonly stdout: string;
  /** Modules of Toolwright. */
  readonly own: readonly string[];
  readonly packages: readonly string[];
  /** Folders of `src/transport/`. */
  readonly transports: readonly string[];
  /** Modules of Node for HTTP; `node:net` is not among them, because standard input is one of its sockets. */
  readonly network: readonly string[];
}

/** Runs a module in the folder of the installation, and returns the loaded modules. */
async function recordModules(name: string, source: string, input = ''): Promise<Loaded> {
  const app = join(folder, 'app');
  writeFileSync(join(app, `${name}.mjs`), source);
  const list = join(app, `${name}.txt`);
  const hook = join(ROOT, 'test/support/record-modules.mjs');
  const running = execute(process.execPath, ['--import', hook, join(app, `${name}.mjs`)], {
    env: { ...process.env, MODULES_FILE: list },
    timeout: 30_000,
  });
  running.child.stdin?.end(`${input}\n`);
  const { stdout } = await running;
  const urls = readFileSync(list, 'utf8').split('\n');
  const unique = (pattern: RegExp): string[] =>
    [...new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? []))].toSorted();
  return {
    stdout,
    own: unique(/\/node_modules\/toolwright\/dist\/(.+)$/),
    packages: unique(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//),
    transports: transportsIn(urls.filter((url) => url.includes('/node_modules/toolwright/dist/'))),
    network: unique(/^(node:(?:http|https|http2|tls|internal\/deps\/undici.*))$/),
  };
}

/** A comment in the bundles names the source of each module. */
function transportsIn(urls: readonly string[]): string[] {
  const texts = urls.map((url) => readFileSync(fileURLToPath(url), 'utf8')).join('\n');
  const found = texts.matchAll(/^\/\/ dist\/transport\/(?<folder>[^/\n]+)\//gm);
  return [...new Set(Array.from(found, ({ groups }) => groups?.['folder'] ?? ''))].toSorted();
}
