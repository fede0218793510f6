import { isCallToolResult } from '../format/content.ts';
import { findUnbounded } from '../format/find-unbounded.ts';
import { REASONS } from '../format/serialize.ts';
import { createSuccess, responseKind } from '../format/tool-response.ts';
import type { ErrorResponse, SuccessResponse } from '../format/tool-response.ts';
import { ToolError } from '../errors/errors.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import type { Validated } from '../schema/issues/validated.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { CompiledTool } from './tool/compiled-tool.ts';
import type { Outcome } from './tool/outcome.ts';

/** Validates a handler's value against the output schema. Tools without an output schema pass. */
export function checkOutput(tool: CompiledTool, value: unknown): MaybePromise<Outcome> {
  try {
    return checkValue(tool, value);
  } catch (error) {
    // Inspecting a returned value may throw, for example if it is a proxy or has a getter.
    return toFailure(error);
  }
}

function checkValue(tool: CompiledTool, value: unknown): MaybePromise<Outcome> {
  const kind = responseKind(value);
  if (kind === 'error') return toToolError(value as ErrorResponse);
  if (tool.output === undefined) return { kind: 'value', value };
  if (kind === 'success') {
    const response = value as SuccessResponse;
    return validate(tool, response.value, (checked) => createSuccess({ ...response, value: checked }));
  }
  // A complete result only if it has `isError` or `structuredContent`. Data with a member named `content` is data.
  if (isCallToolResult(value) && (value.isError === true || value.structuredContent !== undefined)) {
    if (value.isError === true) return { kind: 'value', value };
    return validate(tool, value.structuredContent, (checked) => ({ ...value, structuredContent: checked }));
  }
  return validate(tool, value, (checked) => checked);
}

function validate(
  tool: CompiledTool,
  value: unknown,
  wrap: (checked: unknown) => unknown,
): MaybePromise<Outcome> {
  const judge = (validated: Validated<unknown>): Outcome =>
    validated.ok
      ? { kind: 'value', value: wrap(validated.value) }
      : { kind: 'invalid-output', reason: 'it does not match the output schema', issues: validated.issues };
  const limit = tool.collaborators.maxResultBytes;
  // An element takes at least two bytes.
  const unbounded = findUnbounded(value, limit / 2);
  if (unbounded === 'large') return { kind: 'too-large', limit };
  if (unbounded !== undefined) return { kind: 'invalid-output', reason: REASONS[unbounded] };
  const validated = tool.output?.validate(value) ?? { ok: true, value };
  return isPromiseLike(validated) ? validated.then(judge, toFailure) : judge(validated);
}

function toFailure(error: unknown): Outcome {
  return { kind: 'failed', error };
}

function toToolError({ message, suggestions }: ErrorResponse): Outcome {
  return { kind: 'failed', error: new ToolError(message, { suggestions }) };
}
