import type { ErrorCode } from '../../errors/codes.ts';
import { cutText } from '../../base/cut-text.ts';
import { ERROR_META_KEY } from '../../errors/error-handler.ts';
import type { ErrorDetails, ErrorParts } from '../../errors/error-handler.ts';
import { serialize, sizeWithin } from '../../format/serialize.ts';
import type { McpCallToolResult } from '../../model/mcp-types.ts';

/** Minimum size for an error, even if results must be smaller. */
const LEAST_BYTES = 8192;
/** Size of everything but the text in a shortened error. */
const FRAME_BYTES = 2048;
/** A UTF-16 unit takes at most six bytes, as an escape. */
const MAX_BYTES_PER_UNIT = 6;

/**
 * An error bounded by the maximum size of a result, because errors quote their input. One that is too large or cannot be serialized keeps
 * its code, its reference and the start of its message.
 */
export function boundError(parts: ErrorParts, maxResultBytes: number): ErrorParts {
  const limit = Math.max(maxResultBytes, LEAST_BYTES);
  return isWithin(parts, limit) ? parts : shorten(parts, limit);
}

/** The same for an error that is already a result. */
export function boundErrorResult(result: McpCallToolResult, maxResultBytes: number): McpCallToolResult {
  const limit = Math.max(maxResultBytes, LEAST_BYTES);
  if (isWithin(result, limit)) return result;
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : 'The call failed.';
  const details = result._meta?.[ERROR_META_KEY] as ErrorDetails | undefined;
  const { message, ...kept } = shorten({ code: 'TOOL_FAILED', ...details, message: text }, limit);
  return { content: [{ type: 'text', text: message }], isError: true, _meta: { [ERROR_META_KEY]: kept } };
}

function isWithin(error: unknown, limit: number): boolean {
  const serialized = serialize(error, { maxBytes: limit });
  return serialized.ok && sizeWithin(serialized.json, limit) <= limit;
}

function shorten({ code, message, reference, retryAfterMs }: ErrorParts, limit: number): ErrorParts {
  return {
    // A thrown error can have any code.
    code: cutText(String(code)) as ErrorCode,
    message: cutText(message, Math.floor((limit - FRAME_BYTES) / MAX_BYTES_PER_UNIT)),
    ...(reference === undefined ? {} : { reference: cutText(reference) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
