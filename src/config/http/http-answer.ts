import { ToolError } from '../../errors/errors.ts';
import {
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  parseJson,
  toStructuredJson,
} from '../../openapi/response/body/exact-json.ts';
import { describeLocation } from '../../outbound/redirects/describe-location.ts';
import { hideInValue } from '../../openapi/response/body/hide-value.ts';
import type { OutboundAnswer } from '../../outbound/outbound-client.ts';
import type { EnvUses } from '../file/env-uses.ts';
import { REPEATS_ENVIRONMENT } from '../file/hide-environment.ts';

/** Options for converting a response to a result. */
export interface AnswerOptions {
  /** A JSON Pointer to the part to return. The response must be JSON. */
  readonly select?: string;
  readonly as?: 'auto' | 'json' | 'text';
  /** The request, for messages. */
  readonly what: string;
  /** URI of an embedded resource with the response. */
  readonly uri: string;
  /** Removes secret values from a message. */
  readonly hide: (text: string) => string;
  /** Values that are removed from successful responses too. */
  readonly unseen: EnvUses;
}

/** Maximum number of characters of an error response in a message. */
const MAX_SHOWN = 2000;

/** Converts a response to the result of the tool. An error status throws a ToolError with the body of the response. */
export function readAnswer(answer: OutboundAnswer, options: AnswerOptions): unknown {
  const { status, headers, body } = answer;
  const declared = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const type = options.unseen.hide(declared);
  if (status >= 300 && status < 400) {
    const to = describeLocation(headers.get('location'), options.hide);
    throw new ToolError(
      `${options.what} returned ${status}: it has moved to ${to}. Redirects are not followed; correct the URL.`,
    );
  }
  if (status >= 400)
    throw new ToolError(`${options.what} returned ${status}${describeBody(type, body, options.hide)}`);
  if (body.length === 0) return `Done: the server returned ${status} without content.`;
  const { unseen } = options;
  if (isWantedAsJson(type, options)) {
    const part = select(parse(body, options), options);
    // defence: answers-without-the-request
    if (!unseen.isEmpty) return hideInValue(part, (text) => unseen.hide(text));
    return part;
  }
  const isText = options.as === 'text' || (!isImageOrSound(type) && isTextType(type, body));
  return isText ? unseen.hide(body.toString('utf8')) : readBytes(type, body, options);
}

function isImageOrSound(type: string): boolean {
  return /^image\/|^audio\//.test(type);
}

function readBytes(type: string, body: Buffer, { what, uri, unseen }: AnswerOptions): object {
  if (unseen.isIn(body))
    throw new ToolError(
      `${what} returned ${type === '' ? 'binary data' : type}, which was withheld: ${REPEATS_ENVIRONMENT}.`,
    );
  if (isImageOrSound(type)) {
    const kind = type.startsWith('image/') ? 'image' : 'audio';
    return { content: [{ type: kind, data: body.toString('base64'), mimeType: type }] };
  }
  const resource = {
    uri,
    mimeType: type === '' ? 'application/octet-stream' : type,
    blob: body.toString('base64'),
  };
  return { content: [{ type: 'resource', resource }] };
}

/** Whether to parse JSON. `select` implies it, whatever the content type. */
function isWantedAsJson(type: string, { as, select: pointer }: AnswerOptions): boolean {
  return as === 'json' || pointer !== undefined || (as !== 'text' && isJsonType(type));
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

function isTextType(type: string, body: Buffer): boolean {
  return /^text\/|[/+]xml$|javascript$|yaml$/.test(type) || (type === '' && !body.includes(0));
}

function describeBody(type: string, body: Buffer, hide: AnswerOptions['hide']): string {
  if (body.length === 0 || !(isJsonType(type) || isTextType(type, body))) return '.';
  const text = hide(body.toString('utf8').trim());
  return `: ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`;
}

/** Parses JSON. Integers that a double would round become strings, because a rounded id identifies something else. */
function parse(body: Buffer, { what }: AnswerOptions): unknown {
  const parsed = parseJson(body.toString('utf8'));
  if (parsed.kind === 'too-deep')
    throw new ToolError(`${what} returned JSON that is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  if (parsed.kind === 'too-many')
    throw new ToolError(
      `${what} returned more than ${MAX_JSON_VALUES.toLocaleString('en-US')} JSON values. Narrow the filters, or request smaller pages or fewer fields.`,
    );
  if (parsed.kind === 'invalid') throw new ToolError(`${what} returned invalid JSON.`);
  return toStructuredJson(parsed.value);
}

function select(value: unknown, { select: pointer = '', what, hide }: AnswerOptions): unknown {
  let part = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof part === 'object' && part !== null && Object.hasOwn(part, key);
    if (!isThere)
      throw new ToolError(`${what} returned a response without ${pointer}. ${hide(describeKeys(part))}`);
    part = (part as Readonly<Record<string, unknown>>)[key];
  }
  return part;
}

function describeKeys(part: unknown): string {
  if (Array.isArray(part)) return `It has an array of length ${part.length} there.`;
  if (typeof part !== 'object' || part === null) return 'It has a scalar there.';
  return `Available: ${Object.keys(part).slice(0, 20).join(', ')}.`;
}
