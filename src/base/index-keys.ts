/** Maximum gap before an integer key that V8 fills with empty elements. */
const MAX_GAP = 1024;
/** Maximum length of an element list that V8 allocates regardless of how many are used. */
const MAX_ELEMENTS = 5000;
/** Larger keys never lead to a list of that length. */
const MAX_INDEX = 3333;

/** Number of elements that take as much memory as one value. */
export const ELEMENTS_PER_VALUE = 10;

/**
 * Number of empty elements of an object with these keys when it is built key by key, as schema libraries copy it. V8 keeps members with
 * integer keys in a list: one member with the key "1023" takes 1,552 elements of 8 bytes. Keys that are far apart are kept in a dictionary
 * instead.
 */
export function emptyElementsOf(keys: readonly string[]): number {
  let indexes: number[] | undefined;
  // Integer keys come first, in ascending order.
  for (const key of keys) {
    const index = toIndex(key);
    if (index === -1) break;
    (indexes ??= []).push(index);
  }
  return indexes === undefined ? 0 : countEmpty(indexes);
}

function countEmpty(ascending: readonly number[]): number {
  let elements = 0;
  for (const index of ascending) {
    if (index < elements) continue;
    if (index - elements >= MAX_GAP) return 0;
    const length = index + 1;
    elements = length + (length >> 1) + 16;
    if (elements > MAX_ELEMENTS) return 0;
  }
  return Math.max(0, elements - ELEMENTS_PER_VALUE * ascending.length);
}

const ZERO = 48;
const MAX_DIGITS = 4;

/** The integer of a key, if V8 would keep it in a list; otherwise -1. */
function toIndex(key: string): number {
  return key.length > MAX_DIGITS ? -1 : readIndex(key.length, (at) => key.charCodeAt(at));
}

/** The same for a key in JSON text, without its quotes. */
export function indexAt(bytes: Uint8Array, start: number, end: number): number {
  return end - start > MAX_DIGITS ? -1 : readIndex(end - start, (at) => bytes[start + at] ?? 0);
}

function readIndex(length: number, codeAt: (at: number) => number): number {
  if (length === 0 || (length > 1 && codeAt(0) === ZERO)) return -1;
  let index = 0;
  for (let at = 0; at < length; at += 1) {
    const digit = codeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
  }
  return index > MAX_INDEX ? -1 : index;
}

/** Collects the integer keys of objects in JSON text, by depth. */
export class IndexKeys {
  /** Open objects with integer keys; the innermost last. */
  readonly #open: { readonly depth: number; readonly indexes: Set<number> }[] = [];

  add(depth: number, index: number): void {
    const last = this.#open.at(-1);
    if (last?.depth === depth) last.indexes.add(index);
    else this.#open.push({ depth, indexes: new Set([index]) });
  }

  /** Number of empty elements of the object that ends here. */
  close(depth: number): number {
    const last = this.#open.at(-1);
    if (last?.depth !== depth) return 0;
    this.#open.pop();
    return countEmpty([...last.indexes].toSorted((a, b) => a - b));
  }
}
