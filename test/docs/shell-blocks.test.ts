import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, ROOT, VERSION } from '../support/dist.ts';

// Runs the `sh` and `console` blocks of the pages below, command by command, with the packed package in place of the registry's and a local
// document in place of a public address. The blocks of a page share one folder. Comments before a block:
//   <!-- not run: reason -->             the block is not run
//   <!-- not run: `command`: reason -->  the command that begins with these characters is not run
//   <!-- run: server -->                 the block must start a server; servers run until the end of the test
//   <!-- run: clone -->                  the block runs in a clone; also `<!-- run: server, clone -->`
// A file that a page shows is written under its name: a paragraph that begins with the name in backticks, or says "Save this as `name`", before
// the block. All other differences between a page and its test are in `substitute` and FILES.
const PAGES = [
  'README.md',
  'docs/get-started.md',
  'docs/cli.md',
  'docs/configuration.md',
  'docs/deploying.md',
  'docs/troubleshooting.md',
  'examples/README.md',
];
/** Pages whose commands are scripts for maintainers: `npm run …`, minutes each. */
const MAINTENANCE = ['docs/compatibility.md', 'docs/corpus.md', 'docs/performance.md', 'docs/soak.md'];

const SERVER = `import { createServer } from 'toolwright';
import { serveStdio } from 'toolwright/stdio';
import * as z from 'zod';
const server = createServer({ name: 'demo', version: '1.0.0' })
  .registerTool('add', { description: 'Adds', inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => a + b);
if (process.argv[1] === import.meta.filename) serveStdio(server);
export default server;
`;
const CONFIG = `name: demo
tools: [{ module: ./tools.mjs }]
`;
const TOOLS = `import * as z from 'zod';
export default [{
  name: 'delete_note', description: 'Deletes a note', annotations: { destructiveHint: true }, confirm: 'preview', preview: () => 'One note',
  inputSchema: z.object({ id: z.int() }), handler: ({ input }) => 'Deleted ' + input.id,
}];
`;
/** Files that the commands of a page name and the page does not show. */
const FILES: Readonly<Record<string, (api: string) => Readonly<Record<string, string>>>> = {
  'docs/troubleshooting.md': () => ({ 'server.js': SERVER }),
  'docs/cli.md': (api) => ({
    'server.js': SERVER,
    'toolwright.config.yaml': CONFIG,
    'tools.mjs': TOOLS,
    'petstore.yaml': petstore(api),
    'shop.yaml': petstore(api),
    'users.yaml': readFileSync(join(ROOT, 'test/fixtures/openapi/petstore-3.0.yaml'), 'utf8').replace(
      /^ {2}securitySchemes:\n/m,
      '$&    token: { type: http, scheme: bearer }\n',
    ),
  }),
};
/** Pages that say nothing about installation: the package is installed before, once for all of them. */
const INSTALLED = new Set(PAGES.filter((page) => page !== 'README.md' && page !== 'docs/get-started.md'));

const folder = mkdtempSync(join(tmpdir(), 'toolwright-shell-'));
const running = new Set<ChildProcess>();
let tarball = '';
/** A local API in place of public addresses: it serves its own document, and a pet. */
const api = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(request.url?.endsWith('.json') ? petstoreJson() : '{"id":1,"name":"Rex","photoUrls":[]}');
});
const apiUrl = (): string => `http://127.0.0.1:${(api.address() as AddressInfo).port}`;

beforeAll(async () => {
  assertBuilt();
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const packed = await run(`npm pack --ignore-scripts --silent --pack-destination '${folder}'`, ROOT);
  tarball = join(folder, packed.output.trim());
  if (!existsSync(tarball)) throw new Error(packed.output);
  prepareClone(join(folder, 'clone'));
  const installed = join(folder, 'installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{ "type": "module" }');
  const { code, output } = await run(substitute('npm install toolwright zod', undefined), installed);
  if (code !== 0) throw new Error(output);
}, 120_000);

afterAll(async () => {
  await Promise.all([...running].map(stop));
  api.close();
  api.closeAllConnections();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, 120_000);

const blocks = PAGES.flatMap(shellBlocks);

test('the pages with shell blocks are run, apart from those of maintainers', () => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];
  const withBlocks = pages.filter((page) => page.endsWith('.md') && shellBlocks(page).length > 0);
  expect(withBlocks.filter((page) => !PAGES.includes(page))).toEqual(MAINTENANCE);
  expect(blocks.length).toBeGreaterThan(8);
});

