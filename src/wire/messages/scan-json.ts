import { isStructure } from '../../base/is-object.ts';
import { ELEMENTS_PER_VALUE, emptyElementsOf, indexAt, IndexKeys } from '../../base/index-keys.ts';

/** Limits of a message. */
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
 * Checks JSON before it is parsed: its depth, its number of values (including empty elements between whole-number keys), duplicate members
 * of JSON-RPC, and keys such as `__proto__`. One pass without allocations; invalid JSON is left to the parser. Returns the number of
 * values, or the problem.
 *
 * Works on bytes, not characters: V8 checks the kind of a string at every character access. The characters that matter are ASCII, which are
 * never part of another character in UTF-8.
 */
export function findJsonProblem(bytes: Uint8Array, { maxDepth, maxNodes }: JsonLimits): string | number {
  let depth = 0;
  let nodes = 1;
  // Depth of the members of a message, or of each message of a batch.
  const messageDepth = bytes[afterSpace(bytes, 0)] === OPEN_BRACKET ? 2 : 1;
  const hasEscapes = bytes.indexOf(BACKSLASH) !== -1;
  // The last string, without quotes: before a colon it is a key. Empty if a colon follows anything else, which is invalid JSON.
  let start = 0;
  let end = 0;
  // Bit set of the JSON-RPC members that were seen.
  let seen = 0;
  // Whether the next token is the value of a key "constructor", and the depths of such values that are open; the innermost last.
  let isConstructor = false;
  let constructors: number[] | undefined;
  let indexKeys: IndexKeys | undefined;
  for (let index = 0; index < bytes.length; index += 1) {
    switch (bytes[index] ?? 0) {
      case QUOTE:
        start = index + 1;
        end = endOfString(bytes, index);
        index = end;
        isConstructor = false;
        break;
      case COLON: {
        const known = (hasEscapes ? escapedKeyAt : keyAt)(bytes, start, end);
        // defence: empty-places-in-arrays
        if (known >= INDEX) (indexKeys ??= new IndexKeys()).add(depth, known - INDEX);
        // defence: proto-keys
        if (known === PROTO) return 'it has the key "__proto__"';
        isConstructor = known === CONSTRUCTOR;
        // defence: keys-of-constructors
        if (known === PROTOTYPE && constructors?.at(-1) === depth) return TO_PROTOTYPE;
        if (depth === messageDepth && known >= 0 && known < PROTO) {
          // defence: doubled-keys
          if ((seen & (1 << known)) !== 0) return `it has the key "${KEYS[known]}" twice`;
          seen |= 1 << known;
        }
        end = start;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        nodes += 1;
        if (depth === messageDepth) seen = 0;
        if (isConstructor) (constructors ??= []).push(depth);
        isConstructor = false;
        // defence: depth-of-a-message
        if (depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (constructors?.at(-1) === depth) constructors.pop();
        nodes += indexKeys === undefined ? 0 : Math.floor(indexKeys.close(depth) / ELEMENTS_PER_VALUE);
        depth -= 1;
        break;
      case COMMA:
        nodes += 1;
        end = start;
        isConstructor = false;
        break;
      default:
    }
  }
  // defence: number-of-values
  if (nodes > maxNodes) return `it has more than ${maxNodes} values`;
  return nodes;
}

/**
 * Keys to find. First the members of JSON-RPC: duplicates are rejected, because parsers differ on which one they use. Then keys by which
 * merging data into an object can change the prototype of all objects.
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
const PROTO = 6;
const CONSTRUCTOR = 7;
const PROTOTYPE = 8;
/** Offset that marks a whole-number key: the key is the value minus this; see {@link IndexKeys}. */
const INDEX = 9;

/** The keys as bytes, by their length. */
const KEYS_BY_LENGTH: readonly (readonly { readonly known: number; readonly bytes: Uint8Array }[])[] =
  Array.from({ length: 12 }, (_, length) =>
    KEYS.map((key, known) => ({ known, bytes: new TextEncoder().encode(key) })).filter(
      ({ bytes }) => bytes.length === length,
    ),
  );

const TO_PROTOTYPE = 'it has the key "prototype" in a "constructor"';

/** For a key without escapes: its index in {@link KEYS}, or {@link INDEX} plus its whole number, or -1. */
function keyAt(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] ?? 0;
  if (first >= 48 && first <= 57) {
    const index = indexAt(bytes, start, end);
    return index === -1 ? -1 : INDEX + index;
  }
  const candidates = KEYS_BY_LENGTH[end - start];
  if (candidates === undefined) return -1;
  for (const { known, bytes: key } of candidates) {
    let same = 0;
    while (same < key.length && bytes[start + same] === key[same]) same += 1;
    if (same === key.length) return known;
  }
  return -1;
}

/** The same for a key that may contain escapes. */
function escapedKeyAt(bytes: Uint8Array, start: number, end: number): number {
  const written = new TextDecoder().decode(bytes.subarray(start, end));
  // defence: keys-with-escapes
  if (written.includes('\\')) return keyIn(unescape(written));
  return keyAt(bytes, start, end);
}

function keyIn(text: string): number {
  const bytes = new TextEncoder().encode(text);
  return keyAt(bytes, 0, bytes.length);
}

/** Shorter strings are scanned: calling a search function costs more. */
const SHORT = 48;

/** Index of the closing quote of the string that starts here. */
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

/** The same checks for a value that was already parsed; duplicate keys cannot be detected. */
export function findValueProblem(value: unknown, { maxDepth, maxNodes }: JsonLimits): string | undefined {
  let nodes = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > maxNodes) return `it has more than ${maxNodes} values`;
    const objects = level.filter(isStructure);
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
  return isStructure(constructor) && Object.hasOwn(constructor, 'prototype');
}
