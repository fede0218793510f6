import {
  JSON_RPC_INTERNAL_ERROR,
  JSON_RPC_INVALID_PARAMS,
  JSON_RPC_INVALID_REQUEST,
  MCP_MISSING_CLIENT_CAPABILITY,
} from '../../errors/codes.ts';
import { nounOf } from '../../errors/component-kind.ts';
import { MissingCapabilityError } from '../../errors/errors.ts';
import { ERROR_META_KEY, randomReference } from '../../errors/error-handler.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';
import { errorContextOf } from './error-context.ts';
import { formatDefaultsFailed, formatInvalidInput, formatInvalidOutput } from './format-invalid.ts';
import { formatResult } from './format-result.ts';
import type { Outcome } from '../tool/outcome.ts';
import { toReply } from './tool-reply.ts';
import type { ToolReply } from './tool-reply.ts';

/** The reply for a tool that is unknown or hidden. */
export function formatUnknownTool(name: string, suggestions: readonly string[]): ToolReply {
  // No tool has a longer name; a response must not repeat a megabyte of input.
  const shown = typeof name === 'string' ? name.slice(0, 128) : '(no name)';
  return {
    kind: 'protocol-error',
    code: JSON_RPC_INVALID_PARAMS,
    reason: 'UNKNOWN_TOOL',
    message: `Unknown tool: ${shown}`,
    ...(suggestions.length > 0 ? { data: { suggestions } } : {}),
  };
}

/** The reply to a call whose caller lacks scopes. Over HTTP it is a 403 that names all of them. */
export function formatMissingScopes(tool: CompiledTool, requiredScopes: readonly string[]): ToolReply {
  return {
    kind: 'protocol-error',
    code: JSON_RPC_INVALID_REQUEST,
    reason: 'INSUFFICIENT_SCOPE',
    message: `Insufficient scope: "${tool.name}" requires ${requiredScopes.join(' ')}.`,
    data: { requiredScopes },
  };
}

/** The reply if there is not enough memory to keep a result until its client has read it. */
export const NO_ROOM: ToolReply = {
  kind: 'protocol-error',
  code: JSON_RPC_INTERNAL_ERROR,
  reason: 'BUSY',
  message: 'The server is busy: not enough memory for a result of this size. Try again later.',
};

/** The reply if a collaborator of the registry failed: the error handler may be the failing one, so it is not used. */
export function formatFault(tool: CompiledTool, error: unknown): ToolReply {
  const reference = randomReference();
  tool.collaborators.logger.error('a collaborator of the registry failed', {
    reference,
    [tool.subject.kind ?? 'tool']: tool.name,
    error: toLoggedError(error),
  });
  const text = `${nounOf(tool.subject.kind)} '${tool.name}' failed unexpectedly. The details are in the server's log under the reference ${reference}.`;
  return toReply(tool, {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { [ERROR_META_KEY]: { code: 'TOOL_FAILED', reference } },
  });
}

/** The only place that converts an outcome to a reply. */
export function formatOutcome(tool: CompiledTool, outcome: Outcome, minify: boolean | undefined): ToolReply {
  const { errorHandler } = tool.collaborators;
  switch (outcome.kind) {
    case 'value': {
      const formatted = formatResult(tool, outcome.value, minify);
      return formatted.kind === 'result' ? formatted : formatOutcome(tool, formatted, minify);
    }
    case 'invalid-input':
      return formatInvalidInput(tool, outcome);
    case 'defaults-failed':
      return formatDefaultsFailed(tool, outcome);
    case 'input-required':
      return { kind: 'input-required' };
    case 'failed':
      if (isMissingCapability(outcome.error)) return formatMissingCapability(outcome.error);
      return toReply(tool, errorHandler.handleError(outcome.error, errorContextOf(tool)));
    case 'missing-scopes':
      return formatMissingScopes(tool, outcome.scopes);
    case 'rate-limited':
      return formatRateLimited(tool, outcome.retryAfterMs);
    case 'timed-out':
      return toReply(
        tool,
        errorHandler.createErrorResult({
          code: 'TIMED_OUT',
          message: `${nounOf(tool.subject.kind)} '${tool.name}' did not finish within ${outcome.timeoutMs} ms and was stopped.`,
        }),
      );
    case 'cancelled':
      return toReply(
        tool,
        errorHandler.createErrorResult({
          code: 'CANCELLED',
          message: `The call of '${tool.name}' was cancelled.`,
        }),
      );
    case 'invalid-output':
      return formatInvalidOutput(tool, outcome);
    case 'too-large':
      return toReply(
        tool,
        errorHandler.createErrorResult({
          code: 'RESULT_TOO_LARGE',
          message: `The result of '${tool.name}' has ${outcome.bytes ?? `more than ${outcome.limit}`} bytes; the limit is ${outcome.limit}.`,
          suggestions: ['Ask for less: narrow the filter, or read the data in pages.'],
        }),
      );
    default:
      outcome satisfies never;
      // A security wrapper in JavaScript may return anything.
      return formatFault(tool, new TypeError('the security wrapper returned no outcome'));
  }
}

function formatRateLimited(tool: CompiledTool, retryAfterMs: number): ToolReply {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const message = `Too many calls. Try again in ${seconds} s.`;
  const { errorHandler } = tool.collaborators;
  return toReply(tool, errorHandler.createErrorResult({ code: 'RATE_LIMITED', message, retryAfterMs }));
}

function isMissingCapability(error: unknown): error is MissingCapabilityError {
  try {
    return error instanceof MissingCapabilityError;
  } catch {
    // Inspecting a thrown value may throw, for example if it is a proxy.
    return false;
  }
}

function formatMissingCapability({ message, requiredCapabilities }: MissingCapabilityError): ToolReply {
  return {
    kind: 'protocol-error',
    code: MCP_MISSING_CLIENT_CAPABILITY,
    reason: 'MISSING_CLIENT_CAPABILITY',
    message,
    data: { requiredCapabilities },
  };
}
