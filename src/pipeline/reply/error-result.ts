import { describeFailure } from '../../errors/error-handler.ts';
import type { ErrorParts, WholeErrorHandler } from '../../errors/error-handler.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';
import type { ToolRefusal } from './tool-reply.ts';

/** A refusal as a result, for callers in this process and for protocol revisions without an error for it. */
export function toErrorResult(reply: ToolRefusal, errorHandler: WholeErrorHandler): McpCallToolResult {
  if (reply.kind === 'input-required') {
    const message = 'The call needs input that this client cannot provide.';
    return createErrorResult(errorHandler, { code: 'INPUT_PENDING', message });
  }
  const suggestions = reply.data?.suggestions?.map((name) => `Did you mean "${name}"?`) ?? [];
  const parts: ErrorParts = {
    code: reply.reason,
    message: reply.message,
    ...(reply.data?.issues === undefined ? {} : { issues: reply.data.issues }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
  };
  return createErrorResult(errorHandler, parts);
}

/** An error as a result. Never throws. */
export function createErrorResult(errorHandler: WholeErrorHandler, parts: ErrorParts): McpCallToolResult {
  try {
    return errorHandler.createErrorResult(parts);
  } catch {
    // An injected handler may fail; the caller still gets a response.
    return describeFailure(parts);
  }
}
