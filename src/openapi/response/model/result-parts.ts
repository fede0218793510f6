import { ERROR_META_KEY } from '../../../errors/error-handler.ts';
import type { ErrorDetails } from '../../../errors/error-handler.ts';
import type { McpCallToolResult, McpContentBlock, McpMeta } from '../../../model/mcp-types.ts';
import { isObject } from '../../../base/is-object.ts';
import { describeNextPage } from '../pagination/next-page.ts';
import type { NextPage } from '../pagination/next-page.ts';

/** Key under `_meta` of the arguments for the next page. */
const NEXT_META_KEY = 'toolwright/next';

/** Key under `_meta` of the token for the next part. */
const CONTINUE_META_KEY = 'toolwright/continue';

/** Return value of a handler. A result of one text is returned as a string, which need not be checked and copied as a result. */
export type OperationResult = McpCallToolResult | string;

/** The parts of a result beside its content. */
export interface ResultRemarks {
  /** Structured content; undefined if the tool has no output schema. */
  readonly structured: object | undefined;
  /** Remarks about the response, one per line. */
  readonly lines?: readonly string[];
  readonly token?: string | undefined;
  readonly nextPage?: NextPage | undefined;
}

/** A result of one text. */
export function toTextResult(text: string, remarks: ResultRemarks): OperationResult {
  const { structured, lines, token, nextPage } = remarks;
  const isBare = structured === undefined && token === undefined && nextPage === undefined;
  return isBare && (lines === undefined || lines.length === 0) ? text : toResult([toText(text)], remarks);
}

/** A result: the response first, then one block with the remarks. */
export function toResult(
  blocks: readonly McpContentBlock[],
  { structured, lines = [], token, nextPage }: ResultRemarks,
): McpCallToolResult {
  const told = [...lines, ...(nextPage === undefined ? [] : [describeNextPage(nextPage)])];
  const meta: McpMeta = {
    ...(token === undefined ? {} : { [CONTINUE_META_KEY]: token }),
    ...(nextPage?.kind === 'arguments' ? { [NEXT_META_KEY]: nextPage.arguments } : {}),
  };
  return {
    content: [...blocks, ...(told.length === 0 ? [] : [toText(told.join('\n'))])],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

/** An error result. */
export function toErrorResult(text: string, details: ErrorDetails): McpCallToolResult {
  return { content: [toText(text)], isError: true, _meta: { [ERROR_META_KEY]: details } };
}

/** A block of text. */
export function toText(text: string): McpContentBlock {
  return { type: 'text', text };
}

/** Structured content must be an object: other values become its member `result`. */
export function toStructured(value: unknown): object {
  return isObject(value) ? value : { result: value };
}
