import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
// A development dependency of the repository.
import { build } from '../node_modules/esbuild/lib/main.js';
import { addressOf } from './library.mjs';

/**
 * A registry accepts only builders of its own build: imports of the fixtures from `src/` (all public, except types) are resolved to the
 * entry of the measured build.
 */
const fromBuild = {
  name: 'from-build',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/src\/.+\.ts$/ }, () => ({ path: addressOf('index.ts'), external: true }));
  },
};

/**
 * Loads a module of `test/fixtures/catalog`, which is written in TypeScript.
 *
 * @param {string} name
 */
async function loadFixture(name) {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
  const outfile = join(folder, `${name}.mjs`);
  try {
    await build({
      entryPoints: [fileURLToPath(new URL(`../test/fixtures/catalog/${name}.ts`, import.meta.url))],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
      plugins: [fromBuild],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @type {typeof import('../test/fixtures/catalog/to-builders.ts')} */
export const { toBuilders } = await loadFixture('to-builders');
/** @type {typeof import('../test/fixtures/catalog/questions.ts')} */
export const { QUESTIONS } = await loadFixture('questions');
