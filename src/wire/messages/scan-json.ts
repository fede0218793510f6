import { ELEMENTS_PER_VALUE, emptyElementsOf, indexAt, IndexKeys } from '../../base/index-keys.ts';

/** How much a message may hold. */
export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxNodes: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * Looks over JSON text before it is parsed: how deep it is, how many values it has (empty elements between whole-number keys included), whether a key stands twice in the message itself,
 * and whether a key is `__proto__`. One pass that makes nothing; what is not valid JSON is left to the parser. The number of values when all is well.
 *
 * Over bytes, not characters: V8 asks at every character of a string what kind of string it is. What is looked for is ASCII, which never is
 * a part of another character in UTF-8.
 */
export function findJsonProblem(bytes: Uint8Array, { maxDepth, maxNodes }: JsonLimits): string | number {
  let depth = 0;
  let nodes = 1;
  // Of a message by itself, or of each message of a batch.
  const messageDepth = bytes[afterSpace(bytes, 0)] === OPEN_BRACKET ? 2 : 1;
  const hasEscapes = bytes.indexOf(BACKSLASH) !== -1;
  // The keys of the message that were seen, a bit for each.
  let seen = 0;
  // Where the value of a key "constructor" begins, and how deep those are that are still open; the innermost last.
  let constructorAt = -1;
  let constructors: number[] | undefined;
  let indexKeys: IndexKeys | undefined;
  for (let index = 0; index < bytes.length; index += 1) {
    switch (bytes[index] ?? 0) {
      case QUOTE: {
        const end = endOfString(bytes, index);
        const ofMessage = depth === messageDepth;
        // Nearly no key of the others needs a look.
        if ((ofMessage || hasEscapes || mayMatter(bytes, index, end)) && isKey(bytes, end)) {
          const key = hasEscapes ? readKey(bytes, index, end) : undefined;
          const known = key === undefined ? keyAt(bytes, index + 1, end) : KEYS.indexOf(key);
          const indexKey = indexKeyAt(bytes, index + 1, { end, key });
          // defence: empty-places-in-arrays
          if (indexKey !== -1) (indexKeys ??= new IndexKeys()).add(depth, indexKey);
          // defence: proto-keys
          if (known === PROTO) return 'it has the key "__proto__"';
          if (known === CONSTRUCTOR) constructorAt = afterSpace(bytes, afterSpace(bytes, end + 1) + 1);
          // defence: keys-of-constructors
          if (known === PROTOTYPE && constructors?.at(-1) === depth) return TO_PROTOTYPE;
          if (ofMessage && known >= 0 && known < PROTO) {
            // defence: doubled-keys
            if ((seen & (1 << known)) !== 0) return `it has the key "${KEYS[known]}" twice`;
            seen |= 1 << known;
          }
        }
        index = end;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        nodes += 1;
        if (depth === messageDepth) seen = 0;
        if (index === constructorAt) (constructors ??= []).push(depth);
        // defence: depth-of-a-message
        if (depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (constructors?.at(-1) === depth) constructors.pop();
        if (indexKeys !== undefined) {
          nodes += Math.floor(indexKeys.close(depth) / ELEMENTS_PER_VALUE);
          if (nodes > maxNodes) return `it has more than ${maxNodes} values`;
        }
        depth -= 1;
        break;
      case COMMA:
        nodes += 1;
        // defence: number-of-values
        if (nodes > maxNodes) return `it has more than ${maxNodes} values`;
        break;
      default:
    }
  }
  return nodes;
}

/**
 * The keys that are looked for. First what a message consists of: each of them may be said once, or readers could differ on what was
 * said. Then those with which data that is merged into an object may write into the prototype of all objects.
 */
const KEYS: readonly string[] = [
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
  '__proto__',
  'constructor',
  'prototype',
];
const KEY_BYTES: readonly Uint8Array[] = KEYS.map((key) => new TextEncoder().encode(key));
const PROTO = 6;
const CONSTRUCTOR = 7;
const PROTOTYPE = 8;

const TO_PROTOTYPE = 'it has the key "prototype" in a "constructor"';

/** Which of the keys stands here, or -1. */
function keyAt(bytes: Uint8Array, start: number, end: number): number {
  for (let index = 0; index < KEY_BYTES.length; index += 1) {
    const key = KEY_BYTES[index];
    if (key !== undefined && key.length === end - start && startsWith(bytes, start, key)) return index;
  }
  return -1;
}

function startsWith(bytes: Uint8Array, start: number, key: Uint8Array): boolean {
  for (let index = 0; index < key.length; index += 1) if (bytes[start + index] !== key[index]) return false;
  return true;
}

/** The whole number that a key is, however it is written; see {@link IndexKeys}. */
function indexKeyAt(
  bytes: Uint8Array,
  start: number,
  { end, key }: { readonly end: number; readonly key: string | undefined },
): number {
  if (key === undefined) return indexAt(bytes, start, end);
  const unescaped = new TextEncoder().encode(key);
  return indexAt(unescaped, 0, unescaped.length);
}

/** A key that is written with escapes, which can spell any other; undefined for one without. */
function readKey(bytes: Uint8Array, start: number, end: number): string | undefined {
  const written = new TextDecoder().decode(bytes.subarray(start + 1, end));
  // defence: keys-with-escapes
  if (written.includes('\\')) return unescape(written);
  return undefined;
}

/** Shorter strings are looked through faster than searched: a search costs more to begin with. */
const SHORT = 48;

/** The index of the quote that ends the string that starts here. */
export function endOfString(bytes: Uint8Array, start: number): number {
  const until = Math.min(start + SHORT, bytes.length);
  for (let index = start + 1; index < until; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    if (byte === BACKSLASH) index += 1;
  }
  let end = bytes.indexOf(QUOTE, until);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end === -1 ? bytes.length : end;
}

function isEscaped(bytes: Uint8Array, index: number): boolean {
  let backslashes = 0;
  while (bytes[index - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

const UNDERSCORE = 95;
const SMALL_C = 99;
const SMALL_P = 112;

/** Whether a string without escapes could be one of the keys that are looked for: by its length and its beginning. */
function mayMatter(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start + 1] ?? 0;
  if (end - start <= 5) return first >= 48 && first <= 57;
  if (end - start === 10) return first === UNDERSCORE || first === SMALL_P;
  return end - start === 12 && first === SMALL_C;
}

function isKey(bytes: Uint8Array, end: number): boolean {
  return bytes[afterSpace(bytes, end + 1)] === COLON;
}

export function afterSpace(bytes: Uint8Array, start: number): number {
  let next = start;
  while (isSpace(bytes[next])) next += 1;
  return next;
}

function isSpace(code: number | undefined): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

// defence: escapes-in-keys
function unescape(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

/** The same for a value that somebody else has parsed; doubled keys are gone by then. */
export function findValueProblem(value: unknown, { maxDepth, maxNodes }: JsonLimits): string | undefined {
  let nodes = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > maxNodes) return `it has more than ${maxNodes} values`;
    const objects = level.filter(isObject);
    // defence: depth-of-a-value
    if (objects.length > 0 && depth >= maxDepth) return `it is nested deeper than ${maxDepth} levels`;
    if (objects.some((each) => Object.hasOwn(each, '__proto__'))) return 'it has the key "__proto__"';
    if (objects.some(leadsToPrototype)) return TO_PROTOTYPE;
    for (const each of objects) nodes += emptyElementsIn(each);
    level = objects.flatMap((each) => Object.values(each) as unknown[]);
  }
  return undefined;
}

function emptyElementsIn(value: object): number {
  return Array.isArray(value) ? 0 : Math.floor(emptyElementsOf(Object.keys(value)) / ELEMENTS_PER_VALUE);
}

function leadsToPrototype(value: object): boolean {
  if (!Object.hasOwn(value, 'constructor')) return false;
  const { constructor } = value as { constructor: unknown };
  return isObject(constructor) && Object.hasOwn(constructor, 'prototype');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
