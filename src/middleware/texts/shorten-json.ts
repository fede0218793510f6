import { cutText, jsonCost } from '../parts/byte-length.ts';
import { measure } from '../parts/measured-json.ts';
import type { Measured, MeasuredObject } from '../parts/measured-json.ts';

/** How much of a list or a text is left. */
export interface Cut {
  readonly path: readonly (string | number)[];
  readonly kept: number;
  readonly total: number;
}

/** A value that fits, and what was taken from it. */
export interface ShortenedJson {
  readonly value: unknown;
  readonly lists: readonly Cut[];
  readonly texts: readonly Cut[];
}

/**
 * A value that was read from JSON, shortened until it takes so many bytes as JSON: lists lose elements from their end, and texts are
 * cut only where that does not suffice, or would leave nothing of a list. Within an object the largest members give first. Undefined
 * when it cannot be done: objects keep their members.
 */
export function shortenJson(value: unknown, maxBytes: number): ShortenedJson | undefined {
  return shortenMeasured(measure(value), maxBytes);
}

/** The same for a value that is tried with several bounds. */
export function shortenMeasured(root: Measured, maxBytes: number): ShortenedJson | undefined {
  if (root.leastCut > maxBytes) return undefined;
  const lists: Cut[] = [];
  const texts: Cut[] = [];
  const shortening = { path: [], lists, texts, size: root.least <= maxBytes ? 'least' : 'leastCut' } as const;
  return { value: shorten(root, maxBytes, shortening), lists, texts };
}

/** The path of a part, its target size, and the cuts so far. */
interface Shortening {
  readonly path: readonly (string | number)[];
  readonly lists: Cut[];
  readonly texts: Cut[];
  /** Which of its sizes a part can be brought down to: by emptying lists only, or by cutting texts too. */
  readonly size: 'least' | 'leastCut';
}

/** The part within so many bytes, of which there are enough. */
function shorten(part: Measured, bytes: number, shortening: Shortening): unknown {
  switch (part.kind) {
    case 'scalar':
      return part.value;
    case 'text': {
      if (part.bytes <= bytes) return part.value;
      const { text, kept } = cutText(part.value, bytes - 2, jsonCost);
      shortening.texts.push({ path: shortening.path, kept, total: part.value.length });
      return text;
    }
    case 'list':
      return shortenList(part.elements, bytes, shortening);
    case 'object':
      return shortenObject(part, bytes, shortening);
  }
}

/** Elements from the start on, as many as there is room for; the last one shortened where that makes a difference. */
function shortenList(elements: readonly Measured[], bytes: number, shortening: Shortening): unknown[] {
  const kept: unknown[] = [];
  // Told before those inside, so that the outermost stands first.
  const slot = shortening.lists.length;
  let left = bytes - 2;
  for (const [index, element] of elements.entries()) {
    if (index > 0) left -= 1;
    const below = { ...shortening, path: [...shortening.path, index] };
    const isWhole = element.bytes <= left;
    // A list that would be empty keeps a start of its first element, if need be with texts that are cut.
    const size = index === 0 && element.least > left ? 'leastCut' : shortening.size;
    const isWorthIt = index === 0 || left > bytes / 2;
    if (!isWhole && (!isWorthIt || element[size] > left)) break;
    kept.push(shorten(element, Math.min(left, element.bytes), { ...below, size }));
    left -= element.bytes;
    if (!isWhole) break;
  }
  if (kept.length < elements.length)
    shortening.lists.splice(slot, 0, { path: shortening.path, kept: kept.length, total: elements.length });
  return kept;
}

/** Every member gets what it needs up to a level that is the same for all: the small ones stay whole. */
function shortenObject({ members, frame }: MeasuredObject, bytes: number, shortening: Shortening): unknown {
  const shareOf = (member: Measured, level: number): number =>
    Math.max(member[shortening.size], Math.min(member.bytes, level));
  const fits = (level: number): boolean =>
    members.reduce((total, { member }) => total + shareOf(member, level), frame) <= bytes;
  let level = 0;
  let tooHigh = bytes + 1;
  while (tooHigh - level > 1) {
    const middle = Math.floor((level + tooHigh) / 2);
    if (fits(middle)) level = middle;
    else tooHigh = middle;
  }
  return Object.fromEntries(
    members.map(({ key, member }) => [
      key,
      shorten(member, shareOf(member, level), { ...shortening, path: [...shortening.path, key] }),
    ]),
  );
}
