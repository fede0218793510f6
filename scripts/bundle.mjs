/**
 * Bundles the compiled modules into a few files, because resolving and opening hundreds of files dominates the start-up time. Modules that
 * two entries share stay shared, so that both use the same classes. Part of the build.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './steps.mjs';

const dist = join(root, 'dist');
const bundle = join(dist, 'bundle');
const addressOf = (folder, name) => pathToFileURL(join(folder, name)).href;

// The modules of these entries are all part of the root entry. As separate entries they would split it into twice as many files, so they
// are bundled as one, and each entry becomes a file of re-exports.
const CORE = ['collaborators.js', 'index.js', 'stores.js', 'strategies.js'];
const core = join(bundle, 'core.js');
mkdirSync(bundle, { recursive: true });
writeFileSync(core, CORE.map((name) => `export * from '../${name}';\n`).join(''));
const entries = readdirSync(dist).filter((name) => name.endsWith('.js') && !CORE.includes(name));

await build({
  entryPoints: [...entries.map((name) => join(dist, name)), core].map((path) => ({
    in: path,
    out: basename(path, '.js'),
  })),
  outdir: bundle,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'node20',
  platform: 'neutral',
  // Not minified, for readable stack traces.
  minify: false,
  // Source maps without the sources: stack traces have names and lines (--enable-source-maps), at a third of the size.
  sourcemap: true,
  sourcesContent: false,
  // Dependencies are not bundled, so that their fixes do not need a release.
  packages: 'external',
  chunkNames: 'shared-[hash]',
  logLevel: 'warning',
});

for (const name of CORE) {
  const names = Object.keys(await import(addressOf(dist, name)));
  writeFileSync(join(bundle, name), `export {\n  ${names.join(',\n  ')},\n} from './core.js';\n`);
}

// With one character outside ASCII, V8 stores the whole file with two bytes per character: half a megabyte for every process.
for (const name of readdirSync(bundle).filter((file) => file.endsWith('.js'))) {
  const line = readFileSync(join(bundle, name), 'utf8')
    .split('\n')
    .find((text) => !/^[\0-\x7f]*$/.test(text));
  if (line !== undefined)
    throw new Error(
      `${name} is not ASCII; write \\u2026 and the like in regular expressions and comments: ${line.trim()}`,
    );
}

// Written as a file, for editors.
const { CONFIG_SCHEMA } = await import(addressOf(bundle, 'config.js'));
writeFileSync(join(dist, 'config.schema.json'), `${JSON.stringify(CONFIG_SCHEMA, undefined, 2)}\n`);
