import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder and version of this package, from the sources and from the bundle. */
export const OWN_PACKAGE: { readonly folder: string; readonly version: string } = findOwnPackage();

export const VERSION: string = OWN_PACKAGE.version;

function findOwnPackage(): typeof OWN_PACKAGE {
  for (const path of ['../package.json', '../../package.json', '../../../package.json']) {
    const url = new URL(path, import.meta.url);
    try {
      const { name, version } = JSON.parse(readFileSync(url, 'utf8')) as Record<string, string>;
      if (name === 'toolwright' && version !== undefined)
        return { folder: dirname(fileURLToPath(url)), version };
    } catch {
      // Not found: try the parent folder.
    }
  }
  return { folder: '', version: '0.0.0' };
}
