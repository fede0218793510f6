import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
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

/** What a link leads to is held against the same rules as what was asked for. */
function isInside(enclosure: Enclosure, real: string): boolean {
  const rest = relative(enclosure.root, real);
  if (rest === '') return true;
  if (rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest)) return false;
  return isPlainPath(rest.split(sep).join('/'), enclosure);
}

/**
 * Opens a file in the folder; undefined where there is none that may be read. Nothing may be put in its place between the look and the
 * opening, so it is looked at again: what was opened must still be what stands at that path.
 */
export async function openInside(
  enclosure: Enclosure,
  path: string,
): Promise<{ readonly file: FileHandle; readonly stats: Stats } | undefined> {
  const real = path === '' ? undefined : await resolveInside(enclosure, path);
  if (real === undefined) return undefined;
  // Without waiting: a pipe that nobody writes to would be waited for.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await orNothing(open(real, flags));
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    const [again, there] = await Promise.all([orNothing(realpath(real)), orNothing(stat(real))]);
    const isSame = again === real && there?.ino === stats.ino && there.dev === stats.dev;
    if (stats.isFile() && isSame) return { file, stats };
  } catch {
    // It is gone already.
  }
  await file.close();
  return undefined;
}

/** What cannot be reached is not there, whatever the reason: which one it is could tell too much. */
export async function orNothing<TValue>(found: Promise<TValue>): Promise<TValue | undefined> {
  try {
    return await found;
  } catch {
    return undefined;
  }
}
