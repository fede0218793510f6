import { harmless, oneLine } from './terminal.ts';
import type { Paint } from './terminal.ts';

/** A content block as received. It is not validated. */
type Block = Readonly<Record<string, unknown>>;

/** Formats a content block for a terminal: text as it is, everything else as a summary. */
export function formatBlock(block: unknown, paint: Paint): string {
  const { type, text, data, mimeType, uri, resource } = toBlock(block);
  if (type === 'text') return asText(text);
  if (type === 'resource') return formatResource(resource, paint);
  if (type === 'resource_link') return paint.dim(`[link to ${oneLine(uri)}]`);
  return paint.dim(
    `[${oneLine(type) || 'content'} ${oneLine(mimeType)}, ${formatSize(data)}; --json shows it]`,
  );
}

/** Formats the content of a resource for a terminal. */
export function formatResource(content: unknown, paint: Paint): string {
  const { text, blob, mimeType } = toBlock(content);
  if (text !== undefined) return asText(text);
  return paint.dim(`[${oneLine(mimeType) || 'bytes'}, ${formatSize(blob)}; --json shows it]`);
}

function toBlock(value: unknown): Block {
  return typeof value === 'object' && value !== null ? (value as Block) : {};
}

function asText(value: unknown): string {
  return typeof value === 'string' ? harmless(value) : '';
}

/** The size of base64 data after decoding. */
function formatSize(value: unknown): string {
  const base64 = typeof value === 'string' ? value : '';
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const bytes = Math.floor(((base64.length - padding) * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}
