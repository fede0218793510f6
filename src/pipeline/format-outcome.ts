import { JSON_RPC_INVALID_PARAMS } from '../errors/codes.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { ERROR_META_KEY, randomReference } from '../errors/error-handler.ts';
import { ToolwrightError } from '../errors/errors.ts';
import { formatIssue } from '../errors/issue.ts';
import type { Issue } from '../errors/issue.ts';
import { toLoggedError } from '../errors/log-thrown.ts';
import type { McpCallToolResult } from '../model/mcp-types.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { formatResult } from './format-result.ts';
import type { Outcome } from './outcome.ts';

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

/** The answer to a call of a tool that does not exist for the caller. */
export function formatUnknownTool(name: string, suggestions: readonly string[]): ToolReply {
  // No tool has a longer name, and whoever sends a megabyte need not get it back.
  const shown = typeof name === 'string' ? name.slice(0, 128) : '(no name)';
  return {
    kind: 'protocol-error',
    code: JSON_RPC_INVALID_PARAMS,
    reason: 'UNKNOWN_TOOL',
    message: `Unknown tool: ${shown}`,
    ...(suggestions.length > 0 ? { data: { suggestions } } : {}),
  };
}

/** The answer when one of the registry's own parts failed: it cannot be trusted to word the error. */
export function formatFault(tool: CompiledTool, error: unknown): ToolReply {
  const reference = randomReference();
  tool.collaborators.logger.error('a collaborator of the registry failed', {
    reference,
    tool: tool.name,
    error: toLoggedError(error),
  });
  const text = `Tool '${tool.name}' failed unexpectedly. The details are in the server's log under the reference ${reference}.`;
  return toReply({
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { [ERROR_META_KEY]: { code: 'TOOL_FAILED', reference } },
  });
}

/** The one place where an outcome becomes a reply. */
export function formatOutcome(tool: CompiledTool, outcome: Outcome, minify: boolean | undefined): ToolReply {
  const { errorHandler } = tool.collaborators;
  const context = { tool: tool.name, operation: tool.operation };
  switch (outcome.kind) {
    case 'value': {
      const formatted = formatResult(tool, outcome.value, minify);
      return formatted.kind === 'result' ? formatted : formatOutcome(tool, formatted, minify);
    }
    case 'invalid-input':
      return formatInvalidInput(tool, outcome);
    case 'defaults-failed':
      return formatDefaultsFailed(tool, outcome);
    case 'failed':
      return toReply(errorHandler.handleError(outcome.error, context));
    case 'rate-limited': {
      const seconds = Math.max(1, Math.ceil(outcome.retryAfterMs / 1000));
      return toReply(
        errorHandler.createErrorResult({
          code: 'RATE_LIMITED',
          message: `Too many calls. Try again in ${seconds} s.`,
          retryAfterMs: outcome.retryAfterMs,
        }),
      );
    }
    case 'timed-out':
      return toReply(
        errorHandler.createErrorResult({
          code: 'TIMED_OUT',
          message: `Tool '${tool.name}' did not finish within ${outcome.timeoutMs} ms and was stopped.`,
        }),
      );
    case 'cancelled':
      return toReply(
        errorHandler.createErrorResult({
          code: 'CANCELLED',
          message: `The call of '${tool.name}' was cancelled.`,
        }),
      );
    case 'invalid-output':
      return formatInvalidOutput(tool, outcome);
    case 'too-large':
      return toReply(
        errorHandler.createErrorResult({
          code: 'RESULT_TOO_LARGE',
          message: `The result of '${tool.name}' has ${outcome.bytes} bytes; at most ${outcome.limit} are sent.`,
          suggestions: ['Ask for less: narrow the filter, or read the data in pages.'],
        }),
      );
    default:
      outcome satisfies never;
      // A security wrapper in JavaScript may answer anything.
      return formatFault(tool, new TypeError('the security wrapper gave no outcome'));
  }
}

function formatInvalidInput(
  tool: CompiledTool,
  { issues }: Extract<Outcome, { kind: 'invalid-input' }>,
): ToolReply {
  const message = `Invalid arguments for tool '${tool.name}'.`;
  if (tool.collaborators.invalidArguments === 'protocol-error') {
    const text = `${message} ${issues.map(formatIssue).join('; ')}`;
    return {
      kind: 'protocol-error',
      code: JSON_RPC_INVALID_PARAMS,
      reason: 'INVALID_ARGUMENTS',
      message: text,
      data: { issues },
    };
  }
  return toReply(tool.collaborators.errorHandler.createValidationError(message, issues));
}

/** A caller who passes the arguments that could not be found out does not need the resolver. */
function formatDefaultsFailed(
  tool: CompiledTool,
  { error }: Extract<Outcome, { kind: 'defaults-failed' }>,
): ToolReply {
  const { errorHandler } = tool.collaborators;
  const handled = errorHandler.handleError(error, { tool: tool.name, operation: tool.operation });
  const details = handled._meta[ERROR_META_KEY];
  if (details.code !== 'TOOL_FAILED') return toReply(handled);
  const names = tool.resolvedArguments.length > 0 ? `: ${tool.resolvedArguments.join(', ')}` : '';
  return toReply(
    errorHandler.createErrorResult({
      ...details,
      code: 'DEFAULTS_FAILED',
      message: `The default arguments of '${tool.name}' could not be found out (reference ${details.reference ?? 'none'}). Pass the arguments explicitly${names}.`,
    }),
  );
}

/** The client cannot mend this, and the issues may quote internal data: they go to the log, the reason and a reference go out. */
function formatInvalidOutput(
  tool: CompiledTool,
  outcome: Extract<Outcome, { kind: 'invalid-output' }>,
): ToolReply {
  const { errorHandler } = tool.collaborators;
  const issues = (outcome.issues ?? []).map(formatIssue);
  const error = new ToolwrightError('INVALID_OUTPUT', [outcome.reason, ...issues].join('; '));
  const handled = errorHandler.handleError(error, { tool: tool.name, operation: tool.operation });
  const message = `Tool '${tool.name}' returned a value that cannot be sent: ${outcome.reason}.`;
  return toReply(
    errorHandler.createErrorResult({ ...handled._meta[ERROR_META_KEY], code: 'INVALID_OUTPUT', message }),
  );
}

function toReply(result: McpCallToolResult): ToolReply {
  return { kind: 'result', result };
}
