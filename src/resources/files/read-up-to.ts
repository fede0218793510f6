import type { FileHandle } from 'node:fs/promises';

const CHUNK = 65_536;

/** The content of an open file; undefined if it is larger. Its reported size is not trusted: it may grow, or be a device. */
export async function readUpTo(
  file: FileHandle,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if ((await file.stat()).size > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  for (let size = 0; size <= maxBytes;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
  return undefined;
}
