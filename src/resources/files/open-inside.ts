import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isInside, orNothing, resolveInside } from './enclosure.ts';
import type { Enclosure } from './enclosure.ts';

/** Opens a file inside the folder; undefined if it does not exist or must not be read. */
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

/** Reads a subfolder, at the path that is passed to `read`; undefined if it does not exist or must not be read. */
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
    // The folder that was read by path must still be there.
    return own !== undefined || (await isAt(real, handle)) ? found : undefined;
  } finally {
    await handle.close();
  }
}

interface Opened {
  readonly handle: FileHandle;
  readonly real: string;
  /** A path that always leads to the opened file, even if the original path changes; undefined if the system has none. */
  readonly own: string | undefined;
}

/**
 * Opens a file or folder inside the folder. Anyone with write access can replace a folder by a link at any time, so the path is checked
 * again after opening, on the opened file.
 */
async function openAny(enclosure: Enclosure, path: string, flags: number): Promise<Opened | undefined> {
  // Before opening, because opening has side effects on some devices.
  const real = await resolveInside(enclosure, path);
  if (real === undefined) return undefined;
  // Non-blocking: opening a pipe without a writer would block.
  const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await orNothing(open(real, flags | careful));
  if (handle === undefined) return undefined;
  const own = `/proc/self/fd/${handle.fd}`;
  // Not `realpath`, which would resolve the path again.
  const openedPath = process.platform === 'linux' ? await orNothing(readlink(own)) : undefined;
  const isAllowed = openedPath === undefined ? await isAt(real, handle) : isInside(enclosure, openedPath);
  if (isAllowed) return { handle, real, own: openedPath === undefined ? undefined : own };
  await handle.close();
  return undefined;
}

/** Number of checks that must succeed. */
const LOOKS = 8;

/**
 * Whether the opened file is at this path, without a link on the way; for systems that cannot report the path of an open file. An attacker
 * who swaps folder and link within one check deceives that check, but hardly all of them.
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
