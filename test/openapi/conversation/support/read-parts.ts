import type { McpCallToolResult } from '../../../../src/index.ts';
import type { Assistant } from './assistant.ts';
import { textOf } from './assistant.ts';

/** One call of a tool: its name and arguments. */
export interface ToolCallOf {
  readonly name: string;
  readonly arguments: object;
}

/** The parts of a long response, fetched as the result says: the same call with `continue_from`. */
export async function readParts(assistant: Assistant, call: ToolCallOf): Promise<McpCallToolResult[]> {
  const parts = [await assistant.call(call.name, call.arguments)];
  for (let token = tokenIn(parts[0]); token !== undefined; token = tokenIn(parts.at(-1)))
    parts.push(await assistant.call(call.name, { ...call.arguments, continue_from: token }));
  return parts;
}

/** The token in the text beside the content, as a model finds it. */
function tokenIn(part: McpCallToolResult | undefined): string | undefined {
  if (part === undefined || part.isError === true) return undefined;
  return /"continue_from": "([^"]+)"/.exec(textOf({ content: part.content.slice(1) }))?.[1];
}

/** The text of the first block of each part. */
export function firstTexts(parts: readonly McpCallToolResult[]): string[] {
  return parts.map(({ content: [block] }) => (block?.type === 'text' ? block.text : ''));
}

/** The text beside the content, such as the arguments for the next part. */
export function remarksOf({ content }: McpCallToolResult): string {
  return textOf({ content: content.slice(1) });
}