test('the number of blocks that are not run is printed, with the reasons', () => {
  const skipped = blocks.flatMap(({ page, line, commands, skips }) =>
    skips.map(({ command, reason }) => {
      const covered = commands.filter(({ source }) => source.startsWith(command ?? ''));
      expect([page, line, command, covered.length > 0]).toEqual([page, line, command, true]);
      return `  ${page}:${line} ${covered.map(({ source }) => source).join('; ')}: ${reason}`;
    }),
  );
  const commands = blocks.flatMap((block) => block.commands.filter((command) => !skipOf(block, command)));
  const whole = blocks.filter(({ skips }) => skips.some(({ command }) => command === undefined));
  console.log(
    [
      `Shell blocks: ${blocks.length - whole.length} of ${blocks.length} run, with ${commands.length} commands. Not run:`,
      ...skipped,
    ].join('\n'),
  );
  expect(skipped.length).toBeLessThan(blocks.length / 2);
});

describe.each(PAGES.filter((page) => blocks.some((block) => block.page === page)))('%s', (page) => {
  const work = join(folder, page.replaceAll(/\W/g, '-'));
  let url: string | undefined;

  beforeAll(() => {
    mkdirSync(work);
    for (const [name, text] of Object.entries(FILES[page]?.(apiUrl()) ?? {}))
      writeFileSync(join(work, name), text);
    if (!INSTALLED.has(page)) return;
    writeFileSync(join(work, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(folder, 'installed/node_modules'), join(work, 'node_modules'));
  });

  test.each(blocks.filter((block) => block.page === page))(
    'line $line',
    { timeout: 120_000 },
    async (block) => {
      for (const { name, source } of block.files) {
        mkdirSync(dirname(join(work, name)), { recursive: true });
        writeFileSync(join(work, name), source);
      }
      let servers = 0;
      for (const command of block.commands.filter((each) => !skipOf(block, each))) {
        const { source, expected } = command;
        const cwd = block.modes.includes('clone') ? join(folder, 'clone') : work;
        const result = await run(substitute(source, url), cwd);
        url = result.url ?? url;
        if (result.url !== undefined) servers += 1;
        expect([source, result.code, result.output]).toEqual([
          source,
          result.url === undefined ? 0 : undefined,
          expected ?? expect.any(String),
        ]);
      }
      const isRun = block.skips.every(({ command }) => command !== undefined);
      if (block.modes.includes('server') && isRun) expect(servers).toBeGreaterThan(0);
    },
  );
});

interface Command {
  readonly source: string;
  /** The output that a `console` block shows. */
  readonly expected: string | undefined;
}

interface Skip {
  /** Undefined for the whole block. */
  readonly command: string | undefined;
  readonly reason: string;
}

interface ShellBlock {
  readonly page: string;
  readonly line: number;
  readonly modes: readonly string[];
  readonly skips: readonly Skip[];
  readonly commands: readonly Command[];
  /** Files that the page shows between the previous shell block and this one. */
  readonly files: readonly { readonly name: string; readonly source: string }[];
}

function shellBlocks(page: string): ShellBlock[] {
  const path = join(ROOT, page);
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const found: ShellBlock[] = [];
  let files: ShellBlock['files'][number][] = [];
  for (const match of text.matchAll(
    /(?<comments>(?:^<!-- .* -->\n)*)^```(?<language>\w*)[^\n]*\n(?<body>[\s\S]*?)^```$/gm,
  )) {
    const { comments = '', language = '', body = '' } = match.groups ?? {};
    if (!['sh', 'console', 'bash', 'shell'].includes(language)) {
      const name = nameOfFile(text.slice(0, match.index));
      if (name !== undefined) files.push({ name, source: body });
      continue;
    }
    const line = text.slice(0, match.index).split('\n').length + comments.split('\n').length - 1;
    const modes = Array.from(comments.matchAll(/^<!-- run: (.*) -->$/gm), ([, list = '']) =>
      list.split(', '),
    ).flat();
    const skips = Array.from(
      comments.matchAll(/^<!-- not run: (?:`([^`]+)`: )?(.*) -->$/gm),
      ([, command, reason = '']) => ({ command, reason }),
    );
    const commands = language === 'console' ? consoleCommands(body) : plainCommands(body);
    found.push({ page, line, modes, skips, commands, files });
    files = [];
  }
  return found;
}

/** The name in the paragraph before a block. */
function nameOfFile(before: string): string | undefined {
  const paragraph = before.trimEnd().split('\n\n').at(-1) ?? '';
  return (/^`([\w./-]+\.\w+)`/.exec(paragraph) ?? /Save this as `([\w./-]+)`/.exec(paragraph))?.[1];
}

function plainCommands(body: string): Command[] {
  const lines = body.replaceAll('\\\n', ' ').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((source) => ({ source, expected: undefined }));
}

function consoleCommands(body: string): Command[] {
  return body
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { source: part.slice(0, end), expected: part.slice(end + 1).trimEnd() };
    });
}

function skipOf({ skips }: ShellBlock, { source }: Command): Skip | undefined {
  return skips.find(({ command }) => command === undefined || source.startsWith(command));
}

/** The differences between a command on a page and the one that is run. */
function substitute(command: string, url: string | undefined): string {
  const replaced = command
    .replaceAll(/https:\/\/[^\s/]+\/\S*openapi\.json/g, `${apiUrl()}/openapi.json`)
    .replaceAll('http://127.0.0.1:3000', new URL(url ?? 'http://127.0.0.1:3000').origin)
    .replace(/^npm start\b/, `NOTES_FILE='${join(folder, 'notes.json')}' node servers/notes/dist/main.js`)
    .replace(/(-- npx toolwright openapi petstore\.yaml)/, '$1 --allow-private 127.0.0.1')
    .replace(/\bnpm run dev\b/, 'npm run dev -- --port 0')
    .replace(/(\btoolwright (?:dev|serve|openapi) [^#|]*--http)(?![^#]*--port)/, '$1 --port 0');
  return replaced.replace(
    /\bnpm install( [^#&]+)/,
    (_match, words: string) => `npm install${words.replaceAll(/(?<= )[@\w][\w/@-]*/g, localPackage)}`,
  );
}

/** The packed package, or the version that the repository has: npm finds it in its cache. */
function localPackage(name: string): string {
  if (name === 'toolwright') return `'${tarball}'`;
  const file = join(ROOT, 'node_modules', name, 'package.json');
  return `${name}@${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
}

interface Run {
  /** Undefined for a server that was left running. */
  readonly code: number | null | undefined;
  readonly output: string;
  readonly url?: string;
}

/** The line of a server that listens: of `toolwright serve`, of `npm start`, of the examples. */
const ANNOUNCEMENT =
  /^(?:serving .* at |serving at |listening at | {2}URL {4})(?<url>http:\/\/127\.0\.0\.1:\d+\/mcp)$/im;

/** Runs a command without a terminal, its standard input at the end. Returns when it ends, or when it listens. */
async function run(command: string, cwd: string): Promise<Run> {
  const child = spawn('sh', ['-c', command], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(cwd, 'node_modules/.bin')}:${process.env['PATH']}`,
      NO_COLOR: '1',
      PORT: '0',
      PETSTORE_KEY: 'key',
      TOKEN: 'token',
      npm_config_loglevel: 'error',
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
  });
  running.add(child);
  let output = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      void stop(child);
      reject(new Error(`${command} does not end. It printed:\n${output}`));
    }, 90_000);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const url = ANNOUNCEMENT.exec(output)?.groups?.['url'];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve({ code: undefined, output: output.trimEnd(), url });
      });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: output.trimEnd() });
    });
  });
}

/** Ends a command and the processes it has started: they are one process group. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !running.delete(child)) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 15_000);
  await closed;
  clearTimeout(timer);
}

/** A folder in which `npx toolwright` finds the package of the repository, as in a clone, and in which files can be made. */
function prepareClone(path: string): void {
  mkdirSync(path);
  copyFileSync(join(ROOT, 'package.json'), join(path, 'package.json'));
  for (const name of ['dist', 'examples', 'node_modules', 'servers', 'test'])
    symlinkSync(join(ROOT, name), join(path, name));
}

/** The petstore with a local API as its server. */
function petstore(url: string): string {
  const text = readFileSync(join(ROOT, 'test/fixtures/openapi/petstore-3.0.yaml'), 'utf8');
  return text.replace('https://petstore3.swagger.io/api/v3', url);
}

function petstoreJson(): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: VERSION },
    servers: [{ url: apiUrl() }],
    paths: {
      '/pet/{petId}': {
        get: {
          operationId: 'getPetById',
          parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'A pet' } },
        },
      },
    },
  });
}
