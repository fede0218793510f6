import { readFileSync } from 'node:fs';

/** The version of the package, wherever this file is put by the build. */
export const VERSION: string = readVersion();

function readVersion(): string {
  for (const path of ['../package.json', '../../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Record<
        string,
        string
      >;
      if (name === 'toolwright' && version !== undefined) return version;
    } catch {
      // Not there: one further up.
    }
  }
  return '0.0.0';
}
