import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inject } from 'vitest';
import { ROOT } from './dist.ts';

/** The used part of esbuild. */
interface Bundler {
  build(options: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const MAIN = `
  import { serveStdio } from '../../src/stdio.ts';
  import { createScenarioServer } from './scenario-server.ts';
  await serveStdio(createScenarioServer()).closed;
`;

const EXPORTED = `
  import { createScenarioServer } from './scenario-server.ts';
  export default createScenarioServer();
`;

/** Files that Node 20 can run. */
export interface ScenarioFiles {
  /** Serves itself over stdio. */
  readonly scenario: string;
  /** Exports the server. */
  readonly server: string;
  /** The command line. */
  readonly cli: string;
}

let bundled: Promise<ScenarioFiles> | undefined;

/** The scenario server, built once per process, which may run several test files, and removed after the run. */
export function bundleScenarioServer(): Promise<ScenarioFiles> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<ScenarioFiles> {
  const requireHere = createRequire(import.meta.url);
  const esbuild = createRequire(requireHere.resolve('vite'))('esbuild') as Bundler;
  const folder = mkdtempSync(join(inject('scratchOfRun'), 'scenario-'));
  const inFixtures = join(ROOT, 'test/fixtures');
  const entries = {
    scenario: join(inFixtures, '.scenario-main.ts'),
    server: join(inFixtures, '.scenario-exported.ts'),
  };
  await esbuild.build({
    entryPoints: {
      ...entries,
      cli: join(ROOT, 'src/cli.ts'),
      'dev-worker': join(ROOT, 'src/dev-worker.ts'),
    },
    plugins: [virtual({ [entries.scenario]: MAIN, [entries.server]: EXPORTED })],
    outdir: folder,
    bundle: true,
    // Shared code stays one module, so that all entries have the same classes.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  });
  return {
    scenario: join(folder, 'scenario.js'),
    server: join(folder, 'server.js'),
    cli: join(folder, 'cli.js'),
  };
}

interface PluginBuild {
  onResolve(options: { filter: RegExp }, callback: (given: { path: string }) => object | undefined): void;
  onLoad(options: { filter: RegExp }, callback: (given: { path: string }) => object | undefined): void;
}

/** Modules that are not files. */
function virtual(modules: Readonly<Record<string, string>>): object {
  return {
    name: 'virtual',
    setup: (build: PluginBuild) => {
      build.onResolve({ filter: /\.scenario-/ }, ({ path }) =>
        Object.hasOwn(modules, path) ? { path } : undefined,
      );
      build.onLoad({ filter: /\.scenario-/ }, ({ path }) => ({
        contents: modules[path],
        loader: 'ts',
        resolveDir: join(ROOT, 'test/fixtures'),
      }));
    },
  };
}
