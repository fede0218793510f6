import { open, readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { UnreadableFileError } from './formats/recording.ts';

/** A file of the folder. */
export interface FoundFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
  readonly path: string;
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
    const entries = await readdir(folder, { withFileTypes: true });
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
    const { size, mtimeMs, ino, dev } = await stat(real).then((stats) => {
      if (!stats.isFile()) throw new UnreadableFileError('it is not a regular file');
      return stats;
    });
    if (size > FILE_LIMITS.bytes) return refuse(`it has ${size} bytes; the limit is ${FILE_LIMITS.bytes}`);
    return { name, path: real, stamp: [dev, ino, size, mtimeMs].join(':') };
  } catch (error) {
    return refuse(reasonOf(error));
  }
}

/** The content of a file, at most `FILE_LIMITS.bytes`, even if it grows in the meantime. */
export async function readBounded(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > FILE_LIMITS.bytes)
      throw new UnreadableFileError(`it has more than ${FILE_LIMITS.bytes} bytes`);
    const buffer = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await handle.read(buffer, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
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
