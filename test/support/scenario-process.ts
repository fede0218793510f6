import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createScratchFolder, ROOT } from './dist.ts';

/** The part of esbuild that is used here. It comes with Vite, which Vitest runs on. */
interface Bundler {
  build(options: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const MAIN = `
  import { serveStdio } from '../../src/stdio.ts';
  import { createScenarioServer } from './scenario-server.ts';
  await serveStdio(createScenarioServer()).closed;
`;

let bundled: Promise<string> | undefined;

/** The scenario server as a file that Node 20 can run, made once per test file and removed after it. */
export function bundleScenarioServer(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  const requireHere = createRequire(import.meta.url);
  const esbuild = createRequire(requireHere.resolve('vite'))('esbuild') as Bundler;
  const folder = createScratchFolder();
  removals.push(folder.remove);
  const outfile = join(folder.path, 'scenario-server.mjs');
  await esbuild.build({
    stdin: { contents: MAIN, resolveDir: join(ROOT, 'test/fixtures'), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  });
  return outfile;
}

const removals: (() => void)[] = [];
afterAll(() => {
  for (const remove of removals) remove();
});
