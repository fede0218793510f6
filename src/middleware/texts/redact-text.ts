import { parseDocument } from '../parts/json-document.ts';
import { copyRedacted } from './redact-value.ts';

/** Shorter values are words and numbers that any text has: blanking them out would leave nothing readable. */
const MIN_LENGTH = 4;
/** With more hidden values than this, looking for each in every text costs too much: no text is shown then. */
const MAX_HIDDEN = 1000;

/** Whether JSON text says more than what was read from it: a key that stands twice is read once, and still goes out. */
export function hasRepeatedKeys(json: string, document: object): boolean {
  let colons = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === ':') colons += 1;
    else if (character === '"') index = endOfString(json, index);
  }
  return colons !== countMembers(document);
}

/** The index of the quote that ends the string that starts here. The text is known to be JSON. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index;
}

function countMembers(value: unknown): number {
  let count = 0;
  // Depth is bounded: the document has been walked before.
  const walk = (current: unknown): void => {
    if (typeof current !== 'object' || current === null) return;
    const members = Object.values(current) as unknown[];
    if (!Array.isArray(current)) count += members.length;
    for (const member of members) walk(member);
  };
  walk(value);
  return count;
}

/** The values that were hidden in one result, to be looked for in its texts. */
export class HiddenTexts {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text === '' || this.#texts.size > MAX_HIDDEN) return;
    // As it is, and as it stands in JSON.
    this.#texts.add(text).add(JSON.stringify(text).slice(1, -1));
  }

  /** Whether a text shows one of them, however short. */
  isIn(text: string): boolean {
    return this.#texts.size > MAX_HIDDEN || [...this.#texts].some((hidden) => text.includes(hidden));
  }

  /** The text with the censor in their place. */
  blank(text: string, censor: string): string {
    if (this.#texts.size > MAX_HIDDEN) return censor;
    // The longest first: a short one may be part of it.
    const texts = [...this.#texts].filter((hidden) => hidden.length >= MIN_LENGTH);
    let blanked = text;
    for (const hidden of texts.toSorted((a, b) => b.length - a.length))
      blanked = blanked.replaceAll(hidden, () => censor);
    return blanked;
  }

  /** A plain value with the censor in their place, in every string of it. */
  blankAll(value: unknown, censor: string): unknown {
    if (typeof value === 'string') return this.blank(value, censor);
    if (Array.isArray(value)) return value.map((element) => this.blankAll(element, censor));
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.blankAll(member, censor)]),
    );
  }
}

/** A text that is a JSON document, redacted by path; undefined when it is none. */
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
  // Left as it is where it can be: numbers may have more digits than a double.
  if (isClean && !hasRepeatedKeys(text, document)) return text;
  return JSON.stringify(copy);
}
