import type { McpCallToolResult, McpContentBlock } from '../../model/mcp-types.ts';
import type { Revision } from '../messages/revisions.ts';

/** Converts content that clients of an older revision do not support to content that they do. */
export function fitContent(result: McpCallToolResult, revision: Revision): McpCallToolResult {
  if (revision.hasResourceLinks && revision.hasAudio) return result;
  return { ...result, content: fitBlocks(result.content, revision) };
}

/** Converts content blocks that clients of an older revision do not support. */
export function fitBlocks(blocks: readonly McpContentBlock[], revision: Revision): McpContentBlock[] {
  return blocks.map((block) => fitBlock(block, revision));
}

/** Converts a content block to one that the revision supports. */
export function fitBlock(block: McpContentBlock, revision: Revision): McpContentBlock {
  if (block.type === 'resource_link' && !revision.hasResourceLinks) {
    const { uri, name, description } = block;
    const text = `${name}: ${uri}${description === undefined ? '' : ` (${description})`}`;
    return { type: 'text', text };
  }
  if (block.type === 'audio' && !revision.hasAudio) {
    const { data, mimeType } = block;
    return { type: 'resource', resource: { uri: `data:${mimeType}`, mimeType, blob: data } };
  }
  return block;
}
