import { parseDocument } from '../parts/json-document.ts';
import { copyRedacted } from './redact-value.ts';

/** Minimum length of hidden values that are replaced in text: shorter ones are common words and numbers. */
const MIN_LENGTH = 4;
/** Maximum number of hidden values that are searched for in text; with more, no text is sent. */
const MAX_HIDDEN = 1000;

/** Whether JSON text contains more than its parsed value: repeated keys are parsed once, but would be sent. */
export function hasRepeatedKeys(json: string, document: object): boolean {
  let colons = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === ':') colons += 1;
    else if (character === '"') index = endOfString(json, index);
  }
  return colons !== countMembers(document);
}

/** The index of the closing quote of the string that starts here. The text is known to be JSON. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index;
}

function countMembers(value: unknown): number {
  let count = 0;
  // Depth is bounded: the document was traversed before.
  const walk = (current: unknown): void => {
    if (typeof current !== 'object' || current === null) return;
    const members = Object.values(current) as unknown[];
    if (!Array.isArray(current)) count += members.length;
    for (const member of members) walk(member);
  };
  walk(value);
  return count;
}

/** The hidden values of one result, to be searched for in its texts. */
export class HiddenTexts {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text === '' || this.#texts.size > MAX_HIDDEN) return;
    // Raw, and as escaped in JSON.
    this.#texts.add(text).add(JSON.stringify(text).slice(1, -1));
  }

  /** Whether a text contains a hidden value of any length. */
  isIn(text: string): boolean {
    return this.#texts.size > MAX_HIDDEN || [...this.#texts].some((hidden) => text.includes(hidden));
  }

  /** The text with hidden values replaced. */
  blank(text: string, censor: string): string {
    if (this.#texts.size > MAX_HIDDEN) return censor;
    // The longest first, because a shorter one may be part of it.
    const texts = [...this.#texts].filter((hidden) => hidden.length >= MIN_LENGTH);
    let blanked = text;
    for (const hidden of texts.toSorted((a, b) => b.length - a.length))
      blanked = blanked.replaceAll(hidden, () => censor);
    return blanked;
  }

  /** A plain value with hidden values replaced in all its strings. */
  blankAll(value: unknown, censor: string): unknown {
    if (typeof value === 'string') return this.blank(value, censor);
    if (Array.isArray(value)) return value.map((element) => this.blankAll(element, censor));
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.blankAll(member, censor)]),
    );
  }
}

/** A JSON document redacted by path; undefined if the text is not JSON. */
export function redactDocument(text: string, rules: Parameters<typeof copyRedacted>[1]): string | undefined {
  const document = parseDocument(text);
  if (document === undefined) return undefined;
  let isClean = true;
  const copy = copyRedacted(document, {
    ...rules,
    onHidden: (hidden) => {
      isClean = false;
      rules.onHidden(hidden);
    },
  });
  // Unchanged if possible, because numbers may have more digits than a double.
  if (isClean && !hasRepeatedKeys(text, document)) return text;
  return JSON.stringify(copy);
}
