import { MAX_BINARY_BYTES } from './model/response-options.ts';
import type { ResponseOptions } from './model/response-options.ts';
import type { McpCallToolResult, McpContentBlock } from '../../model/mcp-types.ts';
import { toResult, toText } from './model/result-parts.ts';

/** Bytes and their declared content type. */
export interface BinaryBody {
  readonly kind: 'image' | 'audio' | 'binary';
  readonly type: string;
  readonly bytes: Buffer;
}

/** Reason why bytes are not passed on. */
export const REPEATS_CREDENTIALS = 'it contains credentials of the request';

/** Returns images and audio as such, other bytes as a resource; a text describes them for clients that cannot show them. */
export function readBinary(body: BinaryBody, options: ResponseOptions): McpCallToolResult {
  const { kind, bytes } = body;
  const { uri, structured, maxBinaryBytes = MAX_BINARY_BYTES, hide = (text) => text } = options;
  const type = hide(body.type);
  const described = `${NAMES.get(type) ?? type} of ${count(bytes.length)} bytes`;
  const shape = { structured: structured ? {} : undefined };
  const withheld = (reason: string): McpCallToolResult =>
    toResult([toText(`${described}. It was not passed on: ${reason}.`)], shape);
  if (bytes.length > maxBinaryBytes)
    return withheld(`it is larger than the limit of ${count(maxBinaryBytes)} bytes`);
  if (options.isHiddenIn?.(bytes) === true) return withheld(REPEATS_CREDENTIALS);
  const data = bytes.toString('base64');
  const block: McpContentBlock =
    kind === 'binary'
      ? { type: 'resource', resource: { uri, mimeType: type, blob: data } }
      : { type: kind, data, mimeType: type };
  return toResult([block, toText(`${described}.`)], shape);
}

function count(bytes: number): string {
  return bytes.toLocaleString('en-US');
}

/** Short names of media types. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'PDF'],
  ['application/zip', 'ZIP archive'],
  ['application/gzip', 'gzip archive'],
  ['application/octet-stream', 'Binary data'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Word document'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'Excel workbook'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'PowerPoint presentation'],
]);
