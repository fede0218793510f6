import type { ErrorCode } from '../../errors/codes.ts';
import type { RequiredCapabilities } from '../../errors/errors.ts';
import type { Issue } from '../../errors/issue.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';
import { boundErrorResult } from './bound-error.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';

/** The reply to a call: a result, or a JSON-RPC error. */
export type ToolReply =
  | {
      readonly kind: 'result';
      readonly result: McpCallToolResult;
      /** The serialized result, if it was already serialized to know its size. */
      readonly json?: string;
    }
  | {
      readonly kind: 'protocol-error';
      /** The JSON-RPC code. */
      readonly code: number;
      /** The error code of Toolwright. */
      readonly reason: ErrorCode;
      readonly message: string;
      readonly data?: {
        readonly issues?: readonly Issue[];
        readonly suggestions?: readonly string[];
        readonly requiredCapabilities?: RequiredCapabilities;
        readonly requiredScopes?: readonly string[];
      };
    }
  /** The client must be asked first; the dialogue of the call has the request. */
  | { readonly kind: 'input-required' };

/** A reply that is not a result. */
export type ToolRefusal = Exclude<ToolReply, { kind: 'result' }>;

/** The reply to a failed call. */
export function toReply({ label, collaborators }: CompiledTool, result: McpCallToolResult): ToolReply {
  return { kind: 'result', result: boundErrorResult(withLabel(result, label), collaborators.maxResultBytes) };
}

/** Prefixes an error of an action with its label, because the name of a grouped tool says little. */
function withLabel(result: McpCallToolResult, label: string | undefined): McpCallToolResult {
  if (label === undefined) return result;
  const [first, ...rest] = result.content;
  if (first?.type !== 'text') return result;
  return { ...result, content: [{ ...first, text: `[${label}] ${first.text}` }, ...rest] };
}
