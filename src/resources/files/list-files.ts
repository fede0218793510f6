import { opendir } from 'node:fs/promises';
import { isPlainPath, orNothing } from './enclosure.ts';
import type { Enclosure } from './enclosure.ts';
import { readFolderInside } from './open-inside.ts';

/** Maximum number of entries read per folder: a folder may have millions. */
const MAX_LOOKED_AT = 10_000;

/** The entries of a folder. */
export interface Listed {
  readonly entries: readonly { readonly path: string; readonly isFolder: boolean }[];
  /** Whether the folder has more entries than were read. */
  readonly isCut: boolean;
  /** Whether the folder exists. */
  readonly isFolder: boolean;
}

/** The entries of one folder in a fixed order, without links. */
export async function listFolder(enclosure: Enclosure, path: string, signal: AbortSignal): Promise<Listed> {
  const looked = await orNothing(readFolderInside(enclosure, path, (folder) => lookInto(folder, signal)));
  signal.throwIfAborted();
  const entries = (looked?.found ?? [])
    .filter(({ name }) => isPlainPath(name, enclosure))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, isFolder }) => ({ path: path === '' ? name : `${path}/${name}`, isFolder }));
  return { entries, isCut: looked?.isCut === true, isFolder: looked !== undefined };
}

interface LookedInto {
  readonly found: readonly { readonly name: string; readonly isFolder: boolean }[];
  readonly isCut: boolean;
}

async function lookInto(folder: string, signal: AbortSignal): Promise<LookedInto> {
  const found: { name: string; isFolder: boolean }[] = [];
  let seen = 0;
  // Leaving the loop closes the folder.
  for await (const entry of await opendir(folder, { bufferSize: 512 })) {
    signal.throwIfAborted();
    seen += 1;
    if (seen > MAX_LOOKED_AT) return { found, isCut: true };
    if (entry.isFile() || entry.isDirectory())
      found.push({ name: entry.name, isFolder: entry.isDirectory() });
  }
  return { found, isCut: false };
}

/** The files of a folder and its subfolders as paths, up to a maximum. */
export async function listFiles(
  enclosure: Enclosure,
  { max, signal }: { readonly max: number; readonly signal: AbortSignal },
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const paths: string[] = [];
  const waiting = [''];
  // Folders count too, so that a tree of empty folders also ends.
  let seen = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    signal.throwIfAborted();
    const inner: string[] = [];
    const { entries, isCut } = await listFolder(enclosure, folder, signal);
    for (const entry of entries) {
      seen += 1;
      if (seen > max) return { paths, isCut: true };
      if (entry.isFolder) inner.push(entry.path);
      else paths.push(entry.path);
    }
    if (isCut) return { paths, isCut };
    waiting.unshift(...inner);
  }
  return { paths, isCut: false };
}
