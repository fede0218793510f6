/**
 * Puts the compiled modules together: a few files instead of hundreds, because finding and opening each file is what a start with few
 * tools spends most of its time on. What two entries share stays one module, so that both see the same classes. Part of the build.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './steps.mjs';

const dist = join(root, 'dist');
const entries = readdirSync(dist).filter((name) => name.endsWith('.js'));

await build({
  entryPoints: entries.map((name) => join(dist, name)),
  outdir: join(dist, 'bundle'),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'node20',
  platform: 'neutral',
  // Users read stack traces.
  minify: false,
  // Dependencies stay dependencies: a fix of theirs needs no release of ours.
  packages: 'external',
  chunkNames: 'shared-[hash]',
  logLevel: 'warning',
});

// One character outside of ASCII, and V8 keeps the whole file with two bytes for each: half a megabyte for every process.
for (const name of readdirSync(join(dist, 'bundle'))) {
  const line = readFileSync(join(dist, 'bundle', name), 'utf8')
    .split('\n')
    .find((text) => !/^[\0-\x7f]*$/.test(text));
  if (line !== undefined)
    throw new Error(
      `${name} is not ASCII; write \\u2026 and the like in regular expressions and comments: ${line.trim()}`,
    );
}

// Editors read a file, not a command.
const { CONFIG_SCHEMA } = await import(pathToFileURL(join(dist, 'bundle', 'config.js')).href);
writeFileSync(join(dist, 'config.schema.json'), `${JSON.stringify(CONFIG_SCHEMA, undefined, 2)}\n`);
