import { cutText, jsonCost } from '../parts/byte-length.ts';
import { measure } from '../parts/measured-json.ts';
import type { Measured, MeasuredObject } from '../parts/measured-json.ts';

/** Remaining size of a shortened array or string. */
export interface Cut {
  readonly path: readonly (string | number)[];
  readonly kept: number;
  readonly total: number;
}

/** A shortened value, and the cuts. */
export interface ShortenedJson {
  readonly value: unknown;
  readonly lists: readonly Cut[];
  readonly texts: readonly Cut[];
}

/**
 * Shortens a parsed JSON value to this many bytes of JSON: arrays lose elements from their end; strings are cut only if that does not
 * suffice or would leave an array empty. Within an object, the largest members are shortened first. Undefined if impossible, because
 * objects keep their members.
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
  /** The reachable minimum size of a part: with empty arrays, or also with cut strings. */
  readonly size: 'least' | 'leastCut';
}

/** Shortens a part to this many bytes, which are known to suffice. */
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

/** Elements from the start, as many as fit; the last one shortened if that helps. */
function shortenList(elements: readonly Measured[], bytes: number, shortening: Shortening): unknown[] {
  const kept: unknown[] = [];
  // Recorded before nested cuts, so that the outermost comes first.
  const slot = shortening.lists.length;
  let left = bytes - 2;
  for (const [index, element] of elements.entries()) {
    if (index > 0) left -= 1;
    const below = { ...shortening, path: [...shortening.path, index] };
    const isWhole = element.bytes <= left;
    // An array that would be empty keeps the start of its first element, with cut strings if necessary.
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

/** Each member gets what it needs up to a common level, so that small ones stay whole. */
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
