import { harmless } from './terminal.ts';
import type { Paint } from './terminal.ts';

type Block = Readonly<Record<string, unknown>>;

/** A block of content for a person: text as it is, all else by what it is. */
export function formatBlock(block: Block, paint: Paint): string {
  const { type, text, data, mimeType, uri, resource } = block as {
    type?: string;
    text?: string;
    data?: string;
    mimeType?: string;
    uri?: string;
    resource?: Block;
  };
  if (type === 'text') return harmless(text ?? '');
  if (type === 'resource') return formatResource(resource ?? {}, paint);
  if (type === 'resource_link') return paint.dim(`[link to ${harmless(uri ?? '')}]`);
  return paint.dim(`[${type ?? 'content'} ${mimeType ?? ''}, ${formatSize(data ?? '')}; --json shows it]`);
}

/** What was read, for a person. */
export function formatResource(content: Block, paint: Paint): string {
  const { text, blob, mimeType } = content as { text?: string; blob?: string; mimeType?: string };
  if (text !== undefined) return harmless(text);
  return paint.dim(`[${mimeType ?? 'bytes'}, ${formatSize(blob ?? '')}; --json shows it]`);
}

/** The size of base64. */
function formatSize(base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const bytes = Math.floor(((base64.length - padding) * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}
