import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { transformWithEsbuild } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, ROOT, runModule } from '../support/dist.ts';

const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const blocks = pages.flatMap(codeBlocks);
const files = pages.flatMap(codeFiles);

test('the README shows a complete server in at most ten lines', () => {
  const server = blocks.find((block) => block.page === 'README.md');
  const lines = server?.source.split('\n').filter((line) => line.trim() !== '') ?? [];
  expect(server?.mode).toBe('stdio-server');
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(10);
});

test(
  'the tsconfig of the first steps compiles their blocks, and they run',
  { timeout: 120_000 },
  async () => {
    const configs = ['docs/get-started.md', 'docs/typescript.md'].map((page) => {
      const [, json = ''] =
        /```json\n(\{\s+"compilerOptions"[\s\S]*?)```/.exec(readFileSync(join(ROOT, page), 'utf8')) ?? [];
      return JSON.parse(json) as { compilerOptions: object };
    });
    expect(configs[0]).toEqual(configs[1]);
    const folder = join(scratch.path, 'readme');
    mkdirSync(folder);
    const own = blocks.filter(({ page, mode }) => page === 'docs/get-started.md' && mode === undefined);
    expect(own.length).toBeGreaterThan(4);
    for (const { id, source } of own) writeFileSync(join(folder, `${id}.ts`), source);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configs[0]));
    await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '--rootDir', '.'],
      {
        cwd: folder,
      },
    );
    for (const { id, output } of own)
      expect(await runModule(join(folder, 'dist'), 'run.js', `import './${id}.js';`)).toBe(`${output}\n`);
  },
);

describe('every code block', () => {
  test('of every page is known: none is written in a way that this test does not see', () => {
    expect(blocks.length).toBeGreaterThan(4);
    for (const page of pages) {
      const fences =
        readFileSync(join(ROOT, page), 'utf8').match(/^```(?:ts|typescript|js|javascript|tsx)\b/gm) ?? [];
      const known = [...blocks, ...files].filter((block) => block.page === page);
      expect([page, known.length]).toEqual([page, fences.length]);
    }
  });

  test('that is a file is the file that a test runs', () => {
    expect(files.length).toBeGreaterThan(0);
    for (const { file, source } of files) expect(source).toBe(readFileSync(join(ROOT, file), 'utf8'));
  });

  test('compiles', { timeout: 60_000 }, async () => {
    const files = blocks.map((block) => {
      const name = `${block.id}.mts`;
      writeFileSync(join(scratch.path, name), `${block.source}\nexport {};\n`);
      return name;
    });
    const options = ['--noEmit', '--ignoreConfig', '--strict', '--module', 'NodeNext', '--target', 'ES2023'];
    const lib = ['--lib', 'ES2023,ESNext.Disposable,ESNext.Decorators', '--types', 'node', '--skipLibCheck'];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const run = promisify(execFile)(process.execPath, [compiler, ...options, ...lib, ...files], {
      cwd: scratch.path,
    });
    const printed = await run.then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    expect(printed).toBe('');
  });

  test.each(blocks.filter((block) => block.mode === undefined))(
    'runs and prints what the page says: $page line $line',
    { timeout: 30_000 },
    async (block) => {
      const printed = await runModule(scratch.path, `${block.id}.mjs`, await toJavaScript(block));
      if (block.output !== undefined) expect(printed.trimEnd()).toBe(block.output);
    },
  );

  test.each(blocks.filter((block) => block.mode === 'stdio-server'))(
    'is a server that the official client can call: $page line $line',
    { timeout: 30_000 },
    async (block) => {
      const file = join(scratch.path, `${block.id}.mjs`);
      writeFileSync(file, await toJavaScript(block));
      const client = new Client({ name: 'readme', version: '1.0.0' });
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [file] }));
      try {
        expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['add']);
        const result = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
        expect(result.content).toEqual([{ type: 'text', text: '5' }]);
      } finally {
        await client.close();
      }
    },
  );
});

interface CodeBlock {
  readonly page: string;
  readonly line: number;
  readonly id: string;
  readonly source: string;
  /** The expected output, if the page has it. */
  readonly output: string | undefined;
  /** `<!-- run: … -->` before a block that does not end by itself. */
  readonly mode: string | undefined;
  /** `<!-- target: … -->` before a block that no version of Node can run unchanged; the page mentions it. */
  readonly target: string | undefined;
}

function codeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const pattern =
    /(?:<!-- run: (?<mode>[\w-]+) -->\n)?(?:<!-- target: (?<target>\w+) -->\n)?^```ts\n(?<source>[\s\S]*?)^```$(?:\n\n```text\n(?<output>[\s\S]*?)^```$)?/gm;
  return Array.from(text.matchAll(pattern), (match) => {
    const line = text.slice(0, match.index).split('\n').length;
    const id = `${page.replaceAll(/[^a-z]+/gi, '-')}-${line}`;
    const { mode, target, source = '', output } = match.groups ?? {};
    return { page, line, id, source, output: output?.trimEnd(), mode, target };
  });
}

/** `<!-- file: … -->` before a block that other tools run. */
function codeFiles(page: string): { page: string; file: string; source: string }[] {
  const pattern = /<!-- file: (\S+) -->\n```\w+ file\n([\s\S]*?)^```$/gm;
  return Array.from(
    readFileSync(join(ROOT, page), 'utf8').matchAll(pattern),
    ([, file = '', source = '']) => ({
      page,
      file,
      source,
    }),
  );
}

/** For the target of `tsc --init`, unless the page names another. */
async function toJavaScript({ source, target = 'esnext' }: CodeBlock): Promise<string> {
  const tsconfigRaw = { compilerOptions: { target: target as 'esnext' } };
  return (await transformWithEsbuild(source, 'block.ts', { target, format: 'esm', tsconfigRaw })).code;
}
