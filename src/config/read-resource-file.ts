import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { CallRefusedError, ToolError } from '../errors/errors.ts';
import { readUpTo } from '../resources/files/read-up-to.ts';

/** Options of {@link readResourceFile}. */
export interface ResourceFileOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Reads the file of a resource. A file that is too large to be sent is not read, to save memory. */
export async function readResourceFile(
  path: string,
  { maxBytes, signal }: ResourceFileOptions,
): Promise<Buffer> {
  // Non-blocking: opening a pipe without a writer would block.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new ToolError('The resource is not a regular file.');
    const bytes = await readUpTo(file, maxBytes, signal);
    if (bytes !== undefined) return bytes;
    throw new CallRefusedError(
      'RESULT_TOO_LARGE',
      `The file is larger than the maximum of ${maxBytes} bytes.`,
    );
  } finally {
    await file.close();
  }
}
