import type { ErrorCode } from '../errors/codes.ts';
import type { Issue } from '../errors/issue.ts';
import type { McpCallToolResult } from '../model/mcp-types.ts';
import type { CompiledTool } from './compiled-tool.ts';

/** What is sent: a result, or an error of the protocol. */
export type ToolReply =
  | { readonly kind: 'result'; readonly result: McpCallToolResult }
  | {
      readonly kind: 'protocol-error';
      /** The JSON-RPC code. */
      readonly code: number;
      /** Our own code for the same. */
      readonly reason: ErrorCode;
      readonly message: string;
      readonly data?: { readonly issues?: readonly Issue[]; readonly suggestions?: readonly string[] };
    };

/** What goes wrong in an action says which one it was: in a tool of many, the name of the tool says little. */
export function toReply({ label }: CompiledTool, result: McpCallToolResult): ToolReply {
  const [first, ...rest] = result.content;
  if (label === undefined || first?.type !== 'text') return { kind: 'result', result };
  const content = [{ ...first, text: `[${label}] ${first.text}` }, ...rest];
  return { kind: 'result', result: { ...result, content } };
}
