import type { FileHandle } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readUpTo } from '../../../src/resources/files/read-up-to.ts';

/** A file with the size 0 that returns so many bytes. */
function growing(bytes: number): { readonly file: FileHandle; readonly reads: () => number } {
  let left = bytes;
  let reads = 0;
  const file = {
    stat: () => Promise.resolve({ size: 0 }),
    read: (buffer: Buffer, _offset: number, length: number) => {
      reads += 1;
      const bytesRead = Math.min(left, length);
      left -= bytesRead;
      return Promise.resolve({ bytesRead, buffer: buffer.fill(1) });
    },
  } as unknown as FileHandle;
  return { file, reads: () => reads };
}

const { signal } = new AbortController();

test('of a file that grows while it is read, no more than the limit is kept', async () => {
  const { file, reads } = growing(Number.MAX_SAFE_INTEGER);
  expect(await readUpTo(file, 1_000_000, signal)).toBeUndefined();
  expect(reads()).toBe(16);
});

test('a file of exactly the limit is read', async () => {
  expect((await readUpTo(growing(1_000_000).file, 1_000_000, signal))?.length).toBe(1_000_000);
  expect(await readUpTo(growing(1_000_001).file, 1_000_000, signal)).toBeUndefined();
});

test('reading stops with its call', async () => {
  await expect(readUpTo(growing(10).file, 10, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
