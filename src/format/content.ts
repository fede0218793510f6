import type { McpCallToolResult, McpContentBlock } from '../model/mcp-types.ts';

interface BlockShape {
  /** The members a block of this type has to have, as text. */
  readonly texts: readonly string[];
  /** All that it may have. */
  readonly keys: ReadonlySet<string>;
}

function shape(texts: readonly string[], ...others: readonly string[]): BlockShape {
  return { texts, keys: new Set(['type', 'annotations', '_meta', ...texts, ...others]) };
}

const SHAPES: ReadonlyMap<unknown, BlockShape> = new Map([
  ['text', shape(['text'])],
  ['image', shape(['data', 'mimeType'])],
  ['audio', shape(['data', 'mimeType'])],
  ['resource_link', shape(['uri', 'name'], 'title', 'description', 'mimeType', 'size', 'icons')],
  ['resource', shape([], 'resource')],
]);

/**
 * Whether a value is one block of content, complete enough for every client. A row of data that has a `type` and a `text` beside
 * members of its own is data: as a block, those members would be lost.
 */
export function isContentBlock(value: unknown): value is McpContentBlock {
  if (!isObject(value)) return false;
  const wanted = SHAPES.get(value['type']);
  if (wanted === undefined || !hasTexts(value, wanted.texts)) return false;
  if (value['type'] === 'resource' && !isResourceContents(value['resource'])) return false;
  return Object.keys(value).every((key) => wanted.keys.has(key));
}

function isResourceContents(resource: unknown): boolean {
  return isObject(resource) && (hasTexts(resource, ['uri', 'text']) || hasTexts(resource, ['uri', 'blob']));
}

/** Whether a value is a non-empty list of content blocks. */
export function isContentList(value: unknown): value is McpContentBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every(isContentBlock);
}

/** The members a result may have beside `content`, and what they look like. */
const RESULT_MEMBERS = new Map<string, (member: unknown) => boolean>([
  ['content', (member) => Array.isArray(member) && member.every(isContentBlock)],
  ['structuredContent', () => true],
  ['isError', (member) => typeof member === 'boolean'],
  ['_meta', isObject],
]);

/** Whether a value is a whole result as the protocol knows it, and not data that happens to have a `content` member. */
export function isCallToolResult(value: unknown): value is McpCallToolResult {
  if (!isObject(value) || !Object.hasOwn(value, 'content')) return false;
  return Object.entries(value).every(
    ([key, member]) => member === undefined || RESULT_MEMBERS.get(key)?.(member) === true,
  );
}

function hasTexts(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
