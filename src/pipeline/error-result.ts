import { ErrorHandler } from '../errors/error-handler.ts';
import type { ErrorHandlerLike, ErrorParts } from '../errors/error-handler.ts';
import type { McpCallToolResult } from '../model/mcp-types.ts';
import type { ToolReply } from './tool-reply.ts';

/** An error of the protocol as a result, for callers in this process. */
export function toErrorResult(
  reply: Extract<ToolReply, { kind: 'protocol-error' }>,
  errorHandler: ErrorHandlerLike,
): McpCallToolResult {
  const suggestions = reply.data?.suggestions?.map((name) => `Did you mean "${name}"?`) ?? [];
  const parts: ErrorParts = {
    code: reply.reason,
    message: reply.message,
    ...(reply.data?.issues === undefined ? {} : { issues: reply.data.issues }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
  };
  try {
    return errorHandler.createErrorResult(parts);
  } catch {
    // An injected handler may be broken; the caller is answered all the same.
    return new ErrorHandler().createErrorResult(parts);
  }
}
