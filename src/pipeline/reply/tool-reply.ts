import type { ErrorCode } from '../../errors/codes.ts';
import type { RequiredCapabilities } from '../../errors/errors.ts';
import type { Issue } from '../../errors/issue.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';
import { boundErrorResult } from './bound-error.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';

/** What is sent: a result, or an error of the protocol. */
export type ToolReply =
  | {
      readonly kind: 'result';
      readonly result: McpCallToolResult;
      /** The result as JSON text, where it had to be written to know its size: large ones are not written twice. */
      readonly json?: string;
    }
  | {
      readonly kind: 'protocol-error';
      /** The JSON-RPC code. */
      readonly code: number;
      /** Our own code for the same. */
      readonly reason: ErrorCode;
      readonly message: string;
      readonly data?: {
        readonly issues?: readonly Issue[];
        readonly suggestions?: readonly string[];
        readonly requiredCapabilities?: RequiredCapabilities;
        readonly requiredScopes?: readonly string[];
      };
    }
  /** The client has to be asked first; the dialogue of the call knows what. */
  | { readonly kind: 'input-required' };

/** A reply that is not a result. */
export type ToolRefusal = Exclude<ToolReply, { kind: 'result' }>;

/** The reply to a call that went wrong. */
export function toReply({ label, collaborators }: CompiledTool, result: McpCallToolResult): ToolReply {
  return { kind: 'result', result: boundErrorResult(withLabel(result, label), collaborators.maxResultBytes) };
}

/** What goes wrong in an action says which one it was: in a tool of many, the name of the tool says little. */
function withLabel(result: McpCallToolResult, label: string | undefined): McpCallToolResult {
  if (label === undefined) return result;
  const [first, ...rest] = result.content;
  if (first?.type !== 'text') return result;
  return { ...result, content: [{ ...first, text: `[${label}] ${first.text}` }, ...rest] };
}
