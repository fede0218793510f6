import type { McpCallToolResult } from '../../../model/mcp-types.ts';
import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';
import type { ResponseOptions } from './response-options.ts';
import { toText } from './result-parts.ts';
import type { OperationResult } from './result-parts.ts';

/** Key under `_meta` of the headers of a result. */
const HEADERS_META_KEY = 'toolwright/headers';

/** Headers by name. */
type Shown = Readonly<Record<string, string>>;

/** The response headers that are part of the result, with secrets redacted. */
export function readHeaders(
  { headers }: OutboundAnswer,
  { shownHeaders = [], hide = (text) => text }: ResponseOptions,
): Shown {
  return Object.fromEntries(
    shownHeaders.flatMap((name) => {
      const value = headers.get(name.toLowerCase());
      return value === undefined ? [] : [[name, hide(value)]];
    }),
  );
}

/** Adds headers to a result: a line for each at the end, except those already mentioned, and all of them under `_meta`. */
export function withHeaders(
  result: OperationResult,
  headers: Shown,
  told: readonly string[] = [],
): OperationResult {
  const all = Object.entries(headers);
  if (all.length === 0) return result;
  const whole: McpCallToolResult = typeof result === 'string' ? { content: [toText(result)] } : result;
  const lines = all.filter(([name]) => !told.includes(name)).map(([name, value]) => `${name}: ${value}`);
  return {
    ...whole,
    content: [...whole.content, ...(lines.length === 0 ? [] : [toText(lines.join('\n'))])],
    _meta: { ...whole._meta, [HEADERS_META_KEY]: headers },
  };
}
