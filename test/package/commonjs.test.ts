import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST, ROOT, runModule } from '../support/dist.ts';

const scratch = createScratchFolder();
beforeAll(() => {
  assertBuilt();
  cpSync(join(ROOT, 'test/fixtures/typescript'), scratch.path, { recursive: true });
  writeFileSync(join(scratch.path, 'package.json'), '{ "type": "commonjs" }');
});
afterAll(scratch.remove);

test('every entry can be required, and its classes are those that are imported', async () => {
  const source = `
const { exports: entries } = require('toolwright/package.json');
(async () => {
  for (const entry of Object.keys(entries).filter((each) => !each.endsWith('.json'))) {
    const name = 'toolwright' + entry.slice(1);
    // Throws if there is a top-level await.
    const required = require(name);
    const imported = await import(name);
    const names = Object.keys(imported);
    console.log(entry, names.length > 0 && names.every((each) => imported[each] === required[each]));
  }
})();`;
  expect((await runModule(scratch.path, 'entries.cjs', source)).trim().split('\n')).toEqual([
    '. true',
    './auth true',
    './collaborators true',
    './config true',
    './fetch true',
    './files true',
    './http true',
    './json-schema true',
    './middleware true',
    './model true',
    './openapi true',
    './redis true',
    './skills true',
    './sqlite true',
    './stdio true',
    './stores true',
    './strategies true',
    './tasks true',
    './testing true',
  ]);
});

/** Compiles a file; returns the output of the compiler. */
async function compile(file: string, options: string): Promise<string> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const common = '--rootDir . --target ES2022 --types node --strict --skipLibCheck --ignoreConfig';
  const args = [compiler, ...common.split(' '), ...options.split(' '), file];
  return promisify(execFile)(process.execPath, args, { cwd: scratch.path }).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

describe('a CommonJS module in TypeScript', () => {
  test('is served, as it is and compiled', async () => {
    const source = `import { createServer } from 'toolwright';
export const tools = [{ name: 'add', description: 'Adds', inputSchema: {}, handler: () => 3 }];
`;
    writeFileSync(
      join(scratch.path, 'server.ts'),
      `${source}export default createServer({ name: 's', version: '1', tools });`,
    );
    writeFileSync(
      join(scratch.path, 'whole.cts'),
      `${source.replace('export ', '')}export = createServer({ name: 's', version: '1', tools });`,
    );
    writeFileSync(
      join(scratch.path, 'config.yaml'),
      'name: demo\ntools: [{ module: ./server.js, export: tools }]\n',
    );
    for (const file of ['server.ts', 'whole.cts']) expect(await compile(file, '--module nodenext')).toBe('');
    for (const file of ['server.ts', 'server.js', 'whole.cts', 'whole.cjs', './config.yaml']) {
      const args = [join(DIST, 'bundle/cli.js'), 'call', file, 'add'];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: scratch.path });
      expect([file, stdout]).toEqual([file, '3\n']);
    }
  }, 60_000);

  test.each(['node20', 'nodenext', 'commonjs --moduleResolution bundler'])(
    'compiles and runs with module %s',
    async (module) => {
      const folder = module.replaceAll(/\W+/g, '-');
      expect(await compile('commonjs.cts', `--module ${module} --outDir ${folder}`)).toBe('');
      const printed = await runModule(scratch.path, `${folder}.cjs`, `require('./${folder}/commonjs.cjs');`);
      expect(printed).toBe('3\ntrue true\n');
    },
    60_000,
  );

  test.each(['node16', 'node18'])(
    'imports by import() with module %s, which describes a Node that cannot require ES modules',
    async (module) => {
      const errors = await compile('commonjs.cts', `--module ${module} --noEmit`);
      expect(errors).toContain('error TS1479: The current file is a CommonJS module');
      expect(await compile('commonjs-node16.cts', `--module ${module} --outDir ${module}`)).toBe('');
      const run = `require('./${module}/commonjs-node16.cjs');`;
      expect(await runModule(scratch.path, `${module}.cjs`, run)).toBe('add 1\n');
    },
    60_000,
  );
});
