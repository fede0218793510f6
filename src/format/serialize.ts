/** Whether a value can be sent, and as what. */
export type Serialized =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Nesting that every JSON writer and reader on the way can handle. `JSON.stringify` itself gives up near 5,000 levels, and
 * whoever serialises the reply again needs room on the stack.
 */
export const MAX_RESULT_DEPTH = 512;

/** The value as JSON text, or why it has none: BigInt, cycles, too deep, a getter or `toJSON` that throws. */
export function serialize(value: unknown, spaces?: number): Serialized {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, undefined, spaces) as string | undefined;
  } catch (thrown) {
    return { ok: false, reason: reasonFor(thrown) };
  }
  if (json === undefined) return { ok: false, reason: `${NAMES[typeof value] ?? 'it'} has no JSON form` };
  if (isTooDeep(json)) return { ok: false, reason: `it is nested deeper than ${MAX_RESULT_DEPTH} levels` };
  return { ok: true, json };
}

const NAMES: Readonly<Record<string, string>> = {
  undefined: 'undefined',
  function: 'a function',
  symbol: 'a symbol',
};

/** Messages of foreign code stay inside: a `toJSON` may put anything into its error, and throw when that is read. */
function reasonFor(thrown: unknown): string {
  try {
    if (thrown instanceof RangeError)
      return thrown.message.includes('string length') ? 'it is too large' : 'it is nested too deeply';
    const message = thrown instanceof TypeError ? thrown.message : '';
    if (message.includes('BigInt')) return 'it contains a BigInt; convert it to a string or a number';
    if (message.includes('circular')) return 'it contains itself (a cycle)';
  } catch {
    // Not an error of JSON.stringify's own, then.
  }
  return 'one of its members throws when it is read';
}

/** Counts brackets outside strings. Each level costs two characters, so short texts need no look. */
function isTooDeep(json: string): boolean {
  if (json.length < MAX_RESULT_DEPTH * 2) return false;
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_RESULT_DEPTH) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
  }
  return false;
}

/** The index of the quote that ends the string that starts here. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, index: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
