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
import { toStructured, toTextResult } from './model/result-parts.ts';
import type { OperationResult } from './model/result-parts.ts';

/** A JSON value, its selected part, or the first part of it that fits. */
export function readJson(value: unknown, answer: OutboundAnswer, options: ResponseOptions): OperationResult {
  const { hide, maxChars, structured, select = '', checkOutput } = options;
  const nextPage = offerNextPage(answer, value, options);
  const lines: string[] = [];
  const part = select.length === 0 ? value : selectPart(value, select, { ...options, lines });
  if (checkOutput !== undefined) lines.push(...checkDrift(checkOutput(toPlain(part)), options));
  const remarks = { lines, nextPage };
  const shown = hide === undefined ? part : hideInValue(part, hide);
  const text = writeJson(shown);
  if (text.length > maxChars) {
    const cut = cutList(shown, maxChars);
    return cut === undefined
      ? showFirst({ kind: 'text', text }, options, remarks)
      : showFirst(cut.content, options, { ...remarks, first: cut.first });
  }
  const content = structured ? toStructured(toStructuredJson(shown)) : undefined;
  return toTextResult(text, { ...remarks, structured: content });
}

/** If nothing of the selection exists, the whole value is returned: a change of the API must not lose the result. */
function selectPart(
  value: unknown,
  wanted: NonNullable<ResponseOptions['select']>,
  { hide = (text) => text, lines }: Pick<ResponseOptions, 'hide'> & { readonly lines: string[] },
): unknown {
  const selected = selectParts(value, wanted);
  if (selected !== undefined) return selected.value;
  const pointers = typeof wanted === 'string' ? wanted : wanted.join(', ');
  lines.push(`The response has no ${pointers}, so all of it is shown. ${hide(describeKeys(value))}`);
  return value;
}

function describeKeys(value: unknown): string {
  if (Array.isArray(value)) return `It is an array of ${value.length}.`;
  if (!isObject(value)) return 'It is a single value.';
  return `It has: ${shorten(Object.keys(value).slice(0, 20).join(', '), MAX_LINE)}.`;
}

const MAX_LINE = 300;
const MAX_PROBLEMS = 3;

/** If a response does not match its documented schema, it is returned with the differences. */
function checkDrift(
  problems: readonly string[],
  { onDrift, hide = (text) => text }: ResponseOptions,
): string[] {
  if (problems.length === 0) return [];
  onDrift?.(problems);
  const told = problems.slice(0, MAX_PROBLEMS).map((problem) => shorten(hide(problem), MAX_LINE));
  const others = problems.length > MAX_PROBLEMS ? ` (and ${problems.length - MAX_PROBLEMS} more)` : '';
  return [`The response does not match the API description: ${told.join('; ')}${others}.`];
}
