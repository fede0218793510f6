import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { CallRefusedError, ToolError } from '../errors/errors.ts';
import { readUpTo } from '../resources/files/read-up-to.ts';

/** How a file is read. */
export interface ResourceFileOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The bytes of a file that a resource names. One that is too large to be sent is not read: several readers would hold it several times. */
export async function readResourceFile(
  path: string,
  { maxBytes, signal }: ResourceFileOptions,
): Promise<Buffer> {
  // Without waiting: a pipe that nobody writes to would be waited for.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new ToolError('The resource is not a regular file.');
    const bytes = await readUpTo(file, maxBytes, signal);
    if (bytes !== undefined) return bytes;
    throw new CallRefusedError(
      'RESULT_TOO_LARGE',
      `The file is larger than ${maxBytes} bytes, which is the most that is read.`,
    );
  } finally {
    await file.close();
  }
}
