import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { DIST, ROOT } from '../../support/dist.ts';
import { weaken } from './weaken.ts';
import type { Weakness } from './weaken.ts';

/**
 * The file to start instead of an app: the same app, bundled with the built package without these defences. It is removed with the test. It
 * is one file, because loading each module of the package separately takes longer than most of these tests.
 */
export async function weakenedApp(app: string, weaknesses: readonly Weakness[]): Promise<string> {
  if (weaknesses.length === 0) return app;
  const weakened = new Map<string, string>();
  for (const weakness of weaknesses) {
    const path = join(DIST, weakness.module);
    weakened.set(path, weaken(weakened.get(path) ?? readFileSync(path, 'utf8'), weakness));
  }
  const folder = mkdtempSync(join(ROOT, '.scratch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, basename(app));
  await build({
    entryPoints: [app],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Apps read files in their folder.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(app).href) },
    plugins: [
      {
        name: 'weakened',
        setup: (bundle) => {
          bundle.onResolve({ filter: /^toolwright(?:\/|$)/ }, ({ path }) => ({
            path: join(DIST, `${path.slice('toolwright/'.length) || 'index'}.js`),
          }));
          bundle.onLoad(
            { filter: new RegExp(weaknesses.map(({ module }) => module).join('|')) },
            ({ path }) => {
              const contents = weakened.get(path);
              return contents === undefined ? undefined : { contents };
            },
          );
        },
      },
    ],
  });
  return file;
}
