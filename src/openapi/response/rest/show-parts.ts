import type { McpCallToolResult } from '../../../model/mcp-types.ts';
import type { NextPage } from '../pagination/next-page.ts';
import { CONTINUE_ARGUMENT } from '../model/response-options.ts';
import type { ResponseOptions } from '../model/response-options.ts';
import { toErrorResult, toResult, toStructured, toText } from '../model/result-parts.ts';
import { readToken, writeToken } from './continue-token.ts';
import type { Remainder, RemainderStore } from '../model/remainder-store.ts';
import { takePiece } from '../model/rest-content.ts';
import type { Piece, RestContent } from '../model/rest-content.ts';

/** Remarks with the first part. */
export interface FirstRemarks {
  /** The first part, if it is not simply the beginning of the content. */
  readonly first?: Piece;
  readonly lines?: readonly string[];
  readonly nextPage?: NextPage | undefined;
}

/** The first part of a response that is too long, and the token for the next one. */
export function showFirst(
  content: RestContent,
  options: ResponseOptions,
  { first, lines = [], nextPage }: FirstRemarks,
): McpCallToolResult {
  const { what, owner, structured, remainders, maxChars } = options;
  const piece = first ?? takePiece(content, { element: 0, char: 0 }, maxChars);
  if (piece === undefined) return toResult([], { structured: structured ? {} : undefined, lines, nextPage });
  const id = remainders.keep({ owner, what, content, nextPage, structured });
  const token = tokenOf(id, piece);
  const close = token === undefined ? TOO_LARGE : howToGoOn(token);
  return showPiece(piece, {
    structured,
    token,
    nextPage,
    lines: [`Shown: ${piece.shown}. ${close}`, ...lines],
  });
}

/** Options of {@link readMore}. */
export interface ReadMoreOptions {
  readonly remainders: RemainderStore;
  readonly owner: string;
  readonly maxChars: number;
  /** The request of the called tool. A token of another tool is then treated as unknown. */
  readonly what?: string;
}

/** The next part of a response. The same token returns the same part while the response is kept. */
export function readMore(token: string, options: ReadMoreOptions): McpCallToolResult {
  const { remainders, owner, maxChars, what } = options;
  const point = readToken(token);
  const remainder = point === undefined ? undefined : remainders.find(point.id, owner);
  if (point === undefined || remainder === undefined || (what ?? remainder.what) !== remainder.what)
    return toUnknown(what);
  const piece = takePiece(remainder.content, point.position, maxChars);
  return piece === undefined ? toUnknown(what) : showNext(piece, point.id, remainder);
}

function showNext(piece: Piece, id: string, { structured, nextPage }: Remainder): McpCallToolResult {
  const token = tokenOf(id, piece);
  const close = token === undefined ? 'That is all.' : howToGoOn(token);
  return showPiece(piece, {
    structured,
    token,
    // The first part already had it; the last part repeats it.
    nextPage: token === undefined ? nextPage : undefined,
    lines: [`Shown: ${piece.shown}. ${close}`],
  });
}

interface Beside {
  readonly structured: boolean;
  readonly token: string | undefined;
  readonly nextPage: NextPage | undefined;
  readonly lines: readonly string[];
}

function showPiece({ text, isFragment }: Piece, { structured, ...beside }: Beside): McpCallToolResult {
  const value: unknown = structured && !isFragment ? JSON.parse(text) : text;
  return toResult([toText(text)], { ...beside, structured: structured ? toStructured(value) : undefined });
}

function tokenOf(id: string | undefined, { next }: Piece): string | undefined {
  return id === undefined || next === undefined ? undefined : writeToken({ id, position: next });
}

function howToGoOn(token: string): string {
  return `Call this tool again with the same arguments and "${CONTINUE_ARGUMENT}": "${token}" for the next part.`;
}

const TOO_LARGE = 'The rest is too large to be kept: request less.';

/** The same error for unknown and expired tokens and for those of other callers. */
function toUnknown(what = 'GET'): McpCallToolResult {
  const advice = /^(?:GET|HEAD)\b/.test(what)
    ? `Call this tool again with the same arguments, without "${CONTINUE_ARGUMENT}".`
    : `Without "${CONTINUE_ARGUMENT}", this tool sends its request again: call it only if that may happen twice.`;
  return toErrorResult(`Unknown or expired "${CONTINUE_ARGUMENT}". ${advice}`, { code: 'TOOL_ERROR' });
}
