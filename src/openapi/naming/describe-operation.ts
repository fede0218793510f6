import type { Operation } from '../model/operation.ts';
import { cleanText, tidyText } from './clean-text.ts';
import { compactJson } from './compact-json.ts';
import { cutText } from './cut-text.ts';

/** Options of {@link describeOperation}. */
export interface OperationDescriptionOptions {
  /** Maximum length in characters. Default: 1024. */
  readonly maxChars?: number | undefined;
  /** Whether an example of the body is included if all of it fits. Default: `true`. */
  readonly examples?: boolean | undefined;
  /** Whether the description of a successful response is included if it fits. Default: `false`. */
  readonly responses?: boolean | undefined;
  /** Whether HTML elements are removed. Default: `false`. */
  readonly stripHtml?: boolean | undefined;
  /** Description of the request body, if no argument is the whole body. */
  readonly body?: string | undefined;
}

const MAX_CHARS = 1024;

/**
 * Description of an operation for models: deprecation, summary, description, an example of its body. Never longer than the budget and never
 * empty: without any text it is the key, such as `GET /pets/{id}`.
 */
export function describeOperation(operation: Operation, options: OperationDescriptionOptions = {}): string {
  const { maxChars = MAX_CHARS, examples = true, responses = false, stripHtml = false } = options;
  const clean = stripHtml ? cleanText : tidyText;
  const limit = Math.max(1, Math.floor(maxChars) || 1);
  const said = joinTexts(clean(operation.summary), clean(operation.description));
  const main = said || tidyText(operation.key) || 'An operation without a description.';
  let text = cutText(markDeprecated(main, operation.deprecated), limit);
  if (responses) text = addResponse(text, operation, limit);
  const body = clean(options.body);
  if (body !== '' && !text.includes(withoutFullStop(body))) text = addIfItFits(text, `Body: ${body}`, limit);
  return examples ? addExample(text, operation, limit) : text;
}

/** Adds `Deprecated.` before a text that does not begin with it. */
export function markDeprecated(text: string, isDeprecated: boolean): string {
  if (!isDeprecated || startsWithWord(text, 'deprecated')) return text;
  return text === '' ? 'Deprecated.' : `Deprecated. ${text}`;
}

/** Joins both texts, or returns one if the other repeats it. */
function joinTexts(summary: string, description: string): string {
  if (summary === '' || startsWithWord(description, summary)) return description;
  if (description === '' || startsWithWord(summary, description)) return summary;
  return `${summary}\n\n${description}`;
}

/** Whether a text begins with another, ignoring case and the other's punctuation. */
function startsWithWord(text: string, beginning: string): boolean {
  const wanted = withoutFullStop(beginning).toLowerCase();
  const start = text.slice(0, wanted.length).toLowerCase();
  return start === wanted && !/^[\p{L}\p{N}]/u.test(text.slice(wanted.length));
}

function withoutFullStop(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** Response descriptions that add nothing to the status. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  'a successful response',
  'accepted',
  'created',
  'default response',
  'no content',
  'ok',
  'response',
  'success',
  'successful',
  'successful operation',
  'successful response',
]);

function addResponse(text: string, { responses }: Operation, limit: number): string {
  const success = responses.find(({ status }) => status.startsWith('2'));
  const description = tidyText(success?.description);
  if (description === '' || SAYS_NOTHING.has(withoutFullStop(description).toLowerCase())) return text;
  return text.includes(description) ? text : addIfItFits(text, `Returns: ${description}`, limit);
}

function addExample(text: string, { body }: Operation, limit: number): string {
  const content = body?.contents.find(({ example }) => example !== undefined);
  if (content === undefined) return text;
  const label = 'Example of the body: ';
  const json = compactJson(content.example, limit - text.length - label.length);
  return json === undefined ? text : addIfItFits(text, label + json, limit);
}

function addIfItFits(text: string, addition: string, limit: number): string {
  const longer = `${text}\n\n${addition}`;
  return longer.length <= limit ? longer : text;
}
