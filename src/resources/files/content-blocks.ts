import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefinitionError, ToolError } from '../../errors/errors.ts';
import { assertOptions, NON_EMPTY, required, wholeNumber } from '../../errors/options/rules.ts';
import type { Rule, Rules } from '../../errors/options/rules.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import type { McpContentBlock } from '../../model/mcp-types.ts';
import { typeOfBytes, typeOfName } from './mime-types.ts';
import { toContents } from './read-inside.ts';
import { readUpTo } from './read-up-to.ts';

/** Options of {@link image} and {@link audio}. */
export interface BlockOptions {
  /** Media type. Default: detected from the first bytes, else from the file name. */
  readonly mimeType?: string;
  /** Maximum size in bytes. Default: 3,000,000, which fits into a result in base64. */
  readonly maxBytes?: number;
}

/** Options of {@link file}. */
export interface FileBlockOptions extends BlockOptions {
  /** The URI of the resource in the result, which clients show or read again. It does not reveal the path on disk. */
  readonly uri: string;
}

/** Bytes, or the path of a file. A string is a path: pass text as `Buffer.from(text)`. */
export type BlockSource = Uint8Array | ArrayBuffer | URL | string;

const MEDIA_TYPE: Rule = [
  (value) =>
    typeof value === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[\u0020-\u007E]*)?$/.test(value),
  'a media type, such as image/png',
];
const OPTIONS: Rules<keyof BlockOptions> = { mimeType: MEDIA_TYPE, maxBytes: wholeNumber(1) };
const FILE_OPTIONS: Rules<keyof FileBlockOptions> = { ...OPTIONS, uri: required(NON_EMPTY) };

const MAX_BYTES = 3_000_000;

/**
 * Creates a content block with an image, from bytes or a file.
 *
 * @example
 * return [await image(png), { type: 'text', text: 'Spending by month' }];
 */
export function image(source: BlockSource, options: BlockOptions = {}): Promise<McpContentBlock> {
  return toMedia('image', source, options);
}

/**
 * Creates a content block with audio, from bytes or a file.
 *
 * @example
 * return await audio('bell.wav');
 */
export function audio(source: BlockSource, options: BlockOptions = {}): Promise<McpContentBlock> {
  return toMedia('audio', source, options);
}

/**
 * Creates a content block with an embedded resource, from bytes or a file: as text if it is text, otherwise as a blob.
 *
 * @example
 * return await file(Buffer.from(csv), { uri: 'reports://july.csv' });
 */
export async function file(source: BlockSource, options: FileBlockOptions): Promise<McpContentBlock> {
  assertOptions('file', options, FILE_OPTIONS);
  const { uri, mimeType } = options;
  const { bytes, name } = await read('file', source, options);
  const type = mimeType ?? typeOfName(name || basename(uri), {}) ?? typeOfBytes(bytes);
  const contents = toContents(bytes, type);
  return {
    type: 'resource',
    resource:
      'text' in contents
        ? { uri, ...contents }
        : { uri, ...contents, blob: contents.blob.toString('base64') },
  };
}

async function toMedia(
  kind: 'image' | 'audio',
  source: BlockSource,
  options: BlockOptions,
): Promise<McpContentBlock> {
  assertOptions(kind, options, OPTIONS);
  const { bytes, name } = await read(kind, source, options);
  // Bytes first: file names are often wrong, and models reject data of another type.
  const mimeType = options.mimeType ?? typeOfBytes(bytes) ?? typeOfName(name, {});
  if (mimeType?.startsWith(`${kind}/`) !== true) {
    const found =
      mimeType === undefined
        ? 'the media type cannot be detected from the bytes or the name'
        : `the media type is ${mimeType}`;
    throw new DefinitionError(`${kind}: ${found}. Pass mimeType, such as ${EXAMPLES[kind]}.`, {
      option: 'mimeType',
      expected: EXAMPLES[kind],
    });
  }
  return { type: kind, data: bytes.toString('base64'), mimeType };
}

const EXAMPLES = { image: 'image/png', audio: 'audio/wav' } as const;

const { signal: NEVER } = new AbortController();

const SOURCES = 'a Uint8Array, an ArrayBuffer, or the path or file: URL of a file';
const MAX_SHOWN = 200;

/** Reads the source. Messages contain the file name without its folder. */
async function read(
  kind: string,
  source: BlockSource,
  { maxBytes = MAX_BYTES }: BlockOptions,
): Promise<{ readonly bytes: Buffer; readonly name: string }> {
  const tooLarge = (): ToolError =>
    new ToolError(`The ${kind} is larger than the limit of ${maxBytes} bytes.`);
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) {
    if (source.byteLength > maxBytes) throw tooLarge();
    const { buffer, byteOffset, byteLength } =
      source instanceof ArrayBuffer ? new Uint8Array(source) : source;
    return { bytes: Buffer.from(buffer, byteOffset, byteLength), name: '' };
  }
  const path = source instanceof URL && source.protocol === 'file:' ? fileURLToPath(source) : source;
  if (typeof path !== 'string')
    throw wrongValue(kind, { option: 'source', expected: SOURCES, value: source });
  const name = basename(path);
  const bytes = await readFile(path, maxBytes).catch((cause: unknown) => {
    const shown = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, MAX_SHOWN);
    throw new ToolError(`The file "${shown}" cannot be read.`, { cause });
  });
  if (bytes === undefined) throw tooLarge();
  return { bytes, name };
}

async function readFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  // Non-blocking: opening a pipe without a writer would block.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await handle.stat()).isFile()) throw new Error('It is not a file.');
    return await readUpTo(handle, maxBytes, NEVER);
  } finally {
    await handle.close();
  }
}
