import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/** A folder that nothing may lead out of. */
export interface Enclosure {
  /** Its real path. */
  readonly root: string;
  /** Whether what begins with a dot may be seen. */
  readonly showsHidden: boolean;
}

/** What an operating system would make something else of than a name. */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const NO_NAME = process.platform === 'win32' ? /[\\:*?"<>|\u0000-\u001F]|[. ]$/ : /[\\\0]/;

/** Whether a path names something below the folder, as far as its text can tell. */
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

/** The real path of something in the folder; undefined where there is nothing, or where it leads out. The empty path is the folder. */
export async function resolveInside(enclosure: Enclosure, path: string): Promise<string | undefined> {
  if (path !== '' && !isPlainPath(path, enclosure)) return undefined;
  const real = await orNothing(realpath(join(enclosure.root, ...path.split('/'))));
  return real !== undefined && isInside(enclosure, real) ? real : undefined;
}

/**
 * The same for something that need not exist yet. From the root on, so that it ends with the first name that is missing, however many
 * follow; each link on the way must stay inside.
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
      // A link to nothing is there: writing to it would create its target, wherever that is.
      if (!isMissing || (await orNothing(lstat(place))) !== undefined) return undefined;
      return join(place, ...names.slice(index + 1));
    }
    if (!isInside(enclosure, real)) return undefined;
  }
  return real;
}

/** What a link leads to is held against the same rules as what was asked for. */
export function isInside(enclosure: Enclosure, real: string): boolean {
  const rest = relative(enclosure.root, real);
  if (rest === '') return true;
  if (rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest)) return false;
  return isPlainPath(rest.split(sep).join('/'), enclosure);
}

/** What cannot be reached is not there, whatever the reason: which one it is could tell too much. */
export async function orNothing<TValue>(found: Promise<TValue>): Promise<TValue | undefined> {
  try {
    return await found;
  } catch {
    return undefined;
  }
}
