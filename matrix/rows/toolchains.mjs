/** What compiles, bundles or runs TypeScript. `execute(cwd, file)` runs a program of `apps/` in a project, with the settings of its tsconfig.json. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, inMatrix, NODES, run } from '../execute.mjs';

const node = process.execPath;
const bin = (name) => inMatrix('node_modules/.bin', name);

/** Up to 5.8, `tsc --init` means CommonJS. */
const typescript = (version, initialType) => ({
  name: `TypeScript ${version}`,
  folder: '.',
  initialType,
  of: `typescript-${version}`,
  tsc: [node, inMatrix('node_modules', `typescript-${version}`, 'bin/tsc')],
  async execute(cwd, file) {
    await run([...this.tsc, '-p', '.'], { cwd });
    return execute([node, file.replace(/ts$/, 'js')], { cwd });
  },
});

export const TYPESCRIPT = [
  ...['5.4', '5.5', '5.6', '5.7', '5.8'].map((version) => typescript(version, 'commonjs')),
  ...['5.9', '6.0', '7.0'].map((version) => typescript(version, 'module')),
];

const runner = (name, { folder = '.', command, ...row }) => ({
  name,
  folder,
  ...row,
  execute: (cwd, file) => execute([...command, file], { cwd }),
});

const under = 'itself';

/** Programs that run a file in TypeScript as it is. */
export const TSX = runner('tsx', { of: 'tsx', command: [bin('tsx')] });
export const BUN = runner('Bun', { of: 'bun', under, command: [bin('bun')] });
export const DENO = runner('Deno', { of: 'deno', under, command: [bin('deno'), 'run', '--no-lock'] });
export const NODE_22 = runner('Node 22', { folder: 'node22', of: 'node', under, command: [NODES.node22] });
export const NODE_24 = runner('Node 24', { folder: 'node24', of: 'node', under, command: [NODES.node24] });

const esbuild = (name, options) => ({
  name,
  folder: '.',
  of: 'esbuild',
  async execute(cwd, file) {
    const bundle = ['--bundle', '--format=esm', '--platform=node', '--outfile=bundle.mjs', ...options];
    await run([bin('esbuild'), ...bundle, file], { cwd });
    return execute([node, 'bundle.mjs'], { cwd });
  },
});

export const ESBUILD = esbuild('esbuild', []);
export const ESBUILD_ES2022 = esbuild('esbuild, target es2022', ['--target=es2022']);

const vite = (name, folder) => ({
  name,
  folder,
  of: 'vite',
  execute(cwd, file) {
    writeFileSync(
      join(cwd, 'program.test.ts'),
      `import { test } from 'vitest';\ntest('runs', async () => (await import('./${file}')).done);\n`,
    );
    return execute([NODES[folder], inMatrix(folder, 'node_modules/vitest/vitest.mjs'), 'run'], { cwd });
  },
});

export const VITE_7 = vite('Vite 7', '.');
export const VITE_8 = vite('Vite 8', 'node22');
