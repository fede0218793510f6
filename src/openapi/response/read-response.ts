import { describeLocation } from '../../outbound/describe-location.ts';
import type { OutboundAnswer } from '../../outbound/outbound-client.ts';
import { readBinary } from './binary-content.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, parseJson } from './body/exact-json.ts';
import { readBody } from './body/response-body.ts';
import type { ResponseBody } from './body/response-body.ts';
import { describeStatus, readErrorAnswer } from './failure/error-answer.ts';
import { readJson } from './json-content.ts';
import { offerNextPage } from './offer-next-page.ts';
import type { ResponseOptions } from './model/response-options.ts';
import { toErrorResult, toTextResult } from './model/result-parts.ts';
import type { OperationResult } from './model/result-parts.ts';
import { readText } from './text-content.ts';

export { CONTINUE_ARGUMENT } from './model/response-options.ts';
export type { ResponseOptions } from './model/response-options.ts';
export type { OperationResult } from './model/result-parts.ts';
export { readMore } from './rest/show-parts.ts';

/** What a model gets of an answer of an API. Nothing is thrown: an error is a result that says so. */
export function readResponse(answer: OutboundAnswer, options: ResponseOptions): OperationResult {
  const { status } = answer;
  if (status === 304) return readUnchanged(options);
  if (status < 200 || status > 299) return readErrorAnswer(answer, options);
  if (status === 204 || status === 205) return readEmpty(answer, options);
  const body = readBody(answer, options.select !== undefined && options.select.length > 0);
  switch (body.kind) {
    case 'empty':
      return readEmpty(answer, options);
    case 'json':
      return readJsonBody(body, answer, options);
    case 'text':
      return readText(body.text, options, { nextPage: offerNextPage(answer, undefined, options) });
    case 'image':
    case 'audio':
    case 'binary':
      return readBinary({ ...body, bytes: answer.body }, options);
    default:
      return body satisfies never;
  }
}

function readJsonBody(
  { text, isDeclared }: Extract<ResponseBody, { kind: 'json' }>,
  answer: OutboundAnswer,
  options: ResponseOptions,
): OperationResult {
  const parsed = parseJson(text);
  switch (parsed.kind) {
    case 'value':
      return readJson(parsed.value, answer, options);
    case 'too-deep': {
      const message = `${options.what} answered with JSON that is nested deeper than ${MAX_JSON_DEPTH} levels.`;
      return toErrorResult(message, { code: 'UPSTREAM_FAILED' });
    }
    case 'too-many':
    case 'invalid': {
      const notJson = isDeclared ? [NOT_JSON] : [];
      return readText(text, options, {
        nextPage: offerNextPage(answer, undefined, options),
        lines: parsed.kind === 'too-many' ? [TOO_MANY_VALUES] : notJson,
      });
    }
    default:
      return parsed satisfies never;
  }
}

const NOT_JSON = 'The API calls this JSON, but it is none; it is shown as it came.';
const TOO_MANY_VALUES = `The response has more than ${MAX_JSON_VALUES.toLocaleString('en-US')} JSON values, so it is shown as text, all of it and as it came. Ask for less: narrow the filters, or ask for smaller pages or fewer fields.`;

/** Where something new is, is all that some APIs say about it. */
function readEmpty({ status, headers }: OutboundAnswer, options: ResponseOptions): OperationResult {
  const { structured, hide = (text) => text } = options;
  const location = headers.get('location');
  const where = location === undefined ? '' : ` Location: ${describeLocation(location, hide)}.`;
  const text = `Done: ${status} without content.${where}`;
  return toTextResult(text, { structured: structured ? {} : undefined });
}

function readUnchanged({ what, structured }: ResponseOptions): OperationResult {
  const text = `${describeStatus(what, 304)}: nothing has changed since the version that was asked about.`;
  return toTextResult(text, { structured: structured ? {} : undefined });
}
