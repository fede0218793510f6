import { cleanText, tidyText } from './clean-text.ts';
import { compactJson } from './compact-json.ts';
import { cutText } from './cut-text.ts';
import { markDeprecated } from './describe-operation.ts';

/** A parameter or a property of a body. Its members are unknown, because properties come straight from a document. */
export interface DescribedParameter {
  readonly description?: unknown;
  readonly deprecated?: unknown;
  readonly example?: unknown;
}

/** Options of {@link describeParameter}. */
export interface ParameterDescriptionOptions {
  /** Maximum length in characters. Default: 300. */
  readonly maxChars?: number | undefined;
  /** Whether an example is included if all of it fits. Default: `true`. */
  readonly examples?: boolean | undefined;
  /** Whether HTML elements are removed. Default: `false`. */
  readonly stripHtml?: boolean | undefined;
}

const MAX_CHARS = 300;
/** Maximum length of an example; longer ones cost more tokens than they are worth. */
const MAX_EXAMPLE = 100;

/** Description of a parameter or a property of a body for models, within the budget. Empty if the document has none. */
export function describeParameter(
  parameter: DescribedParameter,
  options: ParameterDescriptionOptions = {},
): string {
  const { maxChars = MAX_CHARS, examples = true, stripHtml = false } = options;
  const clean = stripHtml ? cleanText : tidyText;
  const limit = Math.max(1, Math.floor(maxChars) || 1);
  const text = cutText(markDeprecated(clean(parameter.description), parameter.deprecated === true), limit);
  if (!examples || parameter.example === undefined) return text;
  const json = compactJson(parameter.example, MAX_EXAMPLE);
  if (json === undefined || isShown(text, json)) return text;
  const longer = `${text === '' ? '' : `${text} `}Example: ${json}`;
  return longer.length <= limit ? longer : text;
}

/** Whether the text already contains the example, with or without quotes. */
function isShown(text: string, json: string): boolean {
  const bare = json.startsWith('"') ? json.slice(1, -1) : json;
  return bare.length > 2 && text.includes(bare);
}
