import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { ToolError } from '../../errors/errors.ts';
import type { ResourceContent } from '../resource-definition.ts';
import type { Enclosure } from './enclosure.ts';
import { isTextual, typeOfName } from './mime-types.ts';
import { openInside } from './open-inside.ts';
import { readUpTo } from './read-up-to.ts';

/** Options for reading a file. */
export interface ReadOptions {
  readonly maxBytes: number;
  readonly mimeTypes: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The content of a file inside the folder, as text if it is text; `null` if it does not exist or must not be read. */
export async function readInside(
  enclosure: Enclosure,
  path: string,
  { maxBytes, mimeTypes, signal }: ReadOptions,
): Promise<ResourceContent | null> {
  const opened = await openInside(enclosure, path);
  if (opened === undefined) return null;
  const { file } = opened;
  try {
    const bytes = await readUpTo(file, maxBytes, signal);
    if (bytes === undefined) {
      throw new ToolError(`The file is larger than the limit of ${maxBytes} bytes.`);
    }
    return toContents(bytes, typeOfName(basename(path), mimeTypes));
  } finally {
    await file.close();
  }
}

/** Bytes as text if they are text, with a media type. */
export function toContents(
  bytes: Buffer,
  type: string | undefined,
): { readonly mimeType: string } & ({ readonly text: string } | { readonly blob: Buffer }) {
  const isText = (type === undefined || isTextual(type)) && isUtf8(bytes) && !bytes.includes(0);
  if (isText) return { mimeType: type ?? 'text/plain', text: bytes.toString('utf8') };
  return { mimeType: type ?? 'application/octet-stream', blob: bytes };
}
