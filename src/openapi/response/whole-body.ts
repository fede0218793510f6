import { OutboundError } from '../../outbound/outbound-error.ts';
import type { OutboundAnswer } from '../../outbound/outbound-client.ts';
import { REPEATS_CREDENTIALS } from './binary-content.ts';
import { MAX_JSON_DEPTH, parseJson, toStructuredJson } from './body/exact-json.ts';
import { hideInValue } from './body/hide-value.ts';
import { readBody } from './body/response-body.ts';

/** Options of {@link readWholeBody}. */
export interface WholeBodyOptions {
  /** Name of the operation in messages. */
  readonly what: string;
  readonly hide: ((text: string) => string) | undefined;
  readonly isHiddenIn: ((bytes: Uint8Array) => boolean) | undefined;
}

/** The whole body of a response for code: parsed JSON, a string, bytes, or undefined if it is empty. */
export function readWholeBody(answer: OutboundAnswer, options: WholeBodyOptions): unknown {
  const { what, hide = (text) => text, isHiddenIn } = options;
  const body = readBody(answer);
  switch (body.kind) {
    case 'empty':
      return undefined;
    case 'text':
      return hide(body.text);
    case 'json':
      return readJson(body.text, answer.status, { ...options, hide });
    case 'image':
    case 'audio':
    case 'binary':
      if (isHiddenIn?.(answer.body) === true)
        throw new OutboundError(
          'invalid-answer',
          `${what}: the response is not passed on: ${REPEATS_CREDENTIALS}.`,
        );
      return answer.body;
    default:
      return body satisfies never;
  }
}

/** Code relies on the type of a successful body; for an error, its text is better than nothing. */
function readJson(
  text: string,
  status: number,
  { what, hide }: WholeBodyOptions & { readonly hide: (text: string) => string },
): unknown {
  const parsed = parseJson(text, Infinity);
  if (parsed.kind === 'value') return toStructuredJson(hideInValue(parsed.value, hide));
  if (status >= 400) return hide(text);
  const problem =
    parsed.kind === 'too-deep' ? `nested deeper than ${MAX_JSON_DEPTH} levels` : 'not valid JSON';
  throw new OutboundError('invalid-answer', `${what}: the JSON of the response is ${problem}.`);
}
