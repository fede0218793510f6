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

/** Holds a handler's value against the tool's output schema. Tools without one pass through. */
export function checkOutput(tool: CompiledTool, value: unknown): MaybePromise<Outcome> {
  try {
    return checkValue(tool, value);
  } catch (error) {
    // A returned value may throw when it is looked at: a proxy, a getter.
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
  // A whole result: only when it says so. Data that merely has a member named `content` is data.
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
  // An element takes two bytes at least.
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
