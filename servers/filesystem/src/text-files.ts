import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, rename, rm, stat, writeFile } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;

/** The first lines of a file; the rest is not read. */
export async function readHead(path: string, count: number): Promise<string> {
  let text = '';
  let missing = count;
  for await (const chunk of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    text += chunk;
    missing -= chunk.split('\n').length - 1;
    if (missing <= 0) break;
  }
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(0, Math.max(0, count)).join('\n');
}

/** The last lines of a file, read from its end. */
export async function readTail(path: string, count: number): Promise<string> {
  let { size: position } = await stat(path);
  const file = await open(path);
  try {
    const chunks: Buffer[] = [];
    let missing = count;
    while (position > 0 && missing > 0) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, position));
      position -= chunk.length;
      await file.read(chunk, { position });
      chunks.unshift(chunk);
      missing -= chunk.toString('latin1').split('\n').length - 1;
    }
    const text = toUnixLines(Buffer.concat(chunks).toString('utf8'));
    return text.split('\n').slice(-count).join('\n');
  } finally {
    await file.close();
  }
}

/** Writes a file, but not through a link that appeared after the check of its path: a new file is created, an existing one is replaced. */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await replaceText(path, text);
  }
}

/** Replaces a file in one step; it keeps its permissions. */
export async function replaceText(path: string, text: string): Promise<void> {
  const { mode } = await stat(path);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text);
    await chmod(temporary, mode & 0o777);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

export function toUnixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
