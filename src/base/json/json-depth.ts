/** Whether JSON text is nested deeper than the limit. */
export function isDeeperThan(json: string, limit: number): boolean {
  return findExcess(json, limit) !== undefined;
}

/**
 * The bound that JSON text exceeds, checked before parsing, because a short text can become a large value. Counts brackets and commas
 * outside strings, so an empty array or object counts as two values. Each level needs two characters, so short texts are skipped.
 */
export function findExcess(
  json: string,
  maxDepth: number,
  maxValues: number = Infinity,
): 'depth' | 'values' | undefined {
  if (json.length < Math.min(maxDepth, maxValues) * 2) return undefined;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'depth';
      if (values > maxValues) return 'values';
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
    else if (code === COMMA) {
      values += 1;
      if (values > maxValues) return 'values';
    }
  }
  return undefined;
}

/** Shorter strings are scanned in a loop, which is faster than `indexOf`. */
const SHORT = 48;

/** The index of the closing quote of the string that starts here. */
export function endOfString(json: string, start: number): number {
  const until = Math.min(start + SHORT, json.length);
  for (let index = start + 1; index < until; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  let end = json.indexOf('"', until);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, index: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
