/**
 * Puts the compiled modules together: a few files instead of hundreds, because finding and opening each file is what a start with few
 * tools spends most of its time on. What two entries share stays one module, so that both see the same classes. Part of the build.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { root } from './steps.mjs';

const dist = join(root, 'dist');
const entries = readdirSync(dist).filter((name) => name.endsWith('.js'));

/**
 * Libraries that a few entries need and most users do not: they are put into the files of those entries, so that nobody installs them for
 * nothing and nobody has to install them by hand. Their licences are put beside them.
 */
const BUNDLED = ['ajv', 'ajv-formats', 'js-yaml'];
const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const { metafile } = await build({
  entryPoints: entries.map((name) => join(dist, name)),
  outdir: join(dist, 'bundle'),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'node20',
  platform: 'neutral',
  // Users read stack traces.
  minify: false,
  mainFields: ['module', 'main'],
  external: ['node:*', 'jiti', ...Object.keys(dependencies).flatMap((name) => [name, `${name}/*`])],
  metafile: true,
  plugins: [{ name: 'without-comments', setup: removeComments }],
  chunkNames: 'shared-[hash]',
  logLevel: 'warning',
});

writeLicences();

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

/** The licence of every package of which something is in the files, with its name and version. */
function writeLicences() {
  const names = new Set(
    Object.keys(metafile.inputs).flatMap((path) => {
      const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
      return name === undefined ? [] : [name];
    }),
  );
  for (const name of BUNDLED) if (!names.has(name)) throw new Error(`${name} should be bundled, and is not.`);
  const texts = [...names].toSorted().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence file.`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  writeFileSync(join(dist, 'bundle', 'third-party-licenses.txt'), texts.join('\n---\n\n'));
}

/** Comments of others have signs that would make the whole file larger in memory; see below for why that matters. */
function removeComments({ onLoad }) {
  onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
    const { code } = await transform(readFileSync(path, 'utf8'), {
      minifyWhitespace: true,
      charset: 'ascii',
      legalComments: 'none',
      loader: 'js',
    });
    return { contents: code, loader: 'js' };
  });
}
