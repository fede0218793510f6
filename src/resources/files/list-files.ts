import { readdir } from 'node:fs/promises';
import { isPlainPath, orNothing, resolveInside } from './inside.ts';
import type { Enclosure } from './inside.ts';

/** What stands in one folder, in a fixed order; links are left out, since nobody knows where they lead. */
export async function listFolder(
  enclosure: Enclosure,
  path: string,
): Promise<readonly { readonly path: string; readonly isFolder: boolean }[]> {
  const real = await resolveInside(enclosure, path);
  const entries = real === undefined ? undefined : await orNothing(readdir(real, { withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .filter(({ name }) => isPlainPath(name, enclosure))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, isFolder }) => ({ path: path === '' ? name : `${path}/${name}`, isFolder }));
}

/** The files of a folder and of all in it, as paths; so many at most. */
export async function listFiles(
  enclosure: Enclosure,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const paths: string[] = [];
  const waiting = [''];
  // Folders count too: a tree of empty ones must come to an end as well.
  let seen = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    signal.throwIfAborted();
    const inner: string[] = [];
    for (const entry of await listFolder(enclosure, folder)) {
      seen += 1;
      if (seen > max) return { paths, isCut: true };
      if (entry.isFolder) inner.push(entry.path);
      else paths.push(entry.path);
    }
    waiting.unshift(...inner);
  }
  return { paths, isCut: false };
}
