/** Where pages are: in the repository, staged, and on the site. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from '../scripts/docs/pages.mjs';
import { root } from '../scripts/steps.mjs';

export const SITE = join(root, 'site');
/** The pages that VitePress reads. */
export const STAGE = join(SITE, '.generated');
/** The finished site. */
export const OUT = join(SITE, 'dist');

/** The page of the site for a file of the repository. */
export function toPage(file) {
  const name = file
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .toLowerCase();
  const folder = folderOf(file) ?? (file.startsWith('docs/decisions/') ? 'internals/' : '');
  return `${folder}${name}`;
}

/** The entries of package.json that have types: subpath, and name of the file in src/. */
export function readEntries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([subpath, { types }]) => ({
      subpath: subpath.replace('.', 'toolwright'),
      name: types.replace(/^\.\/dist\/(.*)\.d\.ts$/, '$1'),
    }));
}

/** The page of an entry. The overview is `reference/index.md`. */
export function pageOf({ name }) {
  return `reference/${name === 'index' ? 'toolwright' : name}.md`;
}
