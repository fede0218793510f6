/**
 * Deletes the declarations that no entry of the package reaches: two thirds of the files, which users would install without using them. Part
 * of the build.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from './steps.mjs';

const dist = join(root, 'dist');
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const reached = new Set();

// Declarations name their modules in `from '…'` and `import('…')`.
const SPECIFIER = /(?:from|import) ?\(?'(?<path>\.{1,2}\/[^']+)\.ts'/g;

function reach(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const { groups } of readFileSync(file, 'utf8').matchAll(SPECIFIER))
    reach(resolve(dirname(file), `${groups.path}.d.ts`));
}

for (const { types } of Object.values(entries)) if (types !== undefined) reach(join(root, types));
for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, name);
  if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
