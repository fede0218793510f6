import { cleanText, tidyText } from './clean-text.ts';
import { compactJson } from './compact-json.ts';
import { cutText } from './cut-text.ts';
import { markDeprecated } from './describe-operation.ts';

/** What is known of a parameter, or of a property of a body. Of unknown types, since properties come straight from a document. */
export interface DescribedParameter {
  readonly description?: unknown;
  readonly deprecated?: unknown;
  readonly example?: unknown;
}

/** How long the description of a parameter may be, and what belongs to it. */
export interface ParameterDescriptionOptions {
  /** A hard bound. Default: 300. */
  readonly maxChars?: number | undefined;
  /** Whether an example is shown where there is room for the whole of it. Default: true. */
  readonly examples?: boolean | undefined;
  /** Whether elements of HTML are taken out. Default: false. */
  readonly stripHtml?: boolean | undefined;
}

const MAX_CHARS = 300;
/** Longer examples of one argument say less than they cost. */
const MAX_EXAMPLE = 100;

/** What a model reads of a parameter or a property of a body, within the budget. Empty where the document says nothing of it. */
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

/** Whether the text already has the example, written with or without quotes. */
function isShown(text: string, json: string): boolean {
  const bare = json.startsWith('"') ? json.slice(1, -1) : json;
  return bare.length > 2 && text.includes(bare);
}
