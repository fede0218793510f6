import { SMALL_BYTES } from '../../base/memory/memory-budget.ts';
import { isCallToolResult, isContentBlock, isContentList } from '../../format/content.ts';
import { TooLongError, UnserializableError } from '../../format/response-formatter.ts';
import type { FormatOptions } from '../../format/response-formatter.ts';
import { serialize, sizeWithin } from '../../format/serialize.ts';
import { responseKind } from '../../format/tool-response.ts';
import type { SuccessResponse } from '../../format/tool-response.ts';
import type { McpCallToolResult, McpContentBlock } from '../../model/mcp-types.ts';
import type { CompiledTool } from '../tool/compiled-tool.ts';
import type { Outcome } from '../tool/outcome.ts';
import type { ToolReply } from './tool-reply.ts';

/** A valid and serializable result, or the reason why there is none. */
export type Formatted =
  | Extract<ToolReply, { kind: 'result' }>
  | Extract<Outcome, { kind: 'invalid-output' | 'too-large' }>;

/** Converts a checked value to a result that is known to be serializable. */
export function formatResult(tool: CompiledTool, value: unknown, minify: boolean | undefined): Formatted {
  const limit = tool.collaborators.maxResultBytes;
  try {
    // Fast path: nearly every tool without an output schema returns text.
    if (typeof value === 'string' && tool.output === undefined) return formatText(tool, value, minify);
    return withinSize(tool, toResult(tool, value, minify));
  } catch (error) {
    if (error instanceof TooLongError) return { kind: 'too-large', limit };
    if (error instanceof UnserializableError) return { kind: 'invalid-output', reason: error.message };
    return { kind: 'invalid-output', reason: 'it cannot be serialized as text' };
  }
}

function formatText(tool: CompiledTool, value: string, minify: boolean | undefined): Formatted {
  const options: FormatOptions = minify === undefined ? {} : { minify };
  const written = tool.collaborators.responseFormatter.format(value, options);
  const limit = tool.collaborators.maxResultBytes;
  if (written.length > limit) return { kind: 'too-large', limit };
  return withinSize(tool, { content: [text(written)] });
}

function toResult(tool: CompiledTool, value: unknown, minify: boolean | undefined): McpCallToolResult {
  const response = responseKind(value) === 'success' ? (value as SuccessResponse) : undefined;
  const bare = response === undefined ? value : response.value;
  const result =
    tool.output === undefined
      ? toContent(tool, bare, { response, minify })
      : toStructured(tool, bare, { response, minify });
  return response?.meta === undefined ? result : { ...result, _meta: snapshot(tool, response.meta) };
}

interface Writing {
  readonly response: SuccessResponse | undefined;
  readonly minify: boolean | undefined;
}

function toContent(tool: CompiledTool, value: unknown, writing: Writing): McpCallToolResult {
  if (isCallToolResult(value)) return snapshot(tool, value);
  if (isContentBlock(value)) return { content: [snapshot(tool, value)] };
  if (isContentList(value)) return { content: snapshot<McpContentBlock[]>(tool, value) };
  if (value === undefined) return { content: [text(writing.response?.text ?? '(no output)')] };
  return { content: [text(writing.response?.text ?? write(tool, value, writing))] };
}

function toStructured(tool: CompiledTool, value: unknown, writing: Writing): McpCallToolResult {
  if (isCallToolResult(value) && (value.isError === true || value.structuredContent !== undefined))
    return snapshot(tool, value);
  const structuredContent = snapshot<unknown>(tool, value);
  return { content: [text(structuredText(tool, structuredContent, writing))], structuredContent };
}

function structuredText(tool: CompiledTool, value: unknown, writing: Writing): string {
  if (writing.response?.text !== undefined) return writing.response.text;
  if (tool.structuredText === 'short') return 'The result is in structuredContent.';
  return write(tool, value, writing);
}

function write(tool: CompiledTool, value: unknown, { response, minify }: Writing): string {
  const { responseFormatter, maxResultBytes: maxBytes } = tool.collaborators;
  return responseFormatter.format(value, {
    maxBytes,
    ...(response?.format === undefined ? {} : { as: response.format }),
    ...(minify === undefined ? {} : { minify }),
  });
}

function text(value: string): McpContentBlock {
  return { type: 'text', text: value };
}

/** A plain copy, made through JSON: getters are read once, here, where a throw is harmless. */
function snapshot<TValue>({ collaborators }: CompiledTool, value: TValue): TValue {
  const serialized = serialize(value, { maxBytes: collaborators.maxResultBytes });
  if (serialized.ok) return JSON.parse(serialized.json) as TValue;
  throw new (serialized.isTooLarge ? TooLongError : UnserializableError)(serialized.reason);
}

function withinSize(tool: CompiledTool, result: McpCallToolResult): Formatted {
  const limit = tool.collaborators.maxResultBytes;
  if (isSmall(result, limit)) return { kind: 'result', result };
  const json = JSON.stringify(result);
  const bytes = sizeWithin(json, limit);
  if (bytes > limit) return { kind: 'too-large', bytes, limit };
  return json.length > SMALL_BYTES ? { kind: 'result', result, json } : { kind: 'result', result };
}

/** A UTF-16 unit takes at most six bytes, as an escape. */
const MAX_BYTES_PER_UNIT = 6;

/** Whether a result is certainly small enough, so that its exact size does not matter. */
function isSmall(result: McpCallToolResult, limit: number): boolean {
  const [first] = result.content;
  const isBareText = result.content.length === 1 && first?.type === 'text' && Object.keys(first).length === 2;
  return isBareText && Object.keys(result).length === 1 && first.text.length * MAX_BYTES_PER_UNIT < limit;
}
