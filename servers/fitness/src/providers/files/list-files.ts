import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { UnreadableFileError } from './formats/recording.ts';

/** A file of the folder. */
export interface FoundFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** Changes when the file changes. */
  readonly stamp: string;
}

/** A file that is not read, with the reason. */
export interface FileProblem {
  readonly file: string;
  readonly reason: string;
}

export const FILE_LIMITS = { files: 2000, bytes: 16_777_216, depth: 4 } as const;
const EXTENSIONS = new Set(['.gpx', '.tcx', '.fit']);

/** Regular GPX, TCX and FIT files inside a folder, by name. Links are followed only inside the folder. */
export async function listFiles(root: string, problems: FileProblem[]): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (depth === 0) throw error;
      problems.push({ file: nameOf(root, folder), reason: reasonOf(error) });
      return [];
    });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) {
        if (depth < FILE_LIMITS.depth) await visit(path, depth + 1);
        else
          problems.push({
            file: nameOf(root, path),
            reason: `it is more than ${FILE_LIMITS.depth} folders deep`,
          });
        continue;
      }
      if (!EXTENSIONS.has(extname(entry.name).toLowerCase())) continue;
      const file = await findFile(root, path, problems);
      if (file === undefined) continue;
      if (found.length >= FILE_LIMITS.files) {
        problems.push({ file: file.name, reason: `the folder has more than ${FILE_LIMITS.files} files` });
        return;
      }
      found.push(file);
    }
  };
  await visit(root, 0);
  return found;
}

async function findFile(root: string, path: string, problems: FileProblem[]): Promise<FoundFile | undefined> {
  const name = nameOf(root, path);
  const refuse = (reason: string): undefined => void problems.push({ file: name, reason });
  try {
    const real = await realpath(path);
    if (!real.startsWith(root + sep)) return refuse('it is a link that leads out of the folder');
    const stats = await stat(real);
    if (!stats.isFile()) return refuse('it is not a regular file');
    const { size } = stats;
    if (size > FILE_LIMITS.bytes) return refuse(`it has ${size} bytes; the limit is ${FILE_LIMITS.bytes}`);
    return { name, path: real, size, stamp: stampOf(stats) };
  } catch (error) {
    return refuse(reasonOf(error));
  }
}

/** Neither a link nor a pipe that has taken the place of a file since it was found; Windows has no such flags. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The content of a file as it was found. Throws if the file has changed since, or changes in the meantime. */
export async function readFound({ path, size, stamp }: FoundFile): Promise<Buffer> {
  const handle = await open(path, FLAGS);
  try {
    const content = await readBytes(handle, size);
    if (stampOf(await handle.stat()) !== stamp)
      throw new UnreadableFileError('it has changed while it was read');
    return content;
  } finally {
    await handle.close();
  }
}

async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(buffer, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function stampOf({ dev, ino, size, mtimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs].join(':');
}

/** The reason without paths of the machine. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFileError) return error.message;
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'an error';
  return `it cannot be read (${code})`;
}

function nameOf(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
