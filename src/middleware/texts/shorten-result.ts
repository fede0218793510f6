import type { McpCallToolResult, McpContentBlock } from '../../model/mcp-types.ts';
import { byteLength, cutText, ELLIPSIS_BYTES, rawCost } from '../parts/byte-length.ts';
import { parseDocument } from '../parts/json-document.ts';
import { shortenJson } from './shorten-json.ts';
import type { Cut } from './shorten-json.ts';

/** A shortened value, and the cuts. */
export interface Shortened<TValue> {
  readonly value: TValue;
  readonly lists: readonly Cut[];
  readonly texts: readonly Cut[];
}

/** A shortened text: JSON stays JSON, other text is cut. */
export function shortenText(text: string, maxBytes: number): Shortened<string> | undefined {
  if (byteLength(text) <= maxBytes) return { value: text, lists: [], texts: [] };
  const document = parseDocument(text);
  if (document !== undefined) {
    const shortened = shortenJson(document, maxBytes);
    return shortened && { ...shortened, value: JSON.stringify(shortened.value) };
  }
  if (maxBytes < ELLIPSIS_BYTES) return undefined;
  const { text: value, kept } = cutText(text, maxBytes, rawCost);
  return { value, lists: [], texts: [{ path: [], kept, total: text.length }] };
}

/** Minimum length of a cut text in bytes; below it, the last blocks are dropped instead. */
const MIN_TEXT_BYTES = 200;

/**
 * Shortens the content of a result to this many bytes: its texts, the longest first. Other blocks stay whole; if they or many texts are too
 * large, blocks are dropped from the end.
 */
export function shortenContent(
  blocks: readonly McpContentBlock[],
  maxBytes: number,
): Shortened<McpContentBlock[]> | undefined {
  const { kept, cap } = findTextCap(blocks.map(sizeOfBlock), maxBytes);
  if (kept === 0 && blocks.length > 0) return undefined;
  const value: McpContentBlock[] = [];
  const lists: Cut[] = kept < blocks.length ? [{ path: ['content'], kept, total: blocks.length }] : [];
  const texts: Cut[] = [];
  for (const [index, block] of blocks.slice(0, kept).entries()) {
    if (block.type !== 'text' || byteLength(block.text) <= cap) {
      value.push(block);
      continue;
    }
    const shortened = shortenText(block.text, cap);
    if (shortened === undefined) return undefined;
    const named = (cut: Cut): Cut => ({ ...cut, path: ['content', index, ...cut.path] });
    value.push({ ...block, text: shortened.value });
    lists.push(...shortened.lists.map(named));
    texts.push(...shortened.texts.map(named));
  }
  return { value, lists, texts };
}

interface BlockSize {
  readonly isText: boolean;
  readonly bytes: number;
}

/** Number of blocks to keep, and the maximum size of their texts in bytes. */
function findTextCap(sizes: readonly BlockSize[], maxBytes: number): { kept: number; cap: number } {
  let kept = 0;
  let tooMany = sizes.length + 1;
  while (tooMany - kept > 1) {
    const count = Math.floor((kept + tooMany) / 2);
    if (capOf(sizes.slice(0, count), maxBytes) >= Math.min(MIN_TEXT_BYTES, maxBytes)) kept = count;
    else tooMany = count;
  }
  return { kept, cap: capOf(sizes.slice(0, kept), maxBytes) };
}

/** Maximum size of each text so that all blocks fit; negative if the other blocks are already too large. */
function capOf(sizes: readonly BlockSize[], maxBytes: number): number {
  let left = maxBytes;
  for (const { isText, bytes } of sizes) if (!isText) left -= bytes;
  if (left < 0) return -1;
  // Shortest first: the unused share of a short text goes to the longer ones.
  const texts = sizes
    .filter(({ isText }) => isText)
    .map(({ bytes }) => bytes)
    .toSorted((a, b) => a - b);
  for (const [index, size] of texts.entries()) {
    const share = Math.floor(left / (texts.length - index));
    if (size > share) return share;
    left -= size;
  }
  return maxBytes;
}

/** Size of a text as it is, of another block as JSON. */
function sizeOfBlock(block: McpContentBlock): BlockSize {
  const isText = block.type === 'text';
  return { isText, bytes: byteLength(isText ? block.text : JSON.stringify(block)) };
}

/** Total size of the blocks. */
export function sizeOfContent(blocks: readonly McpContentBlock[]): number {
  return blocks.reduce((total, block) => total + sizeOfBlock(block).bytes, 0);
}

/** Shortens the structured part of a result to this many bytes. */
export function shortenStructured(
  result: McpCallToolResult,
  maxBytes: number,
): Shortened<Pick<McpCallToolResult, 'structuredContent'>> | undefined {
  const { structuredContent } = result;
  if (structuredContent === undefined) return { value: {}, lists: [], texts: [] };
  if (byteLength(JSON.stringify(structuredContent)) <= maxBytes)
    return { value: { structuredContent }, lists: [], texts: [] };
  const shortened = shortenJson(structuredContent, maxBytes);
  if (shortened === undefined) return undefined;
  const named = (cut: Cut): Cut => ({ ...cut, path: ['structuredContent', ...cut.path] });
  return {
    value: { structuredContent: shortened.value },
    lists: shortened.lists.map(named),
    texts: shortened.texts.map(named),
  };
}
