import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST, ROOT, runModule } from '../support/dist.ts';

const scratch = createScratchFolder();
beforeAll(() => {
  assertBuilt();
  cpSync(join(ROOT, 'test/fixtures/typescript'), scratch.path, { recursive: true });
});
afterAll(scratch.remove);

const PRINTED = `shout [{"type":"text","text":"{\\"loud\\":\\"HI!\\"}"}]
double [{"type":"text","text":"8"}]
greet [{"type":"text","text":"Hello, Ada!"}]
reverse [{"type":"text","text":"ih"}]
shout [{"type":"text","text":"{\\"loud\\":\\"HI!\\"}"}]
double [{"type":"text","text":"8"}]
greet [{"type":"text","text":"Welcome, Ada!"}]
reverse [{"type":"text","text":"ih"}]
`;

/** Compiles with TypeScript; throws on a compile error. */
function compile(file: string, folder: string, options: string): void {
  const common = `--rootDir . --module NodeNext --types node --strict --skipLibCheck --ignoreConfig --outDir ${folder}`;
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, ...common.split(' '), ...options.split(' '), file], {
    cwd: scratch.path,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

// Vitest compiles decorators with esbuild; many users compile them with other tools, whose output differs.
describe('the same decorated classes do the same', () => {
  test.each([
    '--target ES2022',
    '--target ES2023',
    // Nest and TypeORM need it.
    '--target ES2022 --experimentalDecorators',
    '--target ES2022 --experimentalDecorators --emitDecoratorMetadata --useDefineForClassFields false',
    // The settings of `tsc --init` leave standard decorators unchanged, which no runtime supports yet.
    '--target ESNext --experimentalDecorators',
  ])(
    'compiled by tsc %s',
    async (options) => {
      const folder = options.replaceAll(/[^a-z\d]+/gi, '');
      compile('decorated.ts', folder, options);
      expect(await runModule(scratch.path, `${folder}.mjs`, `import './${folder}/decorated.js';`)).toBe(
        PRINTED,
      );
    },
    60_000,
  );

  test.each([
    ['a target', { target: 'es2022' }],
    ['experimentalDecorators', { tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } }],
  ] as const)('compiled by esbuild with %s', async (name, options) => {
    const outfile = join(scratch.path, name.replace(' ', '-'), 'decorated.mjs');
    buildSync({ entryPoints: [join(scratch.path, 'decorated.ts')], outfile, format: 'esm', ...options });
    expect(await runModule(scratch.path, 'esbuild.mjs', `import ${JSON.stringify(outfile)};`)).toBe(PRINTED);
  });

  test('loaded by the commands', async () => {
    const source = `import { importModule } from ${JSON.stringify(join(DIST, 'config/modules/import-module.js'))};
await importModule(${JSON.stringify(join(scratch.path, 'decorated.ts'))});`;
    expect(await runModule(scratch.path, 'commands.mjs', source)).toBe(PRINTED);
  });
});

test('tools without decorators need no target', async () => {
  const outfile = join(scratch.path, 'undecorated.mjs');
  buildSync({ entryPoints: [join(scratch.path, 'undecorated.ts')], outfile, format: 'esm' });
  expect(await runModule(scratch.path, 'plain.mjs', `import ${JSON.stringify(outfile)};`)).toBe(
    'greet [{"type":"text","text":"Hello, Ada!"}]\ndouble [{"type":"text","text":"8"}]\n',
  );
});

test.each(['', ' --experimentalDecorators'])(
  'a member that does not fit its schemas is an error of the compiler%s',
  (decorators) => {
    mkdirSync(join(scratch.path, 'none'), { recursive: true });
    compile('mistakes.ts', 'none', `--noEmit --target ES2022${decorators}`);
  },
  60_000,
);
