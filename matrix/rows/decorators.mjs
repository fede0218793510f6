import assert from 'node:assert/strict';
import { inProject } from '../execute.mjs';
import {
  BUN,
  DENO,
  ESBUILD,
  ESBUILD_ES2022,
  NODE_22,
  NODE_24,
  TSX,
  TYPESCRIPT,
  VITE_7,
  VITE_8,
} from './toolchains.mjs';

const PRINTED = ['[{"type":"text","text":"Hello, Ada!"}]', '[{"type":"text","text":"8"}]'];
const NOT_COMPILED = 'SyntaxError: Invalid or unexpected token';

/** The settings of tsconfig.json for each form of decorators. */
const FORMS = { standard: {}, experimentalDecorators: { experimentalDecorators: true } };

/** The target in tsconfig.json. The rows of TypeScript name it, because `tsc` leaves standard decorators in with `esnext`. */
const TARGET = 'es2022';

/** One row: the forms of decorators that work, and the error of those that do not. */
const decorators = (toolchain, errors = {}) => ({
  ...toolchain,
  result: Object.keys(errors).length === 0 ? 'passed' : 'as documented',
  run: async () => {
    const outcomes = [];
    for (const [form, settings] of Object.entries(FORMS)) {
      const compilerOptions = { module: 'nodenext', target: TARGET, strict: true, types: [], ...settings };
      const file = 'decorated.ts';
      const { code, all } = await inProject({ file, folder: toolchain.folder, compilerOptions }, (cwd) =>
        toolchain.execute(cwd, file),
      );
      const error = errors[form];
      assert.equal(code === 0, error === undefined, all);
      for (const text of error === undefined ? PRINTED : [error]) assert.ok(all.includes(text), all);
      outcomes.push(`${form}: ${error === undefined ? 'work' : `\`${error}\``}`);
    }
    const target = TYPESCRIPT.includes(toolchain) ? [`target ${TARGET}`] : [];
    return { checked: [...target, ...outcomes].join('; ') };
  },
});

/** Node has no decorators yet, and these leave standard ones as they are. */
const EXPERIMENTAL_ALONE = { standard: NOT_COMPILED };

/** These remove types and compile nothing. */
const NONE = { standard: NOT_COMPILED, experimentalDecorators: NOT_COMPILED };

export const DECORATORS = [
  ...[...TYPESCRIPT, TSX, BUN, DENO, ESBUILD_ES2022, VITE_7].map((toolchain) => decorators(toolchain)),
  ...[ESBUILD, VITE_8].map((toolchain) => decorators(toolchain, EXPERIMENTAL_ALONE)),
  ...[NODE_22, NODE_24].map((toolchain) => decorators(toolchain, NONE)),
];
