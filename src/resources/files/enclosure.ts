import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/** A folder that no path may lead out of. */
export interface Enclosure {
  /** Its real path. */
  readonly root: string;
  /** Whether names with a leading dot are visible. */
  readonly showsHidden: boolean;
}

/** Characters that an operating system would not treat as part of a name. */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const NO_NAME = process.platform === 'win32' ? /[\\:*?"<>|\u0000-\u001F]|[. ]$/ : /[\\\0]/;

/** Whether a path is inside the folder, judged by its text. */
export function isPlainPath(path: string, { showsHidden }: Pick<Enclosure, 'showsHidden'>): boolean {
  return path
    .split('/')
    .every(
      (name) =>
        name !== '' &&
        name !== '.' &&
        name !== '..' &&
        !NO_NAME.test(name) &&
        (showsHidden || !name.startsWith('.')),
    );
}

/** The real path of a file or folder inside the folder; undefined if it does not exist or leads out. The empty path is the folder. */
export async function resolveInside(enclosure: Enclosure, path: string): Promise<string | undefined> {
  if (path !== '' && !isPlainPath(path, enclosure)) return undefined;
  const real = await orNothing(realpath(join(enclosure.root, ...path.split('/'))));
  return real !== undefined && isInside(enclosure, real) ? real : undefined;
}

/**
 * The same for a path that need not exist. Resolved from the root, so that it stops at the first missing name; each link on the way must
 * stay inside.
 */
export async function locateInside(enclosure: Enclosure, path: string): Promise<string | undefined> {
  if (path !== '' && !isPlainPath(path, enclosure)) return undefined;
  const names = path === '' ? [] : path.split('/');
  let { root: real } = enclosure;
  for (const [index, name] of names.entries()) {
    const place = join(real, name);
    try {
      real = await realpath(place);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      // A dangling link exists: writing to it would create its target, possibly outside.
      if (!isMissing || (await orNothing(lstat(place))) !== undefined) return undefined;
      return join(place, ...names.slice(index + 1));
    }
    if (!isInside(enclosure, real)) return undefined;
  }
  return real;
}

/** Whether a resolved path obeys the same rules as the requested one. */
export function isInside(enclosure: Enclosure, real: string): boolean {
  const rest = relative(enclosure.root, real);
  if (rest === '') return true;
  if (rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest)) return false;
  return isPlainPath(rest.split(sep).join('/'), enclosure);
}

/** An unreachable file counts as missing; the reason could reveal too much. */
export async function orNothing<TValue>(found: Promise<TValue>): Promise<TValue | undefined> {
  try {
    return await found;
  } catch {
    return undefined;
  }
}
