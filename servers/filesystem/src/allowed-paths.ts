import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Resolves the path of an argument, or throws: it must be inside an allowed directory, and so must the target of every link. */
export async function resolvePath(requested: string, allowed: readonly string[]): Promise<string> {
  const path = expandHome(requested);
  // As a relative path it would become a file with the name "C:\…" in an allowed directory.
  if (process.platform !== 'win32' && /^[A-Za-z]:(?:[\\/]|$)/.test(path))
    throw new Error(`Access denied - Windows-style path received on a POSIX host: ${requested}`);
  const absolute = isAbsolute(path) ? resolve(path) : resolveRelative(path, allowed);
  if (!isWithin(absolute, allowed))
    throw new Error(
      `Access denied - path outside allowed directories: ${absolute} not in ${allowed.join(', ')}`,
    );
  try {
    return assertTarget(await realpath(absolute), allowed);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    return await resolveMissing(absolute, allowed);
  } catch (error) {
    throw isMissing(error) ? new Error(`Parent directory does not exist: ${dirname(absolute)}`) : error;
  }
}

/** The directories of the command line, each as it was given and with its links resolved. */
export async function findDirectories(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const given = resolve(expandHome(path));
      return [given, await realpath(given).catch(() => given)];
    }),
  );
  const unique = found.flatMap((forms) => [...new Set(forms)]);
  const isUsable = await Promise.all(unique.map(isDirectory));
  return unique.filter((path, index) => {
    if (isUsable[index] !== true) console.error(`Warning: ${path} is not an accessible directory, skipping`);
    return isUsable[index];
  });
}

/** The directories among the roots of a client. */
export async function findRoots(roots: readonly { readonly uri: string }[]): Promise<string[]> {
  const found = await Promise.all(
    roots.map(async ({ uri }) => {
      try {
        const path = await realpath(fileURLToPath(uri));
        return (await isDirectory(path)) ? [path] : [];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

/** A relative path is resolved in the first allowed directory that contains it. */
function resolveRelative(path: string, allowed: readonly string[]): string {
  const candidates = allowed.map((directory) => resolve(directory, path));
  return candidates.find((candidate) => isWithin(candidate, allowed)) ?? candidates[0] ?? resolve(path);
}

/**
 * The path of a file that does not exist. Its parents may be links, and an entry with the same name in another Unicode form is the
 * requested file.
 */
async function resolveMissing(absolute: string, allowed: readonly string[]): Promise<string> {
  const [directory] = allowed
    .filter((each) => isWithin(absolute, [each]))
    .toSorted((left, right) => right.length - left.length);
  if (directory === undefined) return absolute;
  let current = await realpath(directory);
  const parts = relative(directory, absolute).split(sep).filter(Boolean);
  for (const [index, part] of parts.entries()) {
    const entries = await readdir(current);
    const same = entries.includes(part)
      ? [part]
      : entries.filter((entry) => entry.normalize('NFC') === part.normalize('NFC'));
    if (same.length > 1) throw new Error(`Ambiguous Unicode path component: ${part}`);
    if (same[0] === undefined) return join(current, ...parts.slice(index));
    current = assertTarget(await realpath(join(current, same[0])), allowed);
  }
  return current;
}

function assertTarget(target: string, allowed: readonly string[]): string {
  if (isWithin(target, allowed)) return target;
  throw new Error(
    `Access denied - symlink target outside allowed directories: ${target} not in ${allowed.join(', ')}`,
  );
}

function isWithin(path: string, allowed: readonly string[]): boolean {
  if (path.includes('\0')) return false;
  return allowed.some(
    (directory) =>
      path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep),
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
