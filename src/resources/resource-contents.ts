import { toBase64 } from '../base/json/base64.ts';
import { isBase64, isPlainObject } from '../format/block-members.ts';
import type { McpReadResourceResult, McpResourceContents } from '../model/mcp-types.ts';
import { toSendable } from '../pipeline/component-reply.ts';
import type { Written } from '../pipeline/component-reply.ts';

/** Defaults for contents. */
export interface ContentDefaults {
  /** The requested URI. */
  readonly uri: string;
  readonly mimeType: string | undefined;
}

/** Converts the value of a content provider to a result of the protocol. */
export function writeContents(
  returned: unknown,
  defaults: ContentDefaults,
  limit: number,
): Written<McpReadResourceResult> {
  const pieces = toPieces(returned);
  let bytes = 0;
  const contents: McpResourceContents[] = [];
  for (const piece of pieces) {
    // Counted before anything is encoded.
    bytes += LEAST_BYTES + (bytesOf(piece)?.byteLength ?? 0);
    if (bytes > limit) return { kind: 'too-large', limit };
    const content = toContent(piece, defaults);
    if (content === undefined) return NO_CONTENT;
    contents.push(content);
  }
  return toSendable({ contents }, limit) as Written<McpReadResourceResult>;
}

/** Size of the member names. */
const LEAST_BYTES = '{"uri":"","mimeType":"","text":""}'.length;

const NO_CONTENT: Written<never> = {
  kind: 'invalid-output',
  reason:
    'a resource returns a string, a Uint8Array, { text }, { blob } in base64, an array of those, or null',
};

function toPieces(returned: unknown): readonly unknown[] {
  const list = isPlainObject(returned) && 'contents' in returned ? returned['contents'] : returned;
  return Array.isArray(list) ? list : [list];
}

function bytesOf(piece: unknown): Uint8Array | undefined {
  if (piece instanceof Uint8Array) return piece;
  const blob: unknown = isPlainObject(piece) ? piece['blob'] : undefined;
  return blob instanceof Uint8Array ? blob : undefined;
}

/** Every member is read once, so that the checked value is the sent one. */
function toContent(piece: unknown, defaults: ContentDefaults): McpResourceContents | undefined {
  if (typeof piece === 'string') return withDefaults({ text: piece }, defaults);
  if (piece instanceof Uint8Array) return withDefaults({ blob: toBase64(piece) }, defaults);
  if (!isPlainObject(piece)) return undefined;
  const { text, blob, uri, mimeType, _meta } = piece;
  const isWorded = isTextOrAbsent(uri) && isTextOrAbsent(mimeType);
  if (!isWorded || (_meta !== undefined && !isPlainObject(_meta))) return undefined;
  const said = {
    ...(uri === undefined ? {} : { uri }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(_meta === undefined ? {} : { _meta }),
  };
  if (typeof text === 'string' && blob === undefined) return withDefaults({ text, ...said }, defaults);
  const encoded = blob instanceof Uint8Array ? toBase64(blob) : blob;
  if (text !== undefined || typeof encoded !== 'string' || !isBase64(encoded)) return undefined;
  return withDefaults({ blob: encoded, ...said }, defaults);
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function withDefaults(
  content: { readonly text: string } | { readonly blob: string },
  { uri, mimeType }: ContentDefaults,
): McpResourceContents {
  const otherwise = 'text' in content ? 'text/plain' : 'application/octet-stream';
  return { uri, mimeType: mimeType ?? otherwise, ...content };
}
