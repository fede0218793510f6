import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isInside, orNothing, resolveInside } from './enclosure.ts';
import type { Enclosure } from './enclosure.ts';

/** Opens a file in the folder; undefined where there is none that may be read. */
export async function openInside(
  enclosure: Enclosure,
  path: string,
): Promise<{ readonly file: FileHandle; readonly stats: Stats } | undefined> {
  const opened = await openAny(enclosure, path, constants.O_RDONLY);
  if (opened === undefined) return undefined;
  const { handle: file } = opened;
  const stats = await orNothing(file.stat());
  if (stats?.isFile() === true) return { file, stats };
  await file.close();
  return undefined;
}

/** Reads a folder in the folder, at the path that is given to `read`; undefined where there is none that may be read. */
export async function readFolderInside<TValue>(
  enclosure: Enclosure,
  path: string,
  read: (folder: string) => Promise<TValue>,
): Promise<TValue | undefined> {
  const opened = await openAny(enclosure, path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  if (opened === undefined) return undefined;
  const { handle, real, own } = opened;
  try {
    const found = await read(own ?? real);
    // What was read by its path must be there still.
    return own !== undefined || (await isAt(real, handle)) ? found : undefined;
  } finally {
    await handle.close();
  }
}

interface Opened {
  readonly handle: FileHandle;
  readonly real: string;
  /** A path that leads to just this, whatever is put in its place meanwhile; undefined where the system has none. */
  readonly own: string | undefined;
}

/**
 * Opens something in the folder. Whoever can write in the folder can put a link in the place of a folder at any time: what a path leads to
 * says nothing about what was opened with it. So what was opened is asked where it is.
 */
async function openAny(enclosure: Enclosure, path: string, flags: number): Promise<Opened | undefined> {
  // Before anything is opened: opening alone has effects on some devices.
  const real = await resolveInside(enclosure, path);
  if (real === undefined) return undefined;
  // Without waiting: a pipe that nobody writes to would be waited for.
  const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await orNothing(open(real, flags | careful));
  if (handle === undefined) return undefined;
  const own = `/proc/self/fd/${handle.fd}`;
  // Not `realpath`, which would look the path up once more.
  const openedPath = process.platform === 'linux' ? await orNothing(readlink(own)) : undefined;
  const isAllowed = openedPath === undefined ? await isAt(real, handle) : isInside(enclosure, openedPath);
  if (isAllowed) return { handle, real, own: openedPath === undefined ? undefined : own };
  await handle.close();
  return undefined;
}

/** So often it must be seen there. */
const LOOKS = 8;

/**
 * Whether what was opened is at this path, without a link on the way: for systems that cannot be asked where it is. Who swaps folder and
 * link just between the halves of a look deceives that look, and hardly all of them in a row.
 */
async function isAt(real: string, handle: FileHandle): Promise<boolean> {
  const opened = await orNothing(handle.stat({ bigint: true }));
  for (let look = 0; look < LOOKS; look += 1) {
    const there = await orNothing(stat(real, { bigint: true }));
    const isSame = there !== undefined && there.ino === opened?.ino && there.dev === opened.dev;
    if (!isSame || (await orNothing(realpath(real))) !== real) return false;
  }
  return true;
}
