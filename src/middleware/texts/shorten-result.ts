import type { McpCallToolResult, McpContentBlock } from '../../model/mcp-types.ts';
import { byteLength, cutText, ELLIPSIS_BYTES, rawCost } from '../parts/byte-length.ts';
import { parseDocument } from '../parts/json-document.ts';
import { shortenJson } from './shorten-json.ts';
import type { Cut } from './shorten-json.ts';

/** Something that fits, and what was taken from it. */
export interface Shortened<TValue> {
  readonly value: TValue;
  readonly lists: readonly Cut[];
  readonly texts: readonly Cut[];
}

/** A text that fits: a JSON document stays one, any other text is cut. */
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

/** A text that is cut shorter than this says nothing: rather the last blocks go. */
const MIN_TEXT_BYTES = 200;

/**
 * The content of a result within so many bytes: its texts are shortened, the longest first. Other blocks stay whole; where they, or
 * many texts, are too much, blocks go from the end.
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

/** How many blocks can be kept, and how many bytes each of their texts may take. */
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

/** How many bytes each text may take so that all blocks fit together; negative when the other blocks are too large already. */
function capOf(sizes: readonly BlockSize[], maxBytes: number): number {
  let left = maxBytes;
  for (const { isText, bytes } of sizes) if (!isText) left -= bytes;
  if (left < 0) return -1;
  // From the shortest on: what a short text leaves of its share goes to the longer ones.
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

/** A text as it is read, any other block as JSON. */
function sizeOfBlock(block: McpContentBlock): BlockSize {
  const isText = block.type === 'text';
  return { isText, bytes: byteLength(isText ? block.text : JSON.stringify(block)) };
}

/** What the blocks take together. */
export function sizeOfContent(blocks: readonly McpContentBlock[]): number {
  return blocks.reduce((total, block) => total + sizeOfBlock(block).bytes, 0);
}

/** The structured part of a result within so many bytes. */
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
