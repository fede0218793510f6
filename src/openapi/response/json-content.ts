import type { McpCallToolResult } from '../../model/mcp-types.ts';
import type { OutboundAnswer } from '../../outbound/outbound-client.ts';
import { toPlain, toStructuredJson, writeJson } from './body/exact-json.ts';
import { hideInValue } from './body/hide-value.ts';
import { isObject } from '../../base/is-object.ts';
import { selectParts } from './body/select-parts.ts';
import { offerNextPage } from './offer-next-page.ts';
import type { ResponseOptions } from './model/response-options.ts';
import { cutList } from './rest/cut-list.ts';
import { shorten } from './model/cut-text.ts';
import { showFirst } from './rest/show-parts.ts';
import { toResult, toStructured, toText } from './model/result-parts.ts';

/** A JSON value, or the part of it that is wanted, or as much of that as may be shown. */
export function readJson(
  value: unknown,
  answer: OutboundAnswer,
  options: ResponseOptions,
): McpCallToolResult {
  const { hide, maxChars, structured } = options;
  const nextPage = offerNextPage(answer, value, options);
  const { part, lines } = select(value, options);
  const remarks = { lines: [...lines, ...checkDrift(part, options)], nextPage };
  const shown = hide === undefined ? part : hideInValue(part, hide);
  const text = writeJson(shown);
  if (text.length > maxChars) {
    const cut = cutList(shown, maxChars);
    return cut === undefined
      ? showFirst({ kind: 'text', text }, options, remarks)
      : showFirst(cut.content, options, { ...remarks, first: cut.first });
  }
  return toResult({
    ...remarks,
    blocks: [toText(text)],
    structured: structured ? toStructured(toStructuredJson(shown)) : undefined,
  });
}

interface Part {
  readonly part: unknown;
  readonly lines: readonly string[];
}

/** Where nothing of the selection is there, all is shown: what was done is not lost because an API has changed. */
function select(value: unknown, { select: wanted = '', hide = (text) => text }: ResponseOptions): Part {
  if (wanted.length === 0) return { part: value, lines: [] };
  const selected = selectParts(value, wanted);
  if (selected !== undefined) return { part: selected.value, lines: [] };
  const pointers = typeof wanted === 'string' ? wanted : wanted.join(', ');
  const line = `The answer has no ${pointers}, so all of it is shown. ${hide(describeKeys(value))}`;
  return { part: value, lines: [line] };
}

function describeKeys(value: unknown): string {
  if (Array.isArray(value)) return `It is a list of ${value.length}.`;
  if (!isObject(value)) return 'It is a single value.';
  return `It has: ${shorten(Object.keys(value).slice(0, 20).join(', '), MAX_LINE)}.`;
}

const MAX_LINE = 300;
const MAX_PROBLEMS = 3;

/** APIs drift from their documents: the result is kept, and what differs is told. */
function checkDrift(
  part: unknown,
  { checkOutput, onDrift, hide = (text) => text }: ResponseOptions,
): string[] {
  const problems = checkOutput?.(toPlain(part)) ?? [];
  if (problems.length === 0) return [];
  onDrift?.(problems);
  const told = problems.slice(0, MAX_PROBLEMS).map((problem) => shorten(hide(problem), MAX_LINE));
  const others = problems.length > MAX_PROBLEMS ? ` (and ${problems.length - MAX_PROBLEMS} more)` : '';
  return [`The answer differs from what the API describes: ${told.join('; ')}${others}.`];
}
