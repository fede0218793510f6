import type { McpCallToolResult, McpContentBlock } from '../../model/mcp-types.ts';
import type { Revision } from '../messages/revisions.ts';

/** A result without what clients of an older revision cannot read. Nothing is lost: it is said in other words. */
export function fitContent(result: McpCallToolResult, revision: Revision): McpCallToolResult {
  if (revision.hasResourceLinks && revision.hasAudio) return result;
  return { ...result, content: fitBlocks(result.content, revision) };
}

/** Blocks without those that clients of an older revision cannot read. */
export function fitBlocks(blocks: readonly McpContentBlock[], revision: Revision): McpContentBlock[] {
  return blocks.map((block) => fitBlock(block, revision));
}

/** A block as clients of a revision can read it. */
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
