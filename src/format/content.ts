import type { McpCallToolResult, McpContentBlock } from '../model/mcp-types.ts';

const hasText = (value: unknown, ...keys: readonly string[]): boolean =>
  keys.every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

const BLOCK_CHECKS: ReadonlyMap<unknown, (block: object) => boolean> = new Map([
  ['text', (block: object) => hasText(block, 'text')],
  ['image', (block: object) => hasText(block, 'data', 'mimeType')],
  ['audio', (block: object) => hasText(block, 'data', 'mimeType')],
  ['resource_link', (block: object) => hasText(block, 'uri', 'name')],
  ['resource', (block: object) => isResourceContents((block as { resource?: unknown }).resource)],
]);

function isResourceContents(resource: unknown): boolean {
  if (typeof resource !== 'object' || resource === null) return false;
  return hasText(resource, 'uri', 'text') || hasText(resource, 'uri', 'blob');
}

/** Whether a value is one block of content, complete enough for every client. */
export function isContentBlock(value: unknown): value is McpContentBlock {
  if (typeof value !== 'object' || value === null) return false;
  return BLOCK_CHECKS.get((value as { type?: unknown }).type)?.(value) ?? false;
}

/** Whether a value is a non-empty list of content blocks. */
export function isContentList(value: unknown): value is McpContentBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every(isContentBlock);
}

const RESULT_KEYS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** Whether a value is a whole result as the protocol knows it, and not data that happens to have a `content` member. */
export function isCallToolResult(value: unknown): value is McpCallToolResult {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'content')) return false;
  const { content } = value as { content?: unknown };
  return (
    Array.isArray(content) &&
    content.every(isContentBlock) &&
    Object.keys(value).every((key) => RESULT_KEYS.has(key))
  );
}
