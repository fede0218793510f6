import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { execute, inMatrix, inProject, run } from '../execute.mjs';
import { BUN, DENO, ESBUILD, NODE_22, NODE_24, TSX, TYPESCRIPT, VITE_7, VITE_8 } from './toolchains.mjs';

const PRINTED = '5 number 4 true\n';
const node = process.execPath;

const INITIAL = {
  commonjs: 'settings of `tsc --init`: CommonJS, `moduleResolution: node10`',
  module: 'settings of `tsc --init`: ESM, `module: nodenext`',
};

/** Runs the program, and looks for what it prints among what is printed. */
async function runProgram(toolchain, project) {
  await inProject({ file: 'program.ts', folder: toolchain.folder, ...project }, async (cwd) => {
    const { code, all } = await toolchain.execute(cwd, 'program.ts');
    assert.equal(code, 0, all);
    assert.ok(all.includes(PRINTED), all);
  });
}

/**
 * The program is checked and compiled with the settings that `tsc --init` of this version writes, then with `strict` and the declarations of all
 * packages checked; then it runs. Up to 5.8 `tsc --init` means CommonJS: the program loads an ES module with `require`.
 */
const compiler = (toolchain) => ({
  ...toolchain,
  run: async () => {
    await inProject({ file: 'program.ts', type: toolchain.initialType }, async (cwd) => {
      rmSync(join(cwd, 'tsconfig.json'));
      await run([...toolchain.tsc, '--init'], { cwd });
      const { all } = await toolchain.execute(cwd, 'program.ts');
      assert.equal(all, PRINTED);
    });
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, types: [] };
    await runProgram(toolchain, { compilerOptions });
    return { checked: `${INITIAL[toolchain.initialType]}; \`strict\`, without \`skipLibCheck\`` };
  },
});

const program = (toolchain, checked) => ({
  ...toolchain,
  run: async () => {
    await runProgram(toolchain, {});
    return { checked };
  },
});

const jest = {
  name: 'Jest',
  folder: '.',
  of: 'jest',
  run: async () => {
    const command = [node, '--experimental-vm-modules', inMatrix('node_modules/jest/bin/jest.js')];
    await inProject({ file: 'jest.test.js' }, async (cwd) => {
      const { all } = await execute(command, { cwd });
      assert.ok(all.includes('1 passed, 1 total'), all);
    });
    return { checked: 'a test in JavaScript, with `--experimental-vm-modules`' };
  },
};

export const COMPILERS = [
  ...TYPESCRIPT.map(compiler),
  ...[TSX, BUN, DENO, NODE_22, NODE_24].map((runner) => program(runner, 'runs a program in TypeScript')),
  program(ESBUILD, 'bundles a program, which runs'),
  ...[VITE_7, VITE_8].map((vite) => program(vite, 'a test in Vitest')),
  jest,
];
