/**
 * Puts the compiled modules together: a few files instead of hundreds, because finding and opening each file is what a start with few
 * tools spends most of its time on. What two entries share stays one module, so that both see the same classes. Part of the build.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './steps.mjs';

const dist = join(root, 'dist');
const bundle = join(dist, 'bundle');
const addressOf = (folder, name) => pathToFileURL(join(folder, name)).href;

// The modules of these entries are all part of the root. As entries of their own they would cut it into twice as many files to open at
// a start, so they are bundled as one, and each becomes a list of its names.
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
  // Users read stack traces.
  minify: false,
  // Names and lines of the sources in stack traces (--enable-source-maps), at a third of the size that the sources would have with them.
  sourcemap: true,
  sourcesContent: false,
  // Dependencies stay dependencies: a fix of theirs needs no release of ours.
  packages: 'external',
  chunkNames: 'shared-[hash]',
  logLevel: 'warning',
});

for (const name of CORE) {
  const names = Object.keys(await import(addressOf(dist, name)));
  writeFileSync(join(bundle, name), `export {\n  ${names.join(',\n  ')},\n} from './core.js';\n`);
}

// One character outside of ASCII, and V8 keeps the whole file with two bytes for each: half a megabyte for every process.
for (const name of readdirSync(bundle).filter((file) => file.endsWith('.js'))) {
  const line = readFileSync(join(bundle, name), 'utf8')
    .split('\n')
    .find((text) => !/^[\0-\x7f]*$/.test(text));
  if (line !== undefined)
    throw new Error(
      `${name} is not ASCII; write \\u2026 and the like in regular expressions and comments: ${line.trim()}`,
    );
}

// Editors read a file, not a command.
const { CONFIG_SCHEMA } = await import(addressOf(bundle, 'config.js'));
writeFileSync(join(dist, 'config.schema.json'), `${JSON.stringify(CONFIG_SCHEMA, undefined, 2)}\n`);
