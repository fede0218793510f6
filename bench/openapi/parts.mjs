/** The cases, values and judges of `test/openapi`, which are written in TypeScript. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from '../../node_modules/esbuild/lib/main.js';

const tests = fileURLToPath(new URL('../../test/openapi', import.meta.url));
const MODULES = [
  'cases/all-cases',
  'support/alternative-arguments',
  'support/case-arguments',
  'support/decode-parameter',
  'support/generate-arguments',
  'support/generate-value',
  'support/judge-case',
  'support/judge-request',
  'support/read-document',
  'support/recording-server',
  'support/request-case',
];

async function load() {
  // Inside of the repository, so that packages can be resolved.
  const folder = mkdtempSync(fileURLToPath(new URL('../../.scratch-', import.meta.url)));
  const outfile = join(folder, 'parts.mjs');
  try {
    await build({
      stdin: {
        contents: MODULES.map((name) => `export * from './${name}.ts';`).join('\n'),
        resolveDir: tests,
      },
      outfile,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const parts = await load();
