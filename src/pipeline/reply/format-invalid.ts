import { JSON_RPC_INVALID_PARAMS } from '../../errors/codes.ts';
import { nounOf } from '../../errors/component-kind.ts';
import { ERROR_META_KEY } from '../../errors/error-handler.ts';
import type { ErrorDetails, ErrorResultLike } from '../../errors/error-handler.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import { formatIssue } from '../../errors/issue.ts';
import { boundError } from './bound-error.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';
import { errorContextOf } from './error-context.ts';
import type { Outcome } from '../tool/outcome.ts';
import { toReply } from './tool-reply.ts';
import type { ToolReply } from './tool-reply.ts';

/** The reply for invalid arguments, with one line per issue. */
export function formatInvalidInput(
  tool: CompiledTool,
  { issues }: Extract<Outcome, { kind: 'invalid-input' }>,
): ToolReply {
  const message = `Invalid arguments for ${tool.subject.kind ?? 'tool'} '${tool.name}'.`;
  if (tool.invalidArguments === 'protocol-error') {
    const help = tool.inputHelp === undefined ? '' : `\n${tool.inputHelp()}`;
    const text = `${message} ${issues.map(formatIssue).join('; ')}${help}`;
    const error = boundError(
      { code: 'INVALID_ARGUMENTS', message: text, issues },
      tool.collaborators.maxResultBytes,
    );
    return {
      kind: 'protocol-error',
      code: JSON_RPC_INVALID_PARAMS,
      reason: 'INVALID_ARGUMENTS',
      message: error.message,
      data: { issues: error.issues ?? [] },
    };
  }
  const { errorHandler } = tool.collaborators;
  if (tool.label === undefined)
    return toReply(tool, withHelp(tool, errorHandler.createValidationError(message, issues)));
  const text = `Validation failed: ${issues.map(formatIssue).join('; ')}`;
  const result = errorHandler.createErrorResult({ code: 'INVALID_ARGUMENTS', message: text });
  // Added afterwards: as parts of the error, the text would repeat them.
  const details: ErrorDetails = { code: 'INVALID_ARGUMENTS', ...result._meta?.[ERROR_META_KEY], issues };
  return toReply(tool, withHelp(tool, { ...result, _meta: { ...result._meta, [ERROR_META_KEY]: details } }));
}

/** Adds the schema if the caller was not shown it. */
function withHelp({ inputHelp }: CompiledTool, result: ErrorResultLike): ErrorResultLike {
  if (inputHelp === undefined) return result;
  return { ...result, content: [...result.content, { type: 'text', text: inputHelp() }] };
}

/** Suggests to pass the arguments explicitly, because the resolver is then not needed. */
export function formatDefaultsFailed(
  tool: CompiledTool,
  { error }: Extract<Outcome, { kind: 'defaults-failed' }>,
): ToolReply {
  const { errorHandler } = tool.collaborators;
  const handled = errorHandler.handleError(error, errorContextOf(tool));
  const details = handled._meta?.[ERROR_META_KEY];
  if (details?.code !== 'TOOL_FAILED') return toReply(tool, handled);
  const names = tool.resolvedArguments.length > 0 ? `: ${tool.resolvedArguments.join(', ')}` : '';
  return toReply(
    tool,
    errorHandler.createErrorResult({
      ...details,
      code: 'DEFAULTS_FAILED',
      message: `The default arguments of '${tool.name}' could not be resolved (reference ${details.reference ?? 'none'}). Pass the arguments explicitly${names}.`,
    }),
  );
}

/** The client cannot fix this, and the issues may quote internal data: they are logged; the client gets the reason and a reference. */
export function formatInvalidOutput(
  tool: CompiledTool,
  outcome: Extract<Outcome, { kind: 'invalid-output' }>,
): ToolReply {
  const { errorHandler } = tool.collaborators;
  const issues = (outcome.issues ?? []).map(formatIssue);
  const error = new ToolwrightError('INVALID_OUTPUT', [outcome.reason, ...issues].join('; '));
  const handled = errorHandler.handleError(error, errorContextOf(tool));
  const message = `${nounOf(tool.subject.kind)} '${tool.name}' returned a value that cannot be sent: ${outcome.reason}.`;
  return toReply(
    tool,
    errorHandler.createErrorResult({ ...handled._meta?.[ERROR_META_KEY], code: 'INVALID_OUTPUT', message }),
  );
}
