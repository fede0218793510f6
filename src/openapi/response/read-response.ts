import { describeLocation } from '../../outbound/redirects/describe-location.ts';
import { isRedirect, readLocation } from '../../outbound/redirects/find-redirect.ts';
import type { OutboundAnswer } from '../../outbound/outbound-client.ts';
import { readBinary } from './binary-content.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, parseJson } from './body/exact-json.ts';
import { readBody } from './body/response-body.ts';
import type { ResponseBody } from './body/response-body.ts';
import { describeStatus, readErrorAnswer } from './failure/error-answer.ts';
import { readJson } from './json-content.ts';
import { offerNextPage } from './offer-next-page.ts';
import type { ResponseOptions } from './model/response-options.ts';
import { readHeaders, withHeaders } from './model/result-headers.ts';
import { toErrorResult, toTextResult } from './model/result-parts.ts';
import type { OperationResult } from './model/result-parts.ts';
import { readText } from './text-content.ts';

export { CONTINUE_ARGUMENT } from './model/response-options.ts';
export type { ResponseOptions } from './model/response-options.ts';
export type { OperationResult } from './model/result-parts.ts';
export { readMore } from './rest/show-parts.ts';

/** Converts the response of an API to a result. Never throws: an error becomes an error result. */
export function readResponse(answer: OutboundAnswer, options: ResponseOptions): OperationResult {
  const { status } = answer;
  if (status >= 200 && status <= 299)
    return withHeaders(readSuccess(answer, options), readHeaders(answer, options));
  if (status === 304) return withHeaders(readUnchanged(options), readHeaders(answer, options));
  return readRedirect(answer, options) ?? readErrorAnswer(answer, options);
}

function readSuccess(answer: OutboundAnswer, options: ResponseOptions): OperationResult {
  const { status } = answer;
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
      const message = `${options.what} responded with JSON that is nested deeper than ${MAX_JSON_DEPTH} levels.`;
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

const NOT_JSON = 'The content type is JSON, but the body is not valid JSON; it is shown unchanged.';
const TOO_MANY_VALUES = `The response has more than ${MAX_JSON_VALUES.toLocaleString('en-US')} JSON values, so it is shown as unchanged text. Ask for less: narrow the filters, or ask for smaller pages or fewer fields.`;

/** A redirect that the operation documents: the result is the whole location, including keys in its query. */
function readRedirect(answer: OutboundAnswer, options: ResponseOptions): OperationResult | undefined {
  const { status, headers } = answer;
  const { what, url, structured, documentsRedirect, hide = (text) => text } = options;
  if (!isRedirect(status) || documentsRedirect?.(status) !== true) return undefined;
  const location = url === undefined ? undefined : readLocation(headers.get('location'), url)?.href;
  if (location === undefined) return undefined;
  const shown = hide(location);
  const result = toTextResult(shown, {
    structured: structured ? { location: shown } : undefined,
    lines: [`${describeStatus(what, status)}: the result is at this location, which was not followed.`],
  });
  return withHeaders(result, { ...readHeaders(answer, options), Location: shown }, ['Location']);
}

/** For some APIs, the location of a new resource is the only content of the response. */
function readEmpty({ status, headers }: OutboundAnswer, options: ResponseOptions): OperationResult {
  const { structured, shownHeaders = [], hide = (text) => text } = options;
  const location = shownHeaders.includes('Location') ? undefined : headers.get('location');
  const where = location === undefined ? '' : ` Location: ${describeLocation(location, hide)}.`;
  const text = `Done: ${status} without content.${where}`;
  return toTextResult(text, { structured: structured ? {} : undefined });
}

function readUnchanged({ what, structured }: ResponseOptions): OperationResult {
  const text = `${describeStatus(what, 304)}: nothing has changed since the requested version.`;
  return toTextResult(text, { structured: structured ? {} : undefined });
}
