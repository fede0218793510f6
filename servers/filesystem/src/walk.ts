import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { minimatch } from 'minimatch';
import type { FilesContext } from './define.ts';

/** An entry of a directory tree. */
interface TreeEntry {
  readonly name: string;
  readonly type: 'file' | 'directory';
  readonly children?: readonly TreeEntry[];
}

interface Walk extends FilesContext {
  readonly path: string;
  readonly excludePatterns: readonly string[];
}

/** The entries below a directory, without those that a pattern excludes. */
export async function buildTree(walk: Walk, directory: string = walk.path): Promise<TreeEntry[]> {
  const tree: TreeEntry[] = [];
  for (const entry of await readdir(await walk.resolvePath(directory), { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const isExcluded = walk.excludePatterns.some((pattern) => excludes(pattern, relative(walk.path, path)));
    if (isExcluded) continue;
    const { name } = entry;
    tree.push(
      entry.isDirectory()
        ? { name, type: 'directory', children: await buildTree(walk, path) }
        : { name, type: 'file' },
    );
  }
  return tree;
}

/** The paths below a directory that match a pattern. Entries that cannot be resolved or read are skipped. */
export async function findFiles(
  walk: Walk & { readonly pattern: string },
  directory: string = walk.path,
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const name = relative(walk.path, path);
    try {
      await walk.resolvePath(path);
      if (walk.excludePatterns.some((pattern) => matches(name, pattern))) continue;
      if (matches(name, walk.pattern)) found.push(path);
      if (entry.isDirectory()) found.push(...(await findFiles(walk, path)));
    } catch {
      continue;
    }
  }
  return found;
}

/** A pattern without `*` is a name at any depth. */
function excludes(pattern: string, path: string): boolean {
  if (matches(path, pattern)) return true;
  return !pattern.includes('*') && (matches(path, `**/${pattern}`) || matches(path, `**/${pattern}/**`));
}

function matches(path: string, pattern: string): boolean {
  return minimatch(path, pattern, { dot: true });
}
